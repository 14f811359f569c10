import { expect, test } from 'vitest';
import type { CanonicalEvent, Frame } from '../../src/core/model/event.ts';
import type { FinishReason } from '../../src/core/model/finish.ts';
import { UNKNOWN_USAGE, type Usage } from '../../src/core/model/usage.ts';
import { isFull, type StreamInput, type StreamStep, stepStream } from '../../src/core/stream/machine.ts';
import { isCommitted, PHASES, START, type StreamPolicy, type StreamState } from '../../src/core/stream/phase.ts';
import { INPUTS } from '../../src/core/stream/transitions.ts';
import { takeRuns, takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';

type Pick = <T>(from: readonly T[]) => T;

const REASONS: readonly FinishReason[] = [
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'refusal',
  'bad_generation',
  'error',
  'unknown',
];
const ERROR: CanonicalEvent = {
  type: 'error',
  error: { status: 503, code: null, type: 'server_error', param: null, message: 'down' },
};

/** What frames may say, by the input of the machine that they are meant for. */
const FRAMES: Readonly<Record<string, (pick: Pick) => readonly CanonicalEvent[]>> = {
  preamble: (pick) => [
    { type: pick(['start', 'role', 'blank_text', 'empty_delta', 'block_open', 'tool_fragment'] as const) },
  ],
  usage: () => [{ type: 'usage', usage: UNKNOWN_USAGE }],
  comment: (pick) => [{ type: pick(['comment', 'ping'] as const) }],
  data: () => [],
  output: (pick) => [
    { type: pick(['text', 'refusal', 'tool_call', 'image', 'audio', 'citation', 'unknown_content'] as const) },
  ],
  reasoning: () => [{ type: 'reasoning' }],
  hidden: (pick) => [{ type: pick(['reasoning_open', 'reasoning_opaque'] as const) }],
  tool_end: () => [{ type: 'tool_end', terminal: false }],
  tool_end_terminal: () => [
    { type: 'tool_end', terminal: true },
    { type: 'finish', reason: 'tool_calls', raw: 'tool_calls' },
  ],
  text_and_finish: () => [{ type: 'text' }, { type: 'finish', reason: 'stop', raw: 'stop' }],
  finish: (pick) => [{ type: 'finish', reason: pick(REASONS), raw: null }],
  done: () => [{ type: 'done' }],
  noise: () => [{ type: 'noise' }],
  error: () => [ERROR],
  malformed: () => [{ type: 'malformed' }],
  own_fault: () => [{ type: 'own_fault', words: 'TypeError', at: '' }],
  cut: () => [{ type: 'cut', reason: 'arguments do not parse' }],
};

const KINDS = Object.keys(FRAMES);

/** What no client may get before it has a terminal. */
const BROKEN = ['error', 'malformed', 'own_fault'] as const;

function randomPolicy(pick: Pick): StreamPolicy {
  return {
    commitOn: pick(['output', 'answer'] as const),
    onContentPolicy: pick(['stop', 'next'] as const),
    holdToolEnd: pick([true, true, 'all', false] as const),
    acceptEmpty: pick([true, false, false]),
    preflight: { maxBytes: pick([20, 1000]), maxEvents: pick([4, 4096]), maxJson: 1000 },
  };
}

const USAGES: readonly (Usage | null)[] = [
  null,
  { ...UNKNOWN_USAGE, outputTokens: 7, source: 'reported' },
  { ...UNKNOWN_USAGE, outputTokens: 7, reasoningTokens: 7, source: 'reported' },
];

const ENDS = ['bound', 'end', 'body_cut', 'clock'] as const;
const ALL_KINDS = [...KINDS, ...KINDS, ...ENDS];
const SIZES = [1, 5, 9].map((size) => new Uint8Array(size));

type Drawn = { readonly kind: string; readonly input: StreamInput };

function randomInput(pick: Pick, usage: Usage | null): Drawn {
  const kind = pick(ALL_KINDS);
  if (kind === 'bound' || kind === 'clock') return { kind, input: { type: kind } };
  if (kind === 'end') return { kind, input: { type: 'end', usage } };
  if (kind === 'body_cut') return { kind, input: { type: 'cut', usage } };
  const events = FRAMES[kind]?.(pick) ?? [];
  return { kind, input: { type: 'frame', frame: { bytes: pick(SIZES), events, edits: [], count: 1 }, usage } };
}

/** `expect` costs too much in a loop of millions. */
function law(isKept: boolean, text: string): void {
  if (!isKept) expect.fail(text);
}

/** Performs effects as a pump does and keeps what a client would have. */
class Client {
  held: Frame[] = [];
  given: Frame[] = [];
  commits = 0;
  ends: string[] = [];

  perform(step: StreamStep, frame: Frame | null): void {
    for (const effect of step.effects) {
      if (effect === 'hold' || effect === 'hold_end' || effect === 'queue') this.held.push(frame as Frame);
      else if (effect === 'commit' || effect === 'release_end') {
        if (effect === 'commit') this.commits++;
        this.given.push(...this.held.splice(0));
      } else if (effect === 'discard_end') this.held = [];
      else if (effect === 'write') {
        law(this.commits === 1, 'nothing is written before the commit');
        this.given.push(frame as Frame);
      } else if (effect !== 'leave_out') this.ends.push(effect);
    }
  }
}

const says = (frame: Frame, type: CanonicalEvent['type']): boolean => frame.events.some((event) => event.type === type);

function checkLaws(
  before: StreamState,
  step: StreamStep,
  input: StreamInput,
  client: Client,
  policy: StreamPolicy,
  received: readonly Frame[],
): void {
  const { state, effects } = step;
  const hasFailed = effects.includes('fail') || effects.includes('interrupt');
  law(PHASES.includes(state.phase), 'phases are known');
  law(!effects.includes('again') && !effects.includes('judge_empty'), 'inner effects stay inside');
  law(client.commits <= 1, 'one commit');
  law(client.ends.length <= 1, 'one end');
  law(before.phase !== 'over' || effects.every((effect) => effect === 'leave_out'), 'over is over');
  law(!isCommitted(before) || isCommitted(state), 'a commit is for ever');
  law(!isCommitted(before) || !effects.includes('fail'), 'failover is over with the commit');
  law(isCommitted(before) || !effects.includes('interrupt'), 'nobody is interrupted before the commit');
  law((step.cause === null) === !hasFailed, 'a failure has a cause');
  const isEnd = input.type === 'end' || input.type === 'cut' || input.type === 'clock';
  law(!isEnd || before.phase === 'over' || client.ends.length === 1, `${input.type} ends a stream`);
  law(client.ends[0] !== 'fail' || client.given.length === 0, 'a failed attempt gave out nothing');
  const hasTerminal = client.given.some((frame) => says(frame, 'finish') || says(frame, 'done'));
  law(client.ends[0] !== 'complete' || hasTerminal, 'what looks whole has a terminal');
  const places = client.given.map((frame) => received.indexOf(frame));
  law(
    places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1)),
    'in order, nothing twice',
  );
  law(
    hasTerminal || !client.given.some((frame) => BROKEN.some((type) => says(frame, type))),
    'no provider error reaches a client',
  );
  if (policy.holdToolEnd !== false) checkToolEnd(client, received);
}

