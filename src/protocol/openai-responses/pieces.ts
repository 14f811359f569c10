import type { CanonicalEvent, OutputType } from '../../core/model/event.ts';
import { listOf } from '../shared/json-object.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import type { WireItem, WirePart } from './types.ts';

/** An event between the opening of an item and its end, without the item's id and place. */
export type PieceEvent = {
  readonly type: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly events: readonly CanonicalEvent[];
};

/** Texts that an item has as a member: their deltas are named after it. */
const MEMBERS: Readonly<Record<string, readonly [member: 'arguments' | 'input', stem: string]>> = {
  function_call: ['arguments', 'response.function_call_arguments'],
  custom_tool_call: ['input', 'response.custom_tool_call_input'],
  mcp_call: ['arguments', 'response.mcp_call_arguments'],
};

/** The item as it was when nothing of it had been said. */
export function openedItem(item: WireItem): object {
  const name = own(MEMBERS, item.type)?.[0];
  return {
    ...item,
    ...('status' in item ? { status: 'in_progress' } : {}),
    ...(Array.isArray(item.content) ? { content: [] } : {}),
    ...(Array.isArray(item.summary) ? { summary: [] } : {}),
    ...(name === undefined ? {} : { [name]: '' }),
  };
}

/** The item's texts, each opened, said in one piece, and closed. */
export function pieceEvents(item: WireItem): readonly PieceEvent[] {
  const named = own(MEMBERS, item.type);
  if (named !== undefined) return memberEvents(item, named[0], named[1]);
  return [
    ...listOf(item.summary).flatMap((part, at) => partEvents(part, { summary_index: at })),
    ...listOf(item.content).flatMap((part, at) => partEvents(part, { content_index: at })),
  ];
}

function memberEvents(
  item: WireItem & { readonly input?: unknown },
  name: 'arguments' | 'input',
  stem: string,
): PieceEvent[] {
  const text = nonEmpty(item[name]);
  if (text === null) return [];
  const events: readonly CanonicalEvent[] = [{ type: 'tool_fragment' }];
  return [
    { type: `${stem}.delta`, members: { delta: text }, events },
    { type: `${stem}.done`, members: { [name]: text }, events },
  ];
}

/** How the text of each type of part is named: its events, its member, what it is to a reader. */
const PARTS: Readonly<
  Record<string, readonly [stem: string, member: 'text' | 'refusal', means: OutputType | 'reasoning']>
> = {
  output_text: ['response.output_text', 'text', 'text'],
  refusal: ['response.refusal', 'refusal', 'refusal'],
  reasoning_text: ['response.reasoning_text', 'text', 'reasoning'],
  summary_text: ['response.reasoning_summary_text', 'text', 'reasoning'],
};

function partEvents(part: unknown, place: { summary_index: number } | { content_index: number }): PieceEvent[] {
  if (!isObject<WirePart>(part)) return [];
  const stem = 'summary_index' in place ? 'response.reasoning_summary_part' : 'response.content_part';
  const named = own(PARTS, part.type);
  const opened = named === undefined ? part : { ...part, [named[1]]: '', ...emptied(part) };
  const open: PieceEvent = {
    type: `${stem}.added`,
    members: { ...place, part: opened },
    events: [{ type: 'block_open' }],
  };
  const close: PieceEvent = { type: `${stem}.done`, members: { ...place, part }, events: [] };
  return [open, ...(named === undefined ? [] : textEvents(part, place, named)), close];
}

const emptied = (part: WirePart): object => (Array.isArray(part.annotations) ? { annotations: [] } : {});

function textEvents(
  part: WirePart,
  place: object,
  [stem, member, means]: readonly [string, 'text' | 'refusal', OutputType | 'reasoning'],
): PieceEvent[] {
  const text = nonEmpty(part[member]);
  if (text === null) return [];
  const said: CanonicalEvent = text.trim() === '' ? { type: 'blank_text' } : { type: means, text };
  const notes = listOf(part.annotations).map(
    (annotation, at): PieceEvent => ({
      type: `${stem}.annotation.added`,
      members: { ...place, annotation_index: at, annotation },
      events: [{ type: 'citation' }],
    }),
  );
  const logprobs = means === 'text' ? { logprobs: [] } : {};
  return [
    { type: `${stem}.delta`, members: { ...place, delta: text, ...logprobs }, events: [said] },
    ...notes,
    { type: `${stem}.done`, members: { ...place, [member]: text, ...logprobs }, events: [] },
  ];
}
