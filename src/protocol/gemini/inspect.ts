import type { CanonicalEvent } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isOutput } from '../../core/stream/commit-table.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { parseJson } from '../shared/wire-error.ts';
import { isCall, readPart } from './content.ts';
import { finishWord, readBlock, readFinish } from './finish.ts';
import { isObject, nonEmpty, type WireCandidate, type WireChunk, type WireContent } from './types.ts';
import { readUsage } from './usage.ts';
import { errorIn } from './wire-error.ts';

/** As many as may be asked for. An answer with more is no answer of a model. */
const MAX_CANDIDATES = 128;

/** More parts in one chunk than any model writes. */
const MAX_PARTS = 20_000;

export type CandidateState = {
  hasOutput: boolean;
  /** A call that the client is to run. */
  hasCall: boolean;
  finish: { readonly reason: FinishReason; readonly raw: string | null } | null;
};

/** What the chunks of one answer have said so far. */
export type AnswerState = {
  readonly asked: number;
  readonly candidates: Map<number, CandidateState>;
  usage: Usage | null;
  answerId: string | null;
  servedModel: string | null;
  /** The event `finish` has been given. */
  isFinished: boolean;
};

export const startAnswer = (asked: number): AnswerState => ({
  asked,
  candidates: new Map(),
  usage: null,
  answerId: null,
  servedModel: null,
  isFinished: false,
});

export function candidateOf(state: AnswerState, index: unknown): CandidateState {
  const key = Number.isInteger(index) ? (index as number) : 0;
  const known = state.candidates.get(key);
  if (known !== undefined) return known;
  const candidate: CandidateState = { hasOutput: false, hasCall: false, finish: null };
  state.candidates.set(key, candidate);
  return candidate;
}

/**
 * One chunk of a stream, or a whole answer, as canonical events, in the order: usage, content, the end of tool calls,
 * finish. What has to be mended in its bytes is added to `out`. A chunk beyond the limits is `malformed` and nothing
 * else.
 */
export function inspectChunk(chunk: WireChunk, state: AnswerState, out: MendList): CanonicalEvent[] {
  const error = errorIn(chunk);
  const events = noteUsage(chunk, state);
  if (error !== null) return [...events, { type: 'error', error }];
  state.answerId ??= nonEmpty(chunk.responseId);
  state.servedModel ??= nonEmpty(chunk.modelVersion);
  const candidates = Array.isArray(chunk.candidates) ? (chunk.candidates as readonly unknown[]) : [];
  const said = inspectCandidates(candidates, state, out);
  if (said === null) return [{ type: 'malformed' }];
  for (const event of said.events) events.push(event);
  noteBlock(chunk, state);
  const finish = state.isFinished || !haveEnded(state) ? [] : finishEvents(state);
  events.push(...toolEnd(state, said.hasCalls, finish.length > 0), ...finish);
  return events.length > 0 ? events : [{ type: candidates.length > 0 ? 'empty_delta' : emptyType(chunk) }];
}

type Said = { readonly events: readonly CanonicalEvent[]; readonly hasCalls: boolean };

/** Null for a chunk beyond the limits. */
function inspectCandidates(candidates: readonly unknown[], state: AnswerState, out: MendList): Said | null {
  if (candidates.length > MAX_CANDIDATES) return null;
  const events: CanonicalEvent[] = [];
  let hasCalls = false;
  for (const [position, wire] of candidates.entries()) {
    if (!isObject<WireCandidate>(wire)) continue;
    const said = inspectCandidate(wire, position, state, out);
    if (said === null) return null;
    hasCalls ||= said.hasCalls;
    for (const event of said.events) events.push(event);
  }
  return { events, hasCalls };
}

const emptyType = ({ promptFeedback }: WireChunk): 'filter_results' | 'in_progress' =>
  promptFeedback === undefined ? 'in_progress' : 'filter_results';

function noteUsage({ usageMetadata }: WireChunk, state: AnswerState): CanonicalEvent[] {
  const usage = readUsage(usageMetadata);
  if (usage === null) return [];
  state.usage = usage;
  return [{ type: 'usage', usage }];
}

