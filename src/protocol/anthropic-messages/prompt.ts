import type { Message, Part, TextPart } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import { isJsonObject, listOf, without } from '../shared/json-object.ts';
import { problem } from '../shared/request-shape.ts';
import type { ReadPrompt } from '../translation.ts';
import type { RequestProblem } from '../types.ts';
import { extended } from './members.ts';
import { type CallNames, readBlockPart } from './part-read.ts';
import { readSettings } from './settings-read.ts';
import { readTools } from './tool-read.ts';

/** The tree of a request that `decodeRequest` took; a content that is neither text nor blocks is a problem. */
export function readPrompt({ original }: CanonicalRequest): ReadPrompt {
  const body: unknown = parseExact(decodeUtf8(original));
  if (!isJsonObject(body)) return { ok: false, problem: problem('The body must be a JSON object.', null) };
  const calls: CallNames = new Map();
  const messages: Message[] = [...readSystem(body['system'], calls)];
  for (const [position, message] of listOf(body['messages']).entries()) {
    const read = isJsonObject(message) ? readMessages(message, calls) : null;
    if (read === null) return { ok: false, problem: contentProblem(position) };
    messages.push(...read);
  }
  const { settings, rest } = readSettings(body);
  return {
    ok: true,
    prompt: { messages, tools: readTools(body['tools'], body['mcp_servers']), settings, ...extended(rest) },
  };
}

const contentProblem = (position: number): RequestProblem =>
  problem('"content" must be a text or a list of blocks, each with a type.', `messages[${position}].content`);

function readSystem(system: JsonValue | undefined, calls: CallNames): readonly Message[] {
  const parts = readContent(system ?? '', calls) ?? [];
  return parts.length === 0 ? [] : [{ role: 'system', parts }];
}

/** The parts of a content; null: it is none. An empty text is no part. */
function readContent(content: JsonValue, calls: CallNames): readonly Part[] | null {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content } satisfies TextPart];
  if (!Array.isArray(content)) return null;
  const blocks = (content as readonly JsonValue[]).filter(isJsonObject);
  if (blocks.length < content.length || blocks.some(({ type }) => typeof type !== 'string')) return null;
  return blocks.map((block) => readBlockPart(block, calls));
}

/** One message as canonical ones: results of tools have their own role. Null: its content is none. */
function readMessages(message: JsonObject, calls: CallNames): readonly Message[] | null {
  const { role } = message;
  const parts = readContent(message['content'] ?? [], calls);
  if (parts === null) return null;
  const kept = extended(without(message, ['role', 'content']));
  if (role === 'assistant' || role === 'system') return [{ role, parts, ...kept }];
  const [first = { role: 'user', parts: [] }, ...others] = splitResults(parts);
  return [{ ...first, ...kept }, ...others];
}

/** Runs of results, and of anything else, in their order. */
function splitResults(parts: readonly Part[]): readonly Message[] {
  const messages: { role: 'user' | 'tool'; parts: Part[] }[] = [];
  for (const part of parts) {
    const role = part.type === 'tool_result' ? 'tool' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.parts.push(part);
    else messages.push({ role, parts: [part] });
  }
  return messages;
}
