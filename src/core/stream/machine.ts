import type { Outcome } from '../failure/outcome.ts';
import type { OwnFault, ProviderError, StreamFault } from '../failure/signal.ts';
import type { CanonicalEvent, Frame } from '../model/event.ts';
import type { Usage } from '../model/usage.ts';
import { commitRow, isOutput, type Verdict } from './commit-table.ts';
import type { StreamPolicy, StreamState } from './phase.ts';
import { type Condition, type Effect, type Input, type Step, TRANSITIONS } from './transitions.ts';

/** What happened to the stream. `usage` is what the provider has reported up to here. */
export type StreamInput =
  | { readonly type: 'frame'; readonly frame: Frame; readonly usage: Usage | null }
  /** The hold buffer is full, and everything that the last read brought has been looked at. */
  | { readonly type: 'bound' }
  /** The body ended: as HTTP wants it, or not. */
  | { readonly type: 'end' | 'cut'; readonly usage: Usage | null }
  /** One of the attempt's clocks ran out. */
  | { readonly type: 'clock' };

/** Why a stream failed. `outside`: the cut or clock that the caller told of; it knows more of it. */
export type StreamCause =
  | { readonly kind: 'error_event'; readonly error: ProviderError }
  | { readonly kind: 'fault'; readonly fault: StreamFault }
  | { readonly kind: 'finish'; readonly reason: string }
  | ({ readonly kind: 'own_fault' } & OwnFault)
  | { readonly kind: 'outside' };

export type StreamStep = {
  readonly state: StreamState;
  readonly effects: readonly Effect[];
  /** Set with `fail` and `interrupt`. */
  readonly cause: StreamCause | null;
};

const OUTSIDE: StreamCause = { kind: 'outside' };

/**
 * One step of the stream machine, by the transition table. Total: every state and
 * input has an answer. Several effects mean: in this order; `again` is resolved here and never comes out.
 */
export function stepStream(state: StreamState, input: StreamInput, policy: StreamPolicy): StreamStep {
  if (input.type === 'frame') return stepFrame(state, input.frame, input.usage, policy);
  const usage = input.type === 'end' || input.type === 'cut' ? input.usage : null;
  const cause = input.type === 'cut' || input.type === 'clock' ? OUTSIDE : endFault(state);
  return settle(state, input.type, usage, cause, policy);
}

function stepFrame(before: StreamState, frame: Frame, usage: Usage | null, policy: StreamPolicy): StreamStep {
  if (frame.events.length === 0 && before.phase === 'streaming') return QUIET(before);
  const state = noteEvents(before, frame);
  const { input, cause } = readFrame(state, frame, policy);
  const step = settle(state, input, usage, cause, policy);
  return { ...step, state: noteHeldEnd(countHeld(step.state, step.effects, frame), frame) };
}

/** Of the frame that waits, and of no other: whether it is itself the end of the answer. */
function noteHeldEnd(state: StreamState, frame: Frame): StreamState {
  if (state.phase !== 'end_held' && state.phase !== 'end_undecided') return state;
  const end = frame.events.find((event) => event.type === 'tool_end');
  return end?.type === 'tool_end' ? { ...state, heldIsTerminal: end.terminal } : state;
}

/** The hot path: nothing decides, nothing changes. */
const WRITE: readonly Effect[] = ['write'];
const QUIET = (state: StreamState): StreamStep => ({ state, effects: WRITE, cause: null });

/** What the events of a frame add to the state, whatever becomes of the frame. */
function noteEvents(state: StreamState, frame: Frame): StreamState {
  let next = state;
  for (const event of frame.events) next = noteEvent(next, event);
  return next.anyEvent ? next : { ...next, anyEvent: true };
}

