import type { CanonicalEvent } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import { type MendList, mend, mintId } from '../shared/mend-list.ts';
import { readBlock, readDelta } from './content.ts';
import { isPlainEnd, readFinish } from './finish.ts';
import { isObject, nonEmpty, type WireBlock, type WireEvent, type WireMessage } from './types.ts';
import { mergeUsage, NO_USAGE, type UsageParts, usageOf } from './usage.ts';
import { errorIn } from './wire-error.ts';

type OpenBlock = {
  /** As the client gets it: blocks are counted from 0, without gaps. */
  readonly index: number;
  /** As the provider wrote it. */
  readonly source: unknown;
  readonly type: string;
};

/** What the events of one answer have said so far. */
export type AnswerState = {
  /** Null before `message_start`. */
  messageId: string | null;
  servedModel: string | null;
  usage: UsageParts;
  /** A `message_delta` has told how many tokens came out; before that, the number is a placeholder. */
  hasOutputCount: boolean;
  readonly open: OpenBlock[];
  /** Blocks begun so far, which is the index that the next one is due. */
  blockCount: number;
  readonly toolIds: Set<string>;
  /** A call that the client is to run has come to its end. */
  hasToolUse: boolean;
  /** Some block has begun, or a delta came: an answer, if an ending comes too. */
  hasContent: boolean;
  finish: { readonly reason: FinishReason; readonly raw: string | null } | null;
  /** A frame went by unread: which blocks are open is not known any more. */
  isBlind: boolean;
  /** Some block has another index than the provider wrote: each of its deltas has to be mended. */
  isRenumbered: boolean;
};

export const startAnswer = (): AnswerState => ({
  messageId: null,
  servedModel: null,
  usage: NO_USAGE,
  hasOutputCount: false,
  open: [],
  blockCount: 0,
  toolIds: new Set(),
  hasToolUse: false,
  hasContent: false,
  finish: null,
  isBlind: false,
  isRenumbered: false,
});

/** One block is open at a time; who opens many without an end has the first ones forgotten. */
const MAX_OPEN = 256;

/** The events of a frame; null: the frame can mean nothing to anybody and is left out. */
export type Inspection = readonly CanonicalEvent[] | null;

type Inspector = (value: WireEvent, state: AnswerState, out: MendList) => Inspection;

const INSPECTORS: Readonly<Record<string, Inspector>> = {
  ping: () => [{ type: 'ping' }],
  message_start: startMessage,
  content_block_start: startBlock,
  content_block_delta: continueBlock,
  content_block_stop: stopBlock,
  message_delta: updateMessage,
};

/**
 * One event of a stream as canonical events; `message_stop` is the decoder's own matter. What has to be mended in its
 * bytes is added to `out`.
 */
export function inspectEvent(value: WireEvent, state: AnswerState, out: MendList): Inspection {
  const error = errorIn(value);
  if (error !== null) return [{ type: 'error', error }];
  const type = nonEmpty(value.type) ?? '';
  const inspect = Object.hasOwn(INSPECTORS, type) ? INSPECTORS[type] : undefined;
  return inspect === undefined ? [{ type: 'in_progress' }] : inspect(value, state, out);
}

function noteUsage(value: unknown, state: AnswerState): CanonicalEvent[] {
  const parts = mergeUsage(state.usage, value);
  if (parts === null) return [];
  state.usage = parts;
  const usage = usageOf(parts);
  return usage === null ? [] : [{ type: 'usage', usage }];
}

/** A second start is a relay's slip while nothing has begun, and the start of another answer behind that. */
function startMessage(value: WireEvent, state: AnswerState): Inspection {
  if (state.messageId !== null) {
    return state.hasContent ? [{ type: 'cut', reason: 'a second answer began inside the first' }] : null;
  }
  const message: WireMessage = isObject<WireMessage>(value.message) ? value.message : {};
  state.messageId = nonEmpty(message.id) ?? '';
  state.servedModel = nonEmpty(message.model);
  const content = Array.isArray(message.content) ? message.content : [];
  return [{ type: 'start' }, ...noteUsage(message.usage, state), ...content.map(readBlock)];
}

function startBlock(value: WireEvent, state: AnswerState, out: MendList): Inspection {
  const block: WireBlock = isObject<WireBlock>(value.content_block) ? value.content_block : {};
  const index = state.isBlind && Number.isInteger(value.index) ? (value.index as number) : state.blockCount;
  state.blockCount = index + 1;
  state.hasContent = true;
  if (state.open.length === MAX_OPEN) state.open.shift();
  state.open.push({ index, source: value.index, type: nonEmpty(block.type) ?? '' });
  if (value.index !== index) {
    state.isRenumbered = true;
    mend(out, 'tool_index_mended', ['index'], { set: String(index) });
  }
  mendToolId(block, ['content_block'], index, state, out);
  return [readBlock(block)];
}

