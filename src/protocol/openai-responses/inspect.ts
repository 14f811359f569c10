import type { ProviderError } from '../../core/failure/signal.ts';
import type { CanonicalEvent, OutputType } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isOutput } from '../../core/stream/commit-table.ts';
import type { MendList } from '../shared/mend-list.ts';
import { hasSubstance, isObject, nonEmpty, own } from '../shared/value.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import { isTerminal, readFinish } from './finish.ts';
import { hasPayload, isClientCall, readItem, readPart, readText, readThing } from './items.ts';
import { mendItem, mendModel, mendOutput } from './mends.ts';
import { sealsIn } from './seal.ts';
import { placeOf, type WireEvent, type WireItem, type WireResponse } from './types.ts';
import { readUsage } from './usage.ts';

/** What the events of one answer have said so far. */
export type AnswerState = {
  readonly renameModel: string | null;
  answerId: string | null;
  servedModel: string | null;
  usage: Usage | null;
  /** Something that a reader sees has come. */
  hasOutput: boolean;
  /** That, or a piece of text of any kind, seen or only counted. */
  hasSpoken: boolean;
  hasCalls: boolean;
  /** Places of the tool calls that are open. */
  readonly openCalls: Set<number>;
  /** The number of the last event; null while none had one. */
  sequence: number | null;
  /** Of conversations in sealed form. */
  readonly seals: string[];
};

export const startAnswer = (renameModel: string | null): AnswerState => ({
  renameModel,
  answerId: null,
  servedModel: null,
  usage: null,
  hasOutput: false,
  hasSpoken: false,
  hasCalls: false,
  openCalls: new Set(),
  sequence: null,
  seals: [],
});

/** More calls than anybody makes at once; one that stays open is enough to know that some are. */
const MAX_OPEN_CALLS = 1024;

export function openCall({ openCalls }: AnswerState, place: number): void {
  if (openCalls.size < MAX_OPEN_CALLS) openCalls.add(place);
}

/** One event as canonical events. `error` and `finish` stand last, and each ends the answer. */
export type Inspection = { readonly events: readonly CanonicalEvent[]; readonly sequence: number | null };

type Context = { readonly state: AnswerState; readonly out: CanonicalEvent[]; readonly mends: MendList };
type Reader = (event: WireEvent, context: Context) => void;

const texts =
  (type: OutputType | 'reasoning', ...names: readonly (keyof WireEvent)[]): Reader =>
  (event, { out }) => {
    for (const name of names) readText(event[name], type, out);
  };

const things =
  (type: OutputType, name: keyof WireEvent): Reader =>
  (event, { out }) =>
    readThing(event[name], type, out);

const says =
  (type: 'start' | 'queued' | 'in_progress' | 'rate_limit_info'): Reader =>
  (_event, { out }) =>
    void out.push({ type });

const part: Reader = (event, { out }) => readPart(event.part, out);

/** A piece of a call's input: the call is open, whether its item was shown or not. */
const piece: Reader = (event, { state, out }) => {
  openCall(state, placeOf(event.output_index));
  out.push({ type: 'tool_fragment' });
};

/** Arguments are text. An object in their place is put into one. */
const fragment: Reader = (event, context) => {
  const { mends } = context;
  for (const name of ['delta', 'arguments'] as const) {
    if (typeof event[name] !== 'object' || event[name] === null) continue;
    mends.mends.push({ path: [name], change: 'stringify' });
    mends.edits.add('tool_arguments_mended');
  }
  piece(event, context);
};

/**
 * What each type of event says, but for the ends of the answer. Done events repeat what the deltas said; where no delta
 * came, they are the first to say it.
 */
const READERS: Readonly<Record<string, Reader>> = {
  'response.created': says('start'),
  'response.queued': says('queued'),
  'response.in_progress': says('in_progress'),
  'response.output_item.added': (event, context) => takeItem(event, context, false),
  'response.output_item.done': (event, context) => takeItem(event, context, true),
  'response.content_part.added': part,
  'response.content_part.done': part,
  'response.output_text.delta': texts('text', 'delta'),
  'response.output_text.done': texts('text', 'text'),
  'response.output_text.annotation.added': things('citation', 'annotation'),
  'response.refusal.delta': texts('refusal', 'delta'),
  'response.refusal.done': texts('refusal', 'refusal'),
  'response.reasoning_summary_part.added': part,
  'response.reasoning_summary_part.done': part,
  'response.reasoning_part.added': part,
  'response.reasoning_part.done': part,
  'response.reasoning_summary_text.delta': texts('reasoning', 'delta'),
  'response.reasoning_summary_text.done': texts('reasoning', 'text'),
  'response.reasoning_summary.delta': texts('reasoning', 'delta', 'text'),
  'response.reasoning_summary.done': texts('reasoning', 'text'),
  'response.reasoning_text.delta': texts('reasoning', 'delta'),
  'response.reasoning_text.done': texts('reasoning', 'text'),
  'response.reasoning.delta': texts('reasoning', 'delta'),
  'response.reasoning.done': texts('reasoning', 'text'),
  'response.audio.delta': things('audio', 'delta'),
  'response.audio.transcript.delta': texts('audio', 'delta'),
  'response.output_audio.delta': things('audio', 'delta'),
  'response.output_audio_transcript.delta': texts('audio', 'delta'),
  'response.function_call_arguments.delta': fragment,
  'response.function_call_arguments.done': fragment,
  'response.custom_tool_call_input.delta': piece,
  'response.custom_tool_call_input.done': piece,
  'response.mcp_call_arguments.delta': piece,
  'response.mcp_call_arguments.done': piece,
  'response.shell_call_command.added': piece,
  'response.shell_call_command.delta': piece,
  'response.shell_call_command.done': piece,
  'codex.rate_limits': says('rate_limit_info'),
};

