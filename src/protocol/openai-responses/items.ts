import type { CanonicalEvent, OutputType } from '../../core/model/event.ts';
import { listOf } from '../shared/json-object.ts';
import { hasSubstance, isObject, nonEmpty, own } from '../shared/value.ts';
import type { WireItem, WirePart } from './types.ts';

type Out = CanonicalEvent[];

/** Text that a reader sees, or blanks; an empty text says nothing. */
export function readText(value: unknown, type: OutputType | 'reasoning', out: Out): void {
  if (typeof value !== 'string' || value === '') return;
  out.push(value.trim() === '' ? { type: 'blank_text' } : { type, text: value });
}

export function readThing(value: unknown, type: OutputType, out: Out): void {
  if (hasSubstance(value)) out.push({ type });
}

/** Parts of a message, by their type. */
const PART_READERS: Readonly<Record<string, (part: WirePart, out: Out) => void>> = {
  output_text(part, out) {
    readText(part.text, 'text', out);
    readThing(part.annotations, 'citation', out);
  },
  text: (part, out) => readText(part.text, 'text', out),
  refusal: (part, out) => readText(part.refusal ?? part.text, 'refusal', out),
  reasoning_text: (part, out) => readText(part.text, 'reasoning', out),
  summary_text: (part, out) => readText(part.text, 'reasoning', out),
  output_audio: (part, out) => readPayload(part, 'audio', out),
  output_image: (part, out) => readPayload(part, 'image', out),
};

/** Members that say nothing to a reader of the answer, whatever they hold. */
const QUIET: ReadonlySet<string> = new Set([
  'type',
  'id',
  'object',
  'status',
  'role',
  'phase',
  'call_id',
  'item_id',
  'response_id',
  'container_id',
  'server_label',
  'created_by',
  'caller',
  'execution',
  'format',
  'output_format',
  'obfuscation',
  'event_id',
  'stream_id',
  'metadata',
  'response',
]);

/** Something beside ids and states: what a reader could miss. */
export const hasPayload = (value: object): boolean =>
  Object.entries(value).some(([name, member]) => !QUIET.has(name) && hasSubstance(member));

function readPayload(value: object, type: OutputType, out: Out): void {
  if (hasPayload(value)) out.push({ type });
}

/** The events of one part; one that holds nothing yet is an opened block. */
export function readPart(part: unknown, out: Out): void {
  if (!isObject<WirePart>(part)) return;
  const before = out.length;
  const read = own(PART_READERS, part.type);
  if (read !== undefined) read(part, out);
  else readPayload(part, 'unknown_content', out);
  if (out.length === before) out.push({ type: 'block_open' });
}

/**
 * Does the client have to act on this item? Kinds that have no name here yet are known by the id under which a result
 * is awaited. Searches for tools may run on either side.
 */
export function isClientCall(item: WireItem): boolean {
  const type = nonEmpty(item.type) ?? '';
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_approval_request') return true;
  return type.endsWith('_call') && nonEmpty(item.call_id) !== null && item.execution !== 'server';
}

const openWhenBare = (type: OutputType) => (item: WireItem, isWhole: boolean, out: Out) => {
  if (isWhole) readPayload(item, type, out);
};

/** Items that no client acts on, by their type. `isWhole`: the item is done, not only opened. */
const ITEM_READERS: Readonly<Record<string, (item: WireItem, isWhole: boolean, out: Out) => void>> = {
  message(item, _isWhole, out) {
    for (const part of listOf(item.content)) readPart(part, out);
  },
  reasoning: readReasoningItem,
  compaction: (_item, _isWhole, out) => void out.push({ type: 'reasoning_opaque' }),
  // What is being searched for is worth reading once it was found; until then another provider can search as well.
  web_search_call: openWhenBare('unknown_content'),
  file_search_call: openWhenBare('unknown_content'),
  tool_search_call: openWhenBare('unknown_content'),
  image_generation_call: (item, _isWhole, out) => readThing(item.result, 'image', out),
  mcp_call: (item, _isWhole, out) =>
    void out.push({ type: nonEmpty(item.name) === null ? 'tool_fragment' : 'tool_call' }),
  mcp_list_tools: () => {},
  additional_tools: () => {},
};

/** The events of one item of the output, its end left out; one that holds nothing yet is an opened block. */
export function readItem(item: unknown, isWhole: boolean, out: Out): void {
  if (!isObject<WireItem>(item)) return;
  const before = out.length;
  const type = nonEmpty(item.type) ?? '';
  const read = own(ITEM_READERS, type);
  if (isClientCall(item)) out.push({ type: isNamed(type, item) ? 'tool_call' : 'tool_fragment' });
  else if (read !== undefined) read(item, isWhole, out);
  else readPayload(item, 'unknown_content', out);
  if (out.length === before) out.push({ type: 'block_open' });
}

/** Calls of tools that are one of a kind are named by their type. */
const isNamed = (type: string, item: WireItem): boolean =>
  (type !== 'function_call' && type !== 'custom_tool_call') || nonEmpty(item.name) !== null;

function readReasoningItem(item: WireItem, _isWhole: boolean, out: Out): void {
  for (const part of [...listOf(item.summary), ...listOf(item.content)]) {
    const text = isObject<WirePart>(part) ? part.text : part;
    readText(text, 'reasoning', out);
  }
  if (hasSubstance(item.encrypted_content)) out.push({ type: 'reasoning_opaque' });
  else out.push({ type: 'reasoning_open' });
}
