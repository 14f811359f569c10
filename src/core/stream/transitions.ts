import type { Phase } from './phase.ts';

/**
 * What one step of a stream is about: a frame, boiled down to the most decisive thing that it says, or the way in which
 * the body ended.
 */
export const INPUTS = [
  'preamble',
  'comment',
  'data',
  'output',
  'reasoning',
  'tool_end',
  'finish_empty',
  'finish_truncated',
  'finish_policy',
  'finish',
  'done',
  'noise',
  'failure',
  'bound',
  'end',
  'cut',
  'clock',
] as const;

export type Input = (typeof INPUTS)[number];

/**
 * What is to be done, as data. The pump performs them in order.
 *
 * - `hold`: keep the frame. - `commit`: give out what is held; from here on the answer is this attempt's.
 * - `write`: give the frame out. - `leave_out`: drop the frame.
 * - `hold_end` / `queue`: keep a tool end / a comment behind it. - `release_end`: give them out. - `discard_end`: drop them.
 * - `fail`: the attempt is over and another may follow. - `interrupt`: over, and the client must be told in the stream.
 * - `complete`: over, the answer is whole. - `judge_empty`: a finish without output has to be judged.
 * - `again`: the frame is stepped once more, in the phase that the effects before led to.
 */
export type Effect =
  | 'hold'
  | 'commit'
  | 'write'
  | 'leave_out'
  | 'hold_end'
  | 'queue'
  | 'release_end'
  | 'discard_end'
  | 'fail'
  | 'interrupt'
  | 'complete'
  | 'judge_empty'
  | 'again';

export type Transition = { readonly to: Phase; readonly effects: readonly Effect[] };

const go = (to: Phase, ...effects: Effect[]): Transition => ({ to, effects });

const FAILED = go('over', 'fail');
const INTERRUPTED = go('over', 'interrupt');
const CUT_OFF = go('over', 'discard_end', 'interrupt');
const COMPLETE = go('over', 'complete');
const STAY_OVER = go('over', 'leave_out');

/** Every phase × input. Where a row says `judge_empty`, or `hold` for reasoning, settings decide further (`machine.ts`). */
export const TRANSITIONS: { readonly [P in Phase]: { readonly [I in Input]: Transition } } = {
  undecided: {
    preamble: go('undecided', 'hold'),
    comment: go('undecided', 'hold'),
    data: go('undecided', 'hold'),
    output: go('streaming', 'commit', 'write'),
    reasoning: go('undecided', 'hold'),
    tool_end: go('end_undecided', 'hold'),
    finish_empty: go('undecided', 'hold'),
    finish_truncated: go('finished', 'commit', 'write'),
    finish_policy: go('finished', 'commit', 'write'),
    finish: go('finished', 'commit', 'write'),
    done: go('undecided', 'hold', 'judge_empty'),
    noise: go('undecided', 'leave_out'),
    failure: FAILED,
    bound: go('streaming', 'commit'),
    end: go('undecided', 'judge_empty'),
    cut: go('undecided', 'judge_empty'),
    clock: FAILED,
  },
  end_undecided: {
    preamble: go('streaming', 'commit', 'again'),
    comment: go('end_undecided', 'hold'),
    data: go('streaming', 'commit', 'again'),
    output: go('streaming', 'commit', 'again'),
    reasoning: go('streaming', 'commit', 'again'),
    tool_end: go('streaming', 'commit', 'again'),
    finish_empty: go('streaming', 'commit', 'again'),
    finish_truncated: go('streaming', 'commit', 'again'),
    finish_policy: go('streaming', 'commit', 'again'),
    finish: go('streaming', 'commit', 'again'),
    done: go('finished', 'commit', 'write'),
    noise: go('end_undecided', 'leave_out'),
    failure: FAILED,
    bound: go('end_undecided'),
    end: go('over', 'commit', 'complete'),
    cut: FAILED,
    clock: FAILED,
  },
  streaming: {
    preamble: go('streaming', 'write'),
    comment: go('streaming', 'write'),
    data: go('streaming', 'write'),
    output: go('streaming', 'write'),
    reasoning: go('streaming', 'write'),
    tool_end: go('end_held', 'hold_end'),
    finish_empty: go('finished', 'write'),
    finish_truncated: go('finished', 'write'),
    finish_policy: go('finished', 'write'),
    finish: go('finished', 'write'),
    done: go('finished', 'write'),
    noise: go('streaming', 'leave_out'),
    failure: INTERRUPTED,
    bound: go('streaming'),
    end: INTERRUPTED,
    cut: INTERRUPTED,
    clock: INTERRUPTED,
  },
  end_held: {
    preamble: go('streaming', 'release_end', 'again'),
    comment: go('end_held', 'queue'),
    data: go('streaming', 'release_end', 'again'),
    output: go('streaming', 'release_end', 'again'),
    reasoning: go('streaming', 'release_end', 'again'),
    tool_end: go('streaming', 'release_end', 'again'),
    finish_empty: go('streaming', 'release_end', 'again'),
    finish_truncated: go('streaming', 'release_end', 'again'),
    finish_policy: go('streaming', 'release_end', 'again'),
    finish: go('streaming', 'release_end', 'again'),
    done: go('finished', 'release_end', 'write'),
    noise: go('end_held', 'leave_out'),
    failure: CUT_OFF,
    bound: go('end_held'),
    end: go('over', 'release_end', 'complete'),
    cut: CUT_OFF,
    clock: CUT_OFF,
  },
  finished: {
    preamble: go('finished', 'write'),
    comment: go('finished', 'write'),
    data: go('finished', 'write'),
    output: go('finished', 'write'),
    reasoning: go('finished', 'write'),
    tool_end: go('finished', 'write'),
    finish_empty: go('finished', 'write'),
    finish_truncated: go('finished', 'write'),
    finish_policy: go('finished', 'write'),
    finish: go('finished', 'write'),
    done: go('finished', 'write'),
    noise: go('finished', 'leave_out'),
    failure: COMPLETE,
    bound: go('finished'),
    end: COMPLETE,
    cut: COMPLETE,
    clock: COMPLETE,
  },
  over: {
    preamble: STAY_OVER,
    comment: STAY_OVER,
    data: STAY_OVER,
    output: STAY_OVER,
    reasoning: STAY_OVER,
    tool_end: STAY_OVER,
    finish_empty: STAY_OVER,
    finish_truncated: STAY_OVER,
    finish_policy: STAY_OVER,
    finish: STAY_OVER,
    done: STAY_OVER,
    noise: STAY_OVER,
    failure: STAY_OVER,
    bound: go('over'),
    end: go('over'),
    cut: go('over'),
    clock: go('over'),
  },
};
