import type { CanonicalEvent } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isOutput } from '../../core/stream/commit-table.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { CallBook } from './call-book.ts';
import { readMessage } from './content.ts';
import { readFinish } from './finish.ts';
import { type FunctionCall, followFunctionCall, openFunctionCall } from './function-call.ts';
import { followToolCalls } from './tool-calls.ts';
import { isObject, nonEmpty, type WireChoice, type WireChunk, type WireFunction, type WireMessage } from './types.ts';
import { readUsage } from './usage.ts';
import { errorIn } from './wire-error.ts';

/** As many as may be asked for. An answer with more is no answer of a model. */
export const MAX_CHOICES = 128;

export type ChoiceState = {
  hasOutput: boolean;
  readonly calls: CallBook;
  readonly call: FunctionCall;
  finish: { readonly reason: FinishReason; readonly raw: string | null } | null;
};

/** What the chunks of one answer have said so far. */
export type AnswerState = {
  readonly choicesAsked: number;
  readonly choices: Map<number, ChoiceState>;
  usage: Usage | null;
  /** The event `finish` has been given. */
  isFinished: boolean;
  /** Members that a chunk of our own has to repeat. */
  head: { readonly id: unknown; readonly created: unknown; readonly model: unknown } | null;
};

export const startAnswer = (choicesAsked: number): AnswerState => ({
  choicesAsked,
  choices: new Map(),
  usage: null,
  isFinished: false,
  head: null,
});

export type Inspection = {
  readonly events: readonly CanonicalEvent[];
  /** Nothing but usage: to be left out where the client did not ask for it. */
  readonly isUsageOnly: boolean;
};

/**
 * One chunk of a stream as canonical events, in the order: usage, content and tool calls, the end of tool calls,
 * finish. What has to be mended in its bytes is added to `out`. A chunk beyond the limits (`MAX_CHOICES`, `MAX_CALLS`,
 * `MAX_PARTS`) is `malformed` and nothing else.
 */
export function inspectChunk(chunk: WireChunk, state: AnswerState, out: MendList): Inspection {
  const events: CanonicalEvent[] = [];
  const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
  const hasUsage = noteUsage(chunk, choices, state, events);
  const error = errorIn(chunk);
  if (error !== null) return { events: [...events, { type: 'error', error }], isUsageOnly: false };
  noteHead(chunk, state);
  for (const [position, choice] of choices.entries()) {
    if (!isObject<WireChoice>(choice)) continue;
    const said = position < MAX_CHOICES ? inspectChoice(choice, position, state, out) : null;
    if (said === null) return { events: [{ type: 'malformed' }], isUsageOnly: false };
    for (const event of said) events.push(event);
  }
  for (const event of closeAnswer(state, choices)) events.push(event);
  if (events.length === 0) events.push(out.edits.has('noise_left_out') ? { type: 'noise' } : emptyEvent(chunk));
  return { events, isUsageOnly: hasUsage && choices.length === 0 };
}

function noteHead(chunk: WireChunk, state: AnswerState): void {
  const isBetter = state.head === null || (nonEmpty(state.head.id) === null && nonEmpty(chunk.id) !== null);
  if (isBetter) state.head = { id: chunk.id, created: chunk.created, model: chunk.model };
}

function noteUsage(
  chunk: WireChunk,
  choices: readonly unknown[],
  state: AnswerState,
  events: CanonicalEvent[],
): boolean {
  const places: unknown[] = [chunk.usage];
  if (isObject<{ usage?: unknown }>(chunk.x_groq)) places.push(chunk.x_groq.usage);
  for (const choice of choices) if (isObject<WireChoice>(choice)) places.push(choice.usage);
  for (const place of places) {
    const usage = readUsage(place);
    if (usage === null) continue;
    state.usage = usage;
    events.push({ type: 'usage', usage });
    return place === chunk.usage;
  }
  return false;
}

/** A chunk that says nothing of the answer. */
function emptyEvent(chunk: WireChunk): CanonicalEvent {
  if (chunk.type === 'ping') return { type: 'ping' };
  if (chunk.prompt_filter_results != null) return { type: 'filter_results' };
  return { type: Array.isArray(chunk.choices) && chunk.choices.length > 0 ? 'empty_delta' : 'start' };
}

export function choiceOf(state: AnswerState, index: unknown): ChoiceState {
  const key = Number.isInteger(index) ? (index as number) : 0;
  const known = state.choices.get(key);
  if (known !== undefined) return known;
  const choice: ChoiceState = {
    hasOutput: false,
    calls: new CallBook(),
    call: openFunctionCall(),
    finish: null,
  };
  state.choices.set(key, choice);
  return choice;
}

/** Null for one beyond the limits. */
function inspectChoice(wire: WireChoice, position: number, state: AnswerState, out: MendList): CanonicalEvent[] | null {
  const choice = choiceOf(state, wire.index);
  const path = ['choices', position];
  const delta: WireMessage = isObject<WireMessage>(wire.delta) ? wire.delta : {};
  const events = readMessage(delta);
  if (events === null || state.choices.size > MAX_CHOICES) return null;
  if (Array.isArray(delta.tool_calls)) {
    const seed = JSON.stringify([state.head?.id, state.head?.created, wire.index]);
    const said = followToolCalls(choice.calls, delta.tool_calls, [...path, 'delta', 'tool_calls'], seed, out);
    if (said === null) return null;
    for (const event of said) events.push(event);
  }
  if (isObject<WireFunction>(delta.function_call)) {
    const said = followFunctionCall(choice.call, delta.function_call, [...path, 'delta', 'function_call'], out);
    if (said !== null) events.push(said);
  }
  if (events.some(isOutput)) choice.hasOutput = true;
  if (events.length === 0 && hasFilter(wire)) events.push({ type: 'filter_results' });
  noteFinish(choice, wire.finish_reason, [...path, 'finish_reason'], out);
  return events;
}