function noteEvent(state: StreamState, event: CanonicalEvent): StreamState {
  switch (event.type) {
    case 'finish':
      return state.finish === null ? { ...state, finish: event.reason, finishRaw: event.raw } : state;
    case 'done':
      return { ...state, isDone: true };
    case 'tool_end':
      return { ...state, hasOutput: true, anyItem: true };
    case 'reasoning':
      return { ...state, hasReasoning: true, anyItem: true };
    case 'reasoning_opaque':
    case 'reasoning_open':
      return { ...state, hasHiddenReasoning: true, anyItem: true };
    case 'block_open':
    case 'tool_fragment':
      return { ...state, anyItem: true };
    default:
      return isOutput(event) ? { ...state, hasOutput: true, anyItem: true } : state;
  }
}

type Read = { readonly input: Input; readonly cause: StreamCause | null };

/** Most decisive first: a frame that says several things is stepped by the first of these. */
const DECISIVE: readonly Verdict[] = [
  'fail',
  'wait',
  'end',
  'truncated',
  'policy',
  'empty',
  'commit',
  'commit_reasoning',
  'leave_out',
  'hold',
];

function readFrame(state: StreamState, frame: Frame, policy: StreamPolicy): Read {
  if (frame.events.length === 0) return { input: 'data', cause: null };
  let best: CanonicalEvent | null = null;
  let place = DECISIVE.length;
  for (const event of frame.events) {
    const verdict = commitRow(event.type, event.type === 'finish' ? event.reason : null).verdict;
    if (verdict === 'wait' && policy.holdToolEnd === false) continue;
    const at = DECISIVE.indexOf(verdict);
    if (at < place) [best, place] = [event, at];
  }
  if (best === null) return { input: 'output', cause: null };
  return { input: INPUT_OF[DECISIVE[place] ?? 'hold'](state, best, frame), cause: causeOf(best) };
}

/** From the verdict of the commit table to the machine's input. A finish behind output is just a finish. */
const INPUT_OF: { readonly [V in Verdict]: (state: StreamState, event: CanonicalEvent, frame: Frame) => Input } = {
  fail: () => 'failure',
  wait: () => 'tool_end',
  end: () => 'done',
  truncated: (state) => (state.hasOutput ? 'finish' : 'finish_truncated'),
  policy: (state) => (state.hasOutput ? 'finish' : 'finish_policy'),
  empty: (state) => (state.hasOutput ? 'finish' : 'finish_empty'),
  commit: () => 'output',
  commit_reasoning: () => 'reasoning',
  leave_out: () => 'noise',
  hold: (_state, _event, frame) => (frame.events.every(isComment) ? 'comment' : 'preamble'),
};

const isComment = (event: CanonicalEvent): boolean => event.type === 'comment' || event.type === 'ping';

function causeOf(event: CanonicalEvent): StreamCause | null {
  switch (event.type) {
    case 'error':
      return { kind: 'error_event', error: event.error };
    case 'malformed':
      return { kind: 'fault', fault: 'malformed' };
    case 'cut':
      return { kind: 'fault', fault: 'incomplete' };
    case 'own_fault':
      return { kind: 'own_fault', words: event.words, at: event.at };
    case 'finish':
      // Providers dress the word for a broken call in words of their own; the decoder has seen through them.
      return { kind: 'finish', reason: event.reason === 'bad_generation' ? event.reason : (event.raw ?? event.reason) };
    default:
      return null;
  }
}

const endFault = (state: StreamState): StreamCause => ({
  kind: 'fault',
  fault: state.anyEvent ? 'incomplete' : 'empty',
});

/** Takes the table's step and follows `again`. */
function settle(
  state: StreamState,
  input: Input,
  usage: Usage | null,
  cause: StreamCause | null,
  policy: StreamPolicy,
): StreamStep {
  const chosen = chooseStep(state, input, policy);
  const moved: StreamState = { ...state, phase: chosen.to };
  if (chosen.effects.includes('judge_empty')) return judgeEmpty(state, chosen.effects, input, usage, cause, policy);
  if (chosen.effects.includes('again')) {
    const rest = settle(moved, input, usage, cause, policy);
    return { ...rest, effects: [...chosen.effects.filter((effect) => effect !== 'again'), ...rest.effects] };
  }
  const isOver = chosen.effects.includes('fail') || chosen.effects.includes('interrupt');
  return { state: moved, effects: chosen.effects, cause: isOver ? (cause ?? endFault(state)) : null };
}