/** Signs of life, in all their spellings. */
const HEARTBEAT = /^(?:response\.)?(?:ping|keep-?alive|heartbeat)$/;

/** A tool that failed is no answer that failed: the model goes on. */
const OF_A_CALL = /^response\.\w+_(?:call|tools)\./;

/** What one event says. `name` is the event's name on the wire, for events that do not tell their type themselves. */
export function inspectEvent(event: WireEvent, name: string, state: AnswerState, mends: MendList): Inspection {
  const type = nonEmpty(event.type) ?? name;
  const out: CanonicalEvent[] = [];
  const sequence = Number.isSafeInteger(event.sequence_number) ? (event.sequence_number as number) : null;
  if (sequence !== null) state.sequence = sequence;
  const response = isObject<WireResponse>(event.response) ? event.response : null;
  if (response !== null) noteResponse(response, { state, out, mends });
  const error = errorOfEvent(event, type);
  if (error !== null) return { events: [...out, { type: 'error', error }], sequence };
  if (isTerminal(type) && response !== null) readSnapshot(response, { state, out, mends });
  const ending = readFinish(type, event, response, state.hasCalls);
  if (ending !== null) out.push(ending);
  else readBody(type, event, { state, out, mends });
  if (out.some(isOutput)) {
    state.hasOutput = true;
    state.hasSpoken = true;
  }
  return { events: out, sequence };
}

/** An error in place of an event, or beside one. Failed responses are ends, see `readFinish`. */
function errorOfEvent(event: WireEvent, type: string): ProviderError | null {
  if (type === 'error') return errorOf(event);
  if (HEARTBEAT.test(type) || OF_A_CALL.test(type)) return null;
  return isFilled(event.error) || (!type.includes('.') && looksLikeError(event)) ? errorOf(event) : null;
}

function noteResponse(response: WireResponse, { state, out, mends }: Context): void {
  state.answerId ??= nonEmpty(response.id);
  state.servedModel ??= nonEmpty(response.model);
  mendModel(response, ['response'], state.renameModel, mends);
  const usage = readUsage(response.usage);
  if (usage === null) return;
  state.usage = usage;
  out.push({ type: 'usage', usage });
}

/** The output that stands in the last event counts where no event before it showed any. */
function readSnapshot(response: WireResponse, { state, out, mends }: Context): void {
  const items: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
  mendOutput(items, ['response', 'output'], state.answerId, mends);
  if (items.some((item) => isObject<WireItem>(item) && isClientCall(item))) state.hasCalls = true;
  if (!state.hasOutput) for (const item of items) readItem(item, true, out);
}

function takeItem(event: WireEvent, { state, out, mends }: Context, isWhole: boolean): void {
  const place = placeOf(event.output_index);
  mendItem(event.item, ['item'], place, state.answerId, mends);
  readItem(event.item, isWhole, out);
  if (!isObject<WireItem>(event.item)) return;
  const isCall = isClientCall(event.item);
  if (isCall) state.hasCalls = true;
  if (!isWhole && (isCall || event.item.type === 'mcp_call')) openCall(state, place);
  if (!isWhole) return;
  state.seals.push(...sealsIn([event.item]));
  state.openCalls.delete(place);
  if (isCall) out.push({ type: 'tool_end', terminal: false });
}

/** Events of the protocol that no row knows count as content as soon as they carry some; other makers' events never. */
function readBody(type: string, event: WireEvent, context: Context): void {
  const { out } = context;
  const before = out.length;
  const read = own(READERS, type);
  if (read !== undefined) read(event, context);
  else if (HEARTBEAT.test(type)) out.push({ type: 'ping' });
  else if (type.includes('partial_image')) readThing(partialImage(event), 'image', out);
  else if (type.startsWith('response.') && hasPayload(event)) out.push({ type: 'unknown_content' });
  else out.push({ type: type.startsWith('response.') ? 'in_progress' : 'start' });
  if (out.length === before) out.push({ type: 'empty_delta' });
}

const partialImage = (event: WireEvent): unknown =>
  Object.entries(event).find(([name, value]) => name.startsWith('partial_image') && hasSubstance(value))?.[1];
