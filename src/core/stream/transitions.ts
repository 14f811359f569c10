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
 * - `hold_end` / `queue`: keep a tool end / a comment behind it. - `release_end`: give them out. - `discard_end`: drop
 *   them.
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

/**
 * What a step may depend on beside phase and input: a setting, or what waits.
 *
 * - `commit_on_output`: the setting of that name, so that visible reasoning is output.
 * - `policy_goes_on`: `onContentPolicy: next`.
 * - `terminal_held` / `no_terminal_held`: the held tool end is itself the end of the answer, or it is not.
 * - `holds_all`: `holdToolEnd: all`, and what waits is within its bound. - `held_full`: it is beyond it.
 */
export const CONDITIONS = [
  'commit_on_output',
  'policy_goes_on',
  'terminal_held',
  'no_terminal_held',
  'holds_all',
  'held_full',
] as const;

export type Condition = (typeof CONDITIONS)[number];

export type Step = { readonly to: Phase; readonly effects: readonly Effect[] };

/** `instead`: the first of these whose condition holds stands in place of the step. */
export type Transition = Step & { readonly instead: readonly (Step & { readonly when: Condition })[] };

const go = (to: Phase, ...effects: Effect[]): Transition => ({ to, effects, instead: [] });

const unless = (usual: Transition, ...instead: readonly (readonly [when: Condition, step: Step])[]): Transition => ({
  ...usual,
  instead: instead.map(([when, { to, effects }]) => ({ to, effects, when })),
});

const FAILED = go('over', 'fail');
const INTERRUPTED = go('over', 'interrupt');
const CUT_OFF = go('over', 'discard_end', 'interrupt');
const COMPLETE = go('over', 'complete');
const STAY_OVER = go('over', 'leave_out');

const COMMITTED = go('streaming', 'commit', 'write');

// Behind a tool call's end, with nothing given out yet: the next data frame commits, and is stepped behind that.
const FOLLOWED = unless(go('streaming', 'commit', 'again'), ['terminal_held', go('finished', 'commit', 'again')]);
const FOLLOWED_OR_HELD = unless(
  go('streaming', 'commit', 'again'),
  ['holds_all', go('end_undecided', 'hold')],
  ['terminal_held', go('finished', 'commit', 'again')],
);

// The same behind output.
const RELEASED = unless(go('streaming', 'release_end', 'again'), [
  'terminal_held',
  go('finished', 'release_end', 'again'),
]);
const RELEASED_OR_QUEUED = unless(
  go('streaming', 'release_end', 'again'),
  ['holds_all', go('end_held', 'queue')],
  ['terminal_held', go('finished', 'release_end', 'again')],
);

/** Every phase × input. Only `judge_empty` leaves something open, which is asked of the whole answer (`machine.ts`). */
export const TRANSITIONS: { readonly [P in Phase]: { readonly [I in Input]: Transition } } = {
  undecided: {
    preamble: go('undecided', 'hold'),
    comment: go('undecided', 'hold'),
    data: go('undecided', 'hold'),
    output: COMMITTED,
    reasoning: unless(go('undecided', 'hold'), ['commit_on_output', COMMITTED]),
    tool_end: go('end_undecided', 'hold'),
    finish_empty: go('undecided', 'hold'),
    finish_truncated: go('finished', 'commit', 'write'),
    finish_policy: unless(go('finished', 'commit', 'write'), ['policy_goes_on', FAILED]),
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
    preamble: FOLLOWED_OR_HELD,
    comment: unless(go('end_undecided', 'hold'), ['held_full', go('end_undecided', 'leave_out')]),
    data: FOLLOWED_OR_HELD,
    output: FOLLOWED_OR_HELD,
    reasoning: FOLLOWED_OR_HELD,
    tool_end: FOLLOWED_OR_HELD,
    finish_empty: FOLLOWED_OR_HELD,
    finish_truncated: FOLLOWED,
    finish_policy: FOLLOWED,
    finish: FOLLOWED,
    done: go('finished', 'commit', 'write'),
    noise: go('end_undecided', 'leave_out'),
    failure: FAILED,
    bound: go('end_undecided'),
    end: unless(go('over', 'commit', 'complete'), ['no_terminal_held', FAILED]),
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
    preamble: RELEASED_OR_QUEUED,
    comment: unless(go('end_held', 'queue'), ['held_full', go('end_held', 'leave_out')]),
    data: RELEASED_OR_QUEUED,
    output: RELEASED_OR_QUEUED,
    reasoning: RELEASED_OR_QUEUED,
    tool_end: RELEASED_OR_QUEUED,
    finish_empty: RELEASED_OR_QUEUED,
    finish_truncated: RELEASED,
    finish_policy: RELEASED,
    finish: RELEASED,
    done: go('finished', 'release_end', 'write'),
    noise: go('end_held', 'leave_out'),
    failure: CUT_OFF,
    bound: go('end_held'),
    end: unless(go('over', 'release_end', 'complete'), ['no_terminal_held', CUT_OFF]),
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
