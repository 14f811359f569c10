import type { Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { stringifyExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { nonEmpty, own } from '../shared/value.ts';
import { extended, ownMembers, restOf } from './members.ts';
import { nativeOf, readContent, readPart } from './part-read.ts';
import { readReasoningState } from './reasoning-state.ts';

/** Reads the items of an input into messages. */
export type ItemsRead = {
  readonly messages: readonly Message[];
  /** Items that only bring tools, with their places in the input. */
  readonly toolItems: readonly { readonly at: number; readonly item: JsonObject }[];
};

type Side = 'assistant' | 'tool';

/** Consecutive items of one side are one message. */
class Turns {
  readonly messages: Message[] = [];
  /** Names of the calls so far, by their ids. */
  readonly names = new Map<string, string>();
  #parts: Part[] | null = null;
  #side: Side | null = null;

  add(side: Side, parts: readonly Part[]): void {
    if (this.#side !== side || this.#parts === null) {
      this.#parts = [];
      this.messages.push({ role: side, parts: this.#parts });
      this.#side = side;
    }
    this.#parts.push(...parts);
  }

  addMessage(message: Message): void {
    this.messages.push(message);
    this.#side = null;
  }

  get last(): Part | undefined {
    return this.#side === 'assistant' ? this.#parts?.at(-1) : undefined;
  }
}

const ROLES = ['system', 'developer', 'user'] as const;

/** Everybody's item is complete if it does not say otherwise. */
const withoutCompleted = (members: JsonObject): JsonObject =>
  members['status'] === 'completed' ? restOf(members, 'status') : members;

const riding = (item: JsonObject, ...known: readonly string[]): JsonObject =>
  withoutCompleted(restOf(item, 'type', ...known));

const isInMessage = (part: Part | undefined): boolean =>
  part !== undefined && (part.type === 'text' || part.type === 'refusal' || ownMembers(part)['$content'] !== undefined);

function readMessage(item: JsonObject, turns: Turns): boolean {
  const parts = readContent(item['content']);
  const role = ROLES.find((word) => word === item['role']);
  if (parts === null) return false;
  const members = riding(item, 'role', 'content');
  if (role !== undefined) {
    turns.addMessage({ role, parts, ...extended(members) });
    return true;
  }
  const [first, ...others] = parts.map(ofAssistant);
  if (item['role'] !== 'assistant' || first === undefined) return false;
  const isMarked = Object.keys(members).length > 0 || isInMessage(turns.last);
  const marked = isMarked ? { ...first, ...extended({ ...ownMembers(first), $message: members }) } : first;
  turns.add('assistant', [marked, ...others]);
  return true;
}

/** What a message of the assistant holds beside words is no item. */
const ofAssistant = (part: Part): Part =>
  part.type === 'text' || part.type === 'refusal'
    ? part
    : { ...part, ...extended({ ...ownMembers(part), $content: true }) };

/** The texts of a list of parts of one type; null: there are others. */
function textsOf(list: JsonValue | undefined, type: string): readonly string[] | null {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return null;
  const texts = list.map((part: JsonValue) =>
    isJsonObject(part) && part['type'] === type && Object.keys(part).length === 2 ? part['text'] : null,
  );
  return texts.every((text) => typeof text === 'string') ? texts : null;
}

function readReasoning(item: JsonObject, turns: Turns): boolean {
  const summary = textsOf(item['summary'], 'summary_text');
  const content = textsOf(item['content'], 'reasoning_text');
  if (summary === null || content === null) return false;
  const state = readReasoningState(item['id'], item['encrypted_content']);
  const members = riding(item, 'summary', 'id', 'encrypted_content', ...(content.length > 1 ? [] : ['content']));
  const part: ReasoningPart = {
    type: 'reasoning',
    text: content.join(''),
    ...(summary.length === 0 ? {} : { summary }),
    ...(state === null ? {} : { state }),
    ...extended(members),
  };
  turns.add('assistant', [part]);
  return true;
}

const textOf = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : stringifyExact(value);
};

const readCall =
  (kind: ToolCallPart['kind'], member: 'arguments' | 'input') =>
  (item: JsonObject, turns: Turns): boolean => {
    const id = nonEmpty(item['call_id']) ?? nonEmpty(item['id']) ?? '';
    const name = typeof item['name'] === 'string' ? item['name'] : '';
    const namespace = nonEmpty(item['namespace']);
    turns.names.set(id, name);
    const part: ToolCallPart = {
      type: 'tool_call',
      kind,
      id,
      name,
      ...(namespace === null ? {} : { namespace }),
      input: textOf(item[member]),
      ...extended(riding(item, 'call_id', 'name', 'namespace', member)),
    };
    turns.add('assistant', [part]);
    return true;
  };

/** What a tool gave back. Parts that no other protocol could know are shown as the text that they are. */
function readOutput(output: JsonValue | undefined): ToolResultPart['content'] {
  if (!Array.isArray(output)) return output === undefined ? [] : [{ type: 'text', text: textOf(output) }];
  return output.map((value: JsonValue) => {
    const part = readPart(value);
    if (part.type !== 'native' && part.type !== 'refusal') return part;
    return { type: 'text', text: stringifyExact(value), ...extended({ $part: value }) };
  });
}

const readResult =
  (kind: ToolResultPart['kind']) =>
  (item: JsonObject, turns: Turns): boolean => {
    const callId = typeof item['call_id'] === 'string' ? item['call_id'] : '';
    const known = turns.names.get(callId);
    const name = nonEmpty(item['name']) ?? known;
    const part: ToolResultPart = {
      type: 'tool_result',
      kind,
      callId,
      ...(name === undefined ? {} : { name }),
      content: readOutput(item['output']),
      ...extended(riding(item, 'call_id', 'output')),
    };
    turns.add('tool', [part]);
    return true;
  };

/** Reads an item; false: it has not the form that its type should have. */
const READERS: Readonly<Record<string, (item: JsonObject, turns: Turns) => boolean>> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readCall('function', 'arguments'),
  custom_tool_call: readCall('custom', 'input'),
  function_call_output: readResult('function'),
  custom_tool_call_output: readResult('custom'),
};

/** Items that a client may send without their type. */
function typeOf(item: JsonObject): string {
  const type = nonEmpty(item['type']);
  if (type !== null) return type;
  if (typeof item['role'] === 'string') return 'message';
  return typeof item['id'] === 'string' ? 'item_reference' : 'unknown';
}

const sideOf = (type: string): Side =>
  type.endsWith('_output') || type === 'mcp_approval_response' ? 'tool' : 'assistant';

/** The input as messages: all of the assistant's items up to the next of somebody else are one, results as well. */
export function readItems(items: readonly JsonObject[]): ItemsRead {
  const turns = new Turns();
  const toolItems: { at: number; item: JsonObject }[] = [];
  for (const [at, item] of items.entries()) {
    const type = typeOf(item);
    if (type === 'additional_tools' && Array.isArray(item['tools']) && item['tools'].length > 0) {
      toolItems.push({ at, item });
      continue;
    }
    if (own(READERS, type)?.(item, turns) !== true) turns.add(sideOf(type), [nativeOf(item, type)]);
  }
  return { messages: turns.messages, toolItems };
}