/** A call needs an id of its own, by which its result is told. */
export function mendToolId(
  block: WireBlock,
  path: readonly (string | number)[],
  index: number,
  state: Pick<AnswerState, 'messageId' | 'toolIds'>,
  out: MendList,
): void {
  if (block.type !== 'tool_use') return;
  const given = nonEmpty(block.id);
  const isFree = given !== null && !state.toolIds.has(given);
  const id = isFree ? given : mintId('toolu_', state.messageId ?? '', index, (taken) => state.toolIds.has(taken));
  if (!isFree) mend(out, 'tool_id_mended', [...path, 'id'], { set: JSON.stringify(id) });
  state.toolIds.add(id);
}

/** The open block that an event speaks of: the last one of that index, or simply the last where it names none. */
function findOpen(value: WireEvent, state: AnswerState): OpenBlock | undefined {
  return value.index === undefined
    ? state.open.at(-1)
    : state.open.findLast(({ source, index }) => (source === undefined ? index : source) === value.index);
}

function mendIndex(value: WireEvent, block: OpenBlock | undefined, out: MendList): void {
  if (block === undefined || block.index === value.index) return;
  mend(out, 'tool_index_mended', ['index'], { set: String(block.index) });
}

function continueBlock(value: WireEvent, state: AnswerState, out: MendList): Inspection {
  mendIndex(value, findOpen(value, state), out);
  state.hasContent = true;
  const { delta } = value;
  if (isObject<WireBlock>(delta) && isObject(delta.partial_json)) {
    mend(out, 'tool_arguments_mended', ['delta', 'partial_json'], 'stringify');
  }
  return [readDelta(delta)];
}

/** The stop of a block that never began, or has stopped already, would make client libraries stumble. */
function stopBlock(value: WireEvent, state: AnswerState, out: MendList): Inspection {
  const block = findOpen(value, state);
  if (block === undefined) return state.isBlind ? [{ type: 'empty_delta' }] : null;
  mendIndex(value, block, out);
  state.open.splice(state.open.lastIndexOf(block), 1);
  if (block.type !== 'tool_use') return [{ type: 'empty_delta' }];
  state.hasToolUse = true;
  return [{ type: 'tool_end', terminal: false }];
}

function updateMessage(value: WireEvent, state: AnswerState, out: MendList): Inspection {
  const events = noteUsage(value.usage, state);
  state.hasOutputCount ||= isObject<{ output_tokens?: unknown }>(value.usage) && value.usage.output_tokens != null;
  const { stop_reason: word }: { readonly stop_reason?: unknown } = isObject(value.delta) ? value.delta : {};
  if (word === '') mend(out, 'finish_reason_mended', ['delta', 'stop_reason'], { set: 'null' });
  else if (typeof word === 'string' && state.finish === null) {
    noteStop(word, state, ['delta', 'stop_reason'], out);
    events.push(...finishEvents(state));
  }
  return events.length > 0 ? events : [{ type: 'empty_delta' }];
}

/**
 * Reads a stop reason. That the turn has plainly ended, behind a call for the client, is not what the provider meant.
 */
export function noteStop(
  word: string,
  state: Pick<AnswerState, 'hasToolUse' | 'hasContent' | 'finish'>,
  path: readonly (string | number)[],
  out: MendList,
): void {
  let reason = readFinish(word, state.hasContent);
  if (state.hasToolUse && isPlainEnd(word)) {
    mend(out, 'finish_reason_mended', path, { set: '"tool_use"' });
    reason = 'tool_calls';
  }
  state.finish = { reason, raw: word };
}

export const finishEvents = ({ finish }: Pick<AnswerState, 'finish'>): CanonicalEvent[] =>
  finish === null ? [] : [{ type: 'finish', reason: finish.reason, raw: finish.raw }];

/** The word that a finished answer should have ended with, where it told none. */
export const impliedStop = ({ hasToolUse }: Pick<AnswerState, 'hasToolUse'>): 'tool_use' | 'end_turn' =>
  hasToolUse ? 'tool_use' : 'end_turn';

export const isInToolUse = ({ open }: Pick<AnswerState, 'open'>): boolean =>
  open.some(({ type }) => type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use');