function chooseStep(state: StreamState, input: Input, policy: StreamPolicy): Step {
  const usual = TRANSITIONS[state.phase][input];
  return usual.instead.find(({ when }) => HOLDS[when](state, policy)) ?? usual;
}

/** What may wait behind a tool call's end. */
const heldBound = ({ preflight }: StreamPolicy): number => Math.min(preflight.maxBytes, 1024 * 1024);

const isHeldFull = (state: StreamState, policy: StreamPolicy): boolean => state.heldBytes > heldBound(policy);

const HOLDS: { readonly [C in Condition]: (state: StreamState, policy: StreamPolicy) => boolean } = {
  commit_on_output: (_state, { commitOn }) => commitOn === 'output',
  policy_goes_on: (_state, { onContentPolicy }) => onContentPolicy === 'next',
  terminal_held: ({ heldIsTerminal }) => heldIsTerminal,
  no_terminal_held: ({ heldIsTerminal }) => !heldIsTerminal,
  holds_all: (state, policy) => policy.holdToolEnd === 'all' && !isHeldFull(state, policy),
  held_full: isHeldFull,
};

/** The end of an answer of which nothing was given out: an empty one, or none at all. */
function judgeEmpty(
  state: StreamState,
  effects: readonly Effect[],
  input: Input,
  usage: Usage | null,
  cause: StreamCause | null,
  policy: StreamPolicy,
): StreamStep {
  const isAnswer = state.finish !== null || state.isDone;
  const held = effects.filter((effect) => effect !== 'judge_empty');
  if (!isAnswer) return { state: { ...state, phase: 'over' }, effects: ['fail'], cause: cause ?? endFault(state) };
  if (!policy.acceptEmpty && !hasHiddenOutput(state, usage)) {
    return { state: { ...state, phase: 'over' }, effects: ['fail'], cause: { kind: 'fault', fault: 'no_output' } };
  }
  return input === 'done'
    ? { state: { ...state, phase: 'finished' }, effects: [...held, 'commit'], cause: null }
    : { state: { ...state, phase: 'over' }, effects: [...held, 'commit', 'complete'], cause: null };
}

/** Tokens were spent that nothing shows and no reasoning explains: the model has spoken where we can't hear it. */
function hasHiddenOutput(state: StreamState, usage: Usage | null): boolean {
  if (state.hasReasoning || state.hasHiddenReasoning) return false;
  return (usage?.outputTokens ?? 0) > (usage?.reasoningTokens ?? 0);
}

/** Bytes and events that wait, for the bounds. */
function countHeld(state: StreamState, effects: readonly Effect[], frame: Frame): StreamState {
  const isKept = effects.some((effect) => effect === 'hold' || effect === 'hold_end' || effect === 'queue');
  const isGivenOut = effects.some(
    (effect) => effect === 'commit' || effect === 'release_end' || effect === 'discard_end',
  );
  const base = isGivenOut ? { heldBytes: 0, heldEvents: 0 } : state;
  if (!isKept) return isGivenOut ? { ...state, ...base } : state;
  return { ...state, heldBytes: base.heldBytes + frame.bytes.length, heldEvents: base.heldEvents + frame.count };
}

/** The hold buffer has reached one of its bounds. To be asked when all frames of a read were stepped. */
export const isFull = (state: StreamState, { preflight }: StreamPolicy): boolean =>
  state.phase === 'undecided' && (state.heldBytes >= preflight.maxBytes || state.heldEvents >= preflight.maxEvents);

/** The outcome of a complete answer, by its finish. */
export function completeOutcome(state: StreamState): Outcome {
  if (state.finish === 'length') return 'ok_truncated';
  if (state.finish !== 'content_filter' && state.finish !== 'refusal') return 'ok';
  return state.hasOutput ? 'ok_filtered' : 'refused';
}