const hasFilter = (wire: WireChoice): boolean =>
  isObject(wire.content_filter_results) && Object.keys(wire.content_filter_results).length > 0;

/** Words that say that an answer is whole; those that nobody knows are taken for one. */
const WHOLE: ReadonlySet<FinishReason> = new Set(['stop', 'tool_calls', 'unknown']);

/**
 * Reads a finish reason. An empty one is none; `stop` behind a tool call is not what the provider meant, and neither are
 * tool calls that were left out. A call that has no name by then never gets one, and nobody can run it.
 */
export function noteFinish(
  choice: ChoiceState,
  word: unknown,
  path: readonly (string | number)[],
  out: MendList,
): void {
  if (typeof word !== 'string') return;
  if (word === '') {
    mend(out, 'finish_reason_mended', path, { set: 'null' });
    return;
  }
  let reason = readFinish(word, choice.hasOutput);
  const meant = wordMeant(choice, reason, word);
  if (meant !== null) {
    mend(out, 'finish_reason_mended', path, { set: JSON.stringify(meant) });
    reason = meant === 'stop' ? 'stop' : 'tool_calls';
  }
  if (WHOLE.has(reason) && hasNameless(choice)) reason = 'bad_generation';
  choice.finish ??= { reason, raw: word };
}

/** The word that the calls of a choice contradict the provider's with. Null where its own stands. */
function wordMeant(choice: ChoiceState, reason: FinishReason, word: string): 'stop' | CallWord | null {
  const isLeftOut = reason === 'tool_calls' && hasSilent(choice);
  if (reason !== 'stop' && !isLeftOut) return null;
  const calls = wordForCalls(choice, true);
  if (calls === 'broken') return null;
  if (reason === 'stop' || calls === null) return calls ?? (isLeftOut ? 'stop' : null);
  return (word.toLowerCase() === 'function_call') === (calls === 'function_call') ? null : calls;
}

const hasSilent = ({ calls, call }: ChoiceState): boolean => calls.silent.size > 0 || call.silent.size > 0;

/** A call without name and arguments breaks nothing but an answer that has nothing else: then it was to be the answer. */
const hasNameless = (choice: ChoiceState): boolean =>
  choice.calls.hasNameless ||
  choice.call.silent.hasHalves ||
  (choice.call.name === '' && !choice.call.args.isBlank) ||
  (hasSilent(choice) && !choice.hasOutput);

type CallWord = 'tool_calls' | 'function_call';

/**
 * The word that the calls of a choice ask for; null without any; `broken` when arguments do not parse, or have nobody whom
 * they are for.
 */
export function wordForCalls(choice: ChoiceState, allowEmpty: boolean): CallWord | 'broken' | null {
  if (hasNameless(choice)) return 'broken';
  if (choice.calls.size > 0) return choice.calls.areWhole(allowEmpty) ? 'tool_calls' : 'broken';
  if (!choice.call.isOpen) return null;
  const { args } = choice.call;
  return args.isWhole || (allowEmpty && args.isBlank) ? 'function_call' : 'broken';
}

export const hasCalls = (choice: ChoiceState): boolean => choice.calls.size > 0 || choice.call.isOpen;

/**
 * The end of the answer, once as many choices have ended as were asked for. A frame that ends some of them ends the
 * tool calls of those and nothing else.
 */
function closeAnswer(state: AnswerState, choices: readonly unknown[]): CanonicalEvent[] {
  if (state.isFinished) return [];
  const ended = [...state.choices.values()].filter((choice) => choice.finish !== null);
  if (ended.length >= state.choicesAsked) return finishEvents(state);
  const endsCalls = choices.some(
    (wire) =>
      isObject<WireChoice>(wire) && nonEmpty(wire.finish_reason) !== null && hasCalls(choiceOf(state, wire.index)),
  );
  return endsCalls ? [{ type: 'tool_end', terminal: false }] : [];
}

const FAILED: ReadonlySet<FinishReason> = new Set(['error', 'bad_generation']);

/** The events of the answer's end. The first choice that failed speaks for all, else the first. */
export function finishEvents(state: AnswerState): CanonicalEvent[] {
  const finishes = [...state.choices]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, { finish }]) => (finish === null ? [] : [finish]));
  const finish = finishes.find(({ reason }) => FAILED.has(reason)) ?? finishes[0];
  if (finish === undefined) return [];
  state.isFinished = true;
  const events: CanonicalEvent[] = [];
  const isFailed = FAILED.has(finish.reason);
  if (!isFailed && [...state.choices.values()].some(hasCalls)) events.push({ type: 'tool_end', terminal: true });
  events.push({ type: 'finish', reason: finish.reason, raw: finish.raw });
  return events;
}
