import type { Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { stringifyExact } from '../json/index.ts';
import { isJsonObject, listOf, without } from '../shared/json-object.ts';
import type { RequestProblem } from '../types.ts';
import { extended } from './members.ts';
import { common, isVoid, readCache, readImage, readPart } from './part-read.ts';
import { CALL_OPAQUE, callStateOf, OPAQUE, readThoughts, stateOf, THOUGHTS } from './reasoning-state.ts';

type Call = Pick<ToolCallPart, 'id' | 'name' | 'kind'>;

/** What is known while a conversation is read. */
type Reading = {
  /** Calls so far, for their results: those of the older form have no id, but a name. */
  readonly calls: Map<string, Call>;
  legacy: Call | null;
  /** The first thing that nobody can read. */
  problem: RequestProblem | null;
};

export type ReadMessages =
  | { readonly ok: true; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly problem: RequestProblem };

/** The conversation. Results that stand together are one message. */
export function readMessages(list: readonly JsonValue[]): ReadMessages {
  const reading: Reading = { calls: new Map(), legacy: null, problem: null };
  const messages: Message[] = [];
  /** Of the run of results at the end, which grows in place: a turn may have thousands. */
  let results: Part[] | null = null;
  for (const [position, value] of list.entries()) {
    const message = readMessage(value, position, reading);
    if (reading.problem !== null) return { ok: false, problem: reading.problem };
    if (message.role !== 'tool') {
      results = null;
      messages.push(message);
    } else if (results === null) {
      results = [...message.parts];
      messages.push({ role: 'tool', parts: results });
    } else results.push(...message.parts);
  }
  return { ok: true, messages };
}

function refuse(reading: Reading, param: string, must: string): void {
  reading.problem ??= { message: `"${param}" must ${must}.`, param };
}

function readMessage(value: JsonValue, position: number, reading: Reading): Message {
  const place = `messages[${position}]`;
  const message = isJsonObject(value) ? value : {};
  switch (message['role']) {
    case 'system':
    case 'developer':
    case 'user': {
      const parts = readContent(message['content'], place, reading);
      return { role: message['role'], ...marked(message, parts, ['role', 'content']) };
    }
    case 'assistant':
      return readAssistant(message, place, position, reading);
    case 'tool':
    case 'function':
      return { role: 'tool', parts: [readResult(message, place, reading)] };
    default:
      refuse(reading, `${place}.role`, 'be one of the roles of Chat Completions');
      return { role: 'user', parts: [] };
  }
}

const nameOf = ({ name }: JsonObject): { readonly name?: string } => (typeof name === 'string' ? { name } : {});

/** A mark of the whole message is one of its last part. */
function marked(message: JsonObject, parts: readonly Part[], known: readonly string[]): Omit<Message, 'role'> {
  const { mark, isUsed } = readCache(message['cache_control']);
  const last = parts.at(-1);
  const isTaken = isUsed && last !== undefined && last.cache === undefined;
  const name = nameOf(message);
  const rest = without(message, [...known, ...Object.keys(name), ...(isTaken ? ['cache_control'] : [])]);
  return {
    parts: isTaken ? [...parts.slice(0, -1), { ...last, ...mark }] : parts,
    ...name,
    ...extended(rest),
  };
}

function readContent(content: JsonValue | undefined, place: string, reading: Reading): readonly Part[] {
  if (content == null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) refuse(reading, `${place}.content`, 'be a text or a list of parts');
  return listOf(content).flatMap((value, at) => {
    if (!isJsonObject(value)) refuse(reading, `${place}.content[${at}]`, 'be an object with a type');
    const part = readPart(isJsonObject(value) ? value : {});
    return isVoid(part) ? [] : [part];
  });
}

/** Members of an assistant's message that are parts. */
const SPOKEN = ['role', 'content', 'refusal', 'tool_calls', 'function_call', 'images', ...THOUGHTS, ...OPAQUE];

function readAssistant(message: JsonObject, place: string, position: number, reading: Reading): Message {
  const { refusal, audio } = message;
  const images = listOf(message['images']).map((image) => (isJsonObject(image) ? readImage(image) : null));
  const areImages = images.every((image) => image !== null);
  const audioId = isJsonObject(audio) && Object.keys(audio).length === 1 ? audio['id'] : null;
  const parts: Part[] = [
    ...readReasoning(message),
    ...readContent(message['content'], place, reading),
    ...(typeof refusal === 'string' && refusal !== '' ? [{ type: 'refusal', text: refusal } as const] : []),
    ...(areImages ? images : []),
    ...(typeof audioId === 'string'
      ? [{ type: 'audio', source: { kind: 'file_id', id: audioId, issuer: 'openai-chat' } } as const]
      : []),
    ...readCalls(message, place, position, reading),
  ];
  const spoken = areImages ? SPOKEN : SPOKEN.filter((name) => name !== 'images');
  const isHeard = typeof audioId === 'string' || audio === null;
  return { role: 'assistant', ...marked(message, parts, isHeard ? [...spoken, 'audio'] : spoken) };
}

/** What is shown of reasoning and what only its provider can read are one part. */
function readReasoning(message: JsonObject): readonly ReasoningPart[] {
  const { text, name, isSummary } = readThoughts(message);
  const opaque = OPAQUE.filter((member) => message[member] != null).map((member) => [member, message[member]] as const);
  const members = [...(name === null ? [] : [[name, null] as const]), ...opaque];
  const state = stateOf(Object.fromEntries(members) as JsonObject);
  if (state === null) return [];
  return [{ type: 'reasoning', ...(isSummary ? { text: '', summary: [text] } : { text }), state }];
}

/** None at all are an empty object. */
const inputText = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value;
  return value == null ? '{}' : stringifyExact(value);
};