/** A frame that completes a tool call is given out only with a data frame, or a clean end, behind it. */
function checkToolEnd(client: Client, received: readonly Frame[]): void {
  const last = client.given.findLast((frame) => says(frame, 'tool_end'));
  if (last === undefined) return;
  const behind = received.slice(received.indexOf(last) + 1);
  const isReleased = behind.some(({ events }) => events.length === 0 || !events.every(({ type }) => QUIET.has(type)));
  const isTerminal = client.given.some((frame) => says(frame, 'finish') || says(frame, 'done'));
  law(isReleased || client.ends[0] === 'complete' || isTerminal, 'a tool end waits');
}

const QUIET = new Set<string>(['comment', 'ping', 'noise']);

test('200,000 random streams keep the laws, and reach every phase with every input', () => {
  const random = createSeededRandom(takeSeed('stream machine'));
  const pick: Pick = (from) => from[Math.floor(random.next() * from.length)] as (typeof from)[number];
  const reached = new Set<string>();
  for (let run = 0; run < takeRuns(200_000); run++) {
    const policy = randomPolicy(pick);
    const usage = pick(USAGES);
    const client = new Client();
    const received: Frame[] = [];
    let state = START;
    const length = 1 + Math.floor(random.next() * 9);
    for (let i = 0; i < length; i++) {
      const { kind, input } = isFull(state, policy) ? FULL : randomInput(pick, usage);
      const frame = input.type === 'frame' ? input.frame : null;
      if (frame !== null) received.push(frame);
      const step = stepStream(state, input, policy);
      client.perform(step, frame);
      reached.add(`${state.phase} × ${kind}`);
      checkLaws(state, step, input, client, policy, received);
      state = step.state;
    }
  }
  const missing = PHASES.flatMap((phase) =>
    KINDS.concat('bound', 'end', 'body_cut', 'clock').map((kind) => `${phase} × ${kind}`),
  ).filter((pair) => !reached.has(pair));
  expect(missing).toEqual([]);
}, 120_000);

const FULL: Drawn = { kind: 'bound', input: { type: 'bound' } };

test('every input of the transition table is one that some frame or end can be', () => {
  expect(INPUTS.length).toBe(17);
});
