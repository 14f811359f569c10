import type { Message } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { isObject } from '../shared/value.ts';
import type { ReadPrompt } from '../translation.ts';
import { readItems } from './item-read.ts';
import { extended, PROTOCOL, restOf } from './members.ts';
import { nativeOf } from './part-read.ts';
import { readSettings } from './settings-read.ts';
import { readFoundTools, readToolItem, readTools } from './tool-read.ts';

/** Members that say something of the conversation which only their provider knows. */
const KEPT_ELSEWHERE = ['prompt', 'conversation'] as const;

/**
 * The tree of a request. `instructions` are a system message in front; a `prompt` template and a `conversation` are
 * system messages of one native part. What else there is no word for rides in the extensions; they are there in any
 * case, since they also say that the prompt was made in this protocol, with what it takes for granted.
 */
export function readPrompt(request: CanonicalRequest): ReadPrompt {
  const body = parseExact(decodeUtf8(request.original));
  if (!isJsonObject(body)) return { ok: false, problem: { message: 'The body is no object.', param: null } };
  const items = itemsOf(body['input']);
  const { messages, toolItems } = readItems(items);
  const list = body['tools'];
  const offered = [
    ...readTools(Array.isArray(list) ? list : []),
    ...toolItems.flatMap(({ item, at }) => readToolItem(item, at)),
  ];
  const tools = [...offered, ...readFoundTools(items, offered)];
  const { settings, rest } = readSettings(
    restOf(body, 'model', 'stream', 'input', 'tools', ...lead(body).known),
    tools,
  );
  return {
    ok: true,
    prompt: { messages: [...lead(body).messages, ...messages], tools, settings, extensions: { [PROTOCOL]: rest } },
  };
}

function itemsOf(input: JsonValue | undefined): readonly JsonObject[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input.filter((item): item is JsonObject => isObject(item)) : [];
}

/** What members beside the input say in front of it. */
function lead(body: JsonObject): { messages: readonly Message[]; known: readonly string[] } {
  const { instructions } = body;
  const messages: Message[] = [];
  const known: string[] = [];
  if (typeof instructions === 'string') {
    messages.push({ role: 'system', parts: [{ type: 'text', text: instructions }] });
    known.push('instructions');
  }
  for (const name of KEPT_ELSEWHERE) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    messages.push({ role: 'system', parts: [nativeOf(value, name)], ...extended({ $member: name }) });
    known.push(name);
  }
  return { messages, known };
}