function readCalls(message: JsonObject, place: string, position: number, reading: Reading): readonly Part[] {
  const parts = listOf(message['tool_calls']).flatMap((call, at) => {
    const part = isJsonObject(call) ? readCall(call) : null;
    if (part === null) refuse(reading, `${place}.tool_calls[${at}]`, 'be a call with a name');
    if (part?.type === 'tool_call') reading.calls.set(part.id, part);
    return part === null ? [] : [part];
  });
  const fn = message['function_call'];
  if (!isJsonObject(fn) || typeof fn['name'] !== 'string') return parts;
  const input = inputText(fn['arguments']);
  // The older form has one call at a time, and no ids.
  const call = { type: 'tool_call', kind: 'function', id: `call_legacy_${position}`, name: fn['name'], input } as const;
  reading.legacy = call;
  reading.calls.set(call.id, call);
  return [...parts, call];
}

const CALL_TYPES = { function: 'arguments', custom: 'input' } as const;

function readCall(call: JsonObject): Part | null {
  const kind = call['type'] === 'custom' || (call['type'] === undefined && 'custom' in call) ? 'custom' : 'function';
  const tool = call[kind];
  if (!isJsonObject(tool) && typeof call['type'] === 'string' && call['type'] !== kind) {
    return { type: 'native', protocol: 'openai-chat', what: call['type'], value: { tool_calls: [call] } };
  }
  if (!isJsonObject(tool) || typeof tool['name'] !== 'string') return null;
  const input = tool[CALL_TYPES[kind]];
  const opaque = CALL_OPAQUE.filter((name) => call[name] != null).map((name) => [name, call[name]] as const);
  const state = callStateOf(Object.fromEntries(opaque) as JsonObject);
  const inner = without(tool, ['name', CALL_TYPES[kind]]);
  return {
    type: 'tool_call',
    kind,
    id: typeof call['id'] === 'string' ? call['id'] : '',
    name: tool['name'],
    input: kind === 'function' ? inputText(input) : typeof input === 'string' ? input : '',
    ...(state === null ? {} : { state }),
    ...common(
      call,
      ['id', 'type', kind, 'index', ...CALL_OPAQUE],
      Object.keys(inner).length === 0 ? {} : { [kind]: inner },
    ),
  } satisfies ToolCallPart;
}

function readResult(message: JsonObject, place: string, reading: Reading): ToolResultPart {
  const told = typeof message['name'] === 'string' ? message['name'] : undefined;
  const isLegacy = message['role'] === 'function' && told === reading.legacy?.name;
  const id = isLegacy ? reading.legacy?.id : message['tool_call_id'];
  if (typeof id !== 'string') refuse(reading, `${place}.tool_call_id`, 'name the call that this is the result of');
  const callId = typeof id === 'string' ? id : '';
  const call = reading.calls.get(callId);
  const name = told ?? call?.name;
  const content = readContent(message['content'], place, reading).flatMap((part) => {
    if (part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'audio') return [part];
    refuse(reading, `${place}.content`, 'hold nothing but texts and files');
    return [];
  });
  return {
    type: 'tool_result',
    kind: call?.kind ?? 'function',
    callId,
    ...(name === undefined ? {} : { name }),
    content,
    ...common(message, ['role', 'content', 'tool_call_id', 'name']),
  };
}
