import type { Message, Part } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import type { ReadPrompt } from '../translation.ts';
import { CallIds } from './call-ids.ts';
import { asList, camel, extended } from './members.ts';
import { readPart } from './part-read.ts';
import { readSettings } from './settings-read.ts';
import { readTools } from './tool-read.ts';

/**
 * The tree of a request that `decodeRequest` took. Members of inner objects that have no word ride in the extensions of
 * the top under the path where they stood (`generationConfig.mediaResolution`).
 */
export function readPrompt(request: CanonicalRequest): ReadPrompt {
  const body = camel(parseExact(decodeUtf8(request.original)));
  const { contents, systemInstruction, tools, model: _model, ...others } = body;
  const { settings, rest } = readSettings(others);
  const messages = [...readSystem(systemInstruction), ...readContents(asList(contents))];
  return { ok: true, prompt: { messages, tools: readTools(asList(tools)), settings, ...extended(rest) } };
}

function readSystem(value: JsonValue | undefined): Message[] {
  if (typeof value === 'string')
    return value === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text: value }] }];
  const { parts, role: _role, ...rest } = camel(value);
  const read = partsOf(parts, new CallIds());
  return read.length === 0 ? [] : [{ role: 'system', parts: read, ...extended(rest) }];
}

const partsOf = (value: JsonValue | undefined, calls: CallIds): readonly Part[] =>
  asList(value).flatMap((part) => readPart(part, calls));

const KNOWN_ROLES: ReadonlySet<unknown> = new Set([undefined, null, 'user', 'model', 'function']);

function readContents(contents: readonly JsonValue[]): Message[] {
  const calls = new CallIds();
  return contents.flatMap((content) => {
    const { role, parts, ...others } = camel(content);
    const rest: JsonObject = KNOWN_ROLES.has(role) ? others : { ...others, role: role ?? null };
    return split(partsOf(parts, calls), role === 'model' ? 'assistant' : 'user', rest);
  });
}

/** A content may hold results and words: each run of results is a message, and so is each run of others. */
function split(parts: readonly Part[], role: 'assistant' | 'user', rest: JsonObject): Message[] {
  const runs: { role: Message['role']; parts: Part[] }[] = [];
  for (const part of parts) {
    const own = part.type === 'tool_result' ? 'tool' : role;
    const last = runs.at(-1);
    if (last?.role === own) last.parts.push(part);
    else runs.push({ role: own, parts: [part] });
  }
  return runs.map((run, at): Message => ({ ...run, ...(at === 0 ? extended(rest) : {}) }));
}