/** Null for one beyond the limits. */
function inspectCandidate(wire: WireCandidate, position: number, state: AnswerState, out: MendList): Said | null {
  const candidate = candidateOf(state, wire.index);
  const content: WireContent = isObject<WireContent>(wire.content) ? wire.content : {};
  const parts: readonly unknown[] = Array.isArray(content.parts) ? content.parts : [];
  if (parts.length > MAX_PARTS || state.candidates.size > MAX_CANDIDATES) return null;
  const events = parts.map(readPart);
  const calls = parts.filter(isCall);
  for (const [at, part] of parts.entries()) {
    if (isCall(part)) mendArgs(part.functionCall.args, ['candidates', position, 'content', 'parts', at], out);
  }
  if (isCited(wire)) events.push({ type: 'citation' });
  candidate.hasCall ||= calls.length > 0;
  const word = finishWord(wire.finishReason);
  candidate.hasOutput ||= events.some(isOutput);
  if (word !== null) candidate.finish ??= { reason: readFinish(word, candidate), raw: word };
  return { events, hasCalls: calls.length > 0 };
}

/** Arguments are an object; some write the text of one. */
function mendArgs(args: unknown, path: readonly (string | number)[], out: MendList): void {
  if (typeof args !== 'string') return;
  const text = args.trim() === '' ? '{}' : args;
  if (isObject(parseJson(text))) mend(out, 'tool_arguments_mended', [...path, 'functionCall', 'args'], { set: text });
}

type Cited = { readonly citations?: unknown; readonly groundingChunks?: unknown };

const isCited = ({ citationMetadata, groundingMetadata }: WireCandidate): boolean =>
  [citationMetadata, groundingMetadata].some(
    (value) =>
      isObject<Cited>(value) &&
      [value.citations, value.groundingChunks].some((list) => Array.isArray(list) && list.length > 0),
  );

/** A blocked prompt has no candidates: the reason is the end of the answer. */
function noteBlock({ promptFeedback }: WireChunk, state: AnswerState): void {
  if (!isObject<{ blockReason?: unknown }>(promptFeedback)) return;
  const word = nonEmpty(promptFeedback.blockReason);
  if (word === null || word === 'BLOCKED_REASON_UNSPECIFIED') return;
  candidateOf(state, 0).finish ??= { reason: readBlock(word), raw: word };
  for (let index = state.candidates.size; index < state.asked; index++) {
    candidateOf(state, index).finish ??= { reason: readBlock(word), raw: word };
  }
}

/** As many candidates have ended as were asked for. */
const haveEnded = (state: AnswerState): boolean =>
  [...state.candidates.values()].filter(({ finish }) => finish !== null).length >= state.asked;

/** Fewer candidates came than were asked for, and all of those have ended. */
export const haveAllEnded = ({ candidates }: AnswerState): boolean =>
  candidates.size > 0 && [...candidates.values()].every(({ finish }) => finish !== null);

export const hasCalls = ({ candidates }: AnswerState): boolean =>
  [...candidates.values()].some(({ hasCall }) => hasCall);

const FAILED: ReadonlySet<FinishReason> = new Set(['error', 'bad_generation']);

/** The event of the answer's end. The first candidate that failed speaks for all, else the first. */
export function finishEvents(state: AnswerState): CanonicalEvent[] {
  const finishes = [...state.candidates]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, { finish }]) => (finish === null ? [] : [finish]));
  const finish = finishes.find(({ reason }) => FAILED.has(reason)) ?? finishes[0];
  if (finish === undefined) return [];
  state.isFinished = true;
  return [{ type: 'finish', reason: finish.reason, raw: finish.raw }];
}

/**
 * A call is whole in its chunk: the chunk ends it, and is the answer's end as well where that stands in the same one.
 */
function toolEnd(state: AnswerState, isInChunk: boolean, isTerminal: boolean): CanonicalEvent[] {
  if (!isInChunk) return [];
  const hasFailed = [...state.candidates.values()].some(({ finish }) => finish !== null && FAILED.has(finish.reason));
  return hasFailed ? [] : [{ type: 'tool_end', terminal: isTerminal }];
}
