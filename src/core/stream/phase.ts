import type { FinishReason } from '../model/finish.ts';
import type { ModelSettings } from '../model/settings.ts';

/**
 * Where the answer of one attempt stands, as the client sees it.
 *
 * - `undecided`: nothing has been given out; every frame is held.
 * - `end_undecided`: still nothing, but the held frames are output whose last frame completes a tool call and waits.
 * - `streaming`: committed; frames go through.
 * - `end_held`: committed; a frame that completes a tool call waits for the next data frame.
 * - `finished`: the client has a terminal; only the body's end is open.
 * - `over`: complete, failed or interrupted. Nothing leaves it.
 */
export const PHASES = ['undecided', 'end_undecided', 'streaming', 'end_held', 'finished', 'over'] as const;

export type Phase = (typeof PHASES)[number];

export type StreamState = {
  readonly phase: Phase;
  readonly heldBytes: number;
  readonly heldEvents: number;
  /** Any event of the provider, a ping too. */
  readonly anyEvent: boolean;
  /** An item or block was opened: an error is no clean refusal any more. */
  readonly anyItem: boolean;
  readonly hasOutput: boolean;
  readonly hasReasoning: boolean;
  readonly hasHiddenReasoning: boolean;
  readonly finish: FinishReason | null;
  readonly finishRaw: string | null;
  /** The end mark behind the finish has come. */
  readonly isDone: boolean;
  /** The held tool end is itself a terminal, so that a clean end of the body releases it. */
  readonly heldIsTerminal: boolean;
};

export const START: StreamState = {
  phase: 'undecided',
  heldBytes: 0,
  heldEvents: 0,
  anyEvent: false,
  anyItem: false,
  hasOutput: false,
  hasReasoning: false,
  hasHiddenReasoning: false,
  finish: null,
  finishRaw: null,
  isDone: false,
  heldIsTerminal: false,
};

/** Settings and circumstances of one attempt that the tables ask for. */
export type StreamPolicy = Pick<ModelSettings, 'commitOn' | 'onContentPolicy' | 'holdToolEnd' | 'preflight'> & {
  /**
   * An answer without output is an answer: `onEmpty: accept`, the last route, a turn behind a tool result, a second
   * empty one.
   */
  readonly acceptEmpty: boolean;
};

export const isCommitted = (state: StreamState): boolean =>
  state.phase !== 'undecided' && state.phase !== 'end_undecided';
