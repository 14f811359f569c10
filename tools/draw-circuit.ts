import {
  type Circuit,
  CLOSED,
  type CountedFailure,
  claimSlot,
  climbRamp,
  countAnswer,
  countFailure,
  countSuccess,
  phaseOf,
  RAMP,
  releaseSlot,
} from '../src/core/health/circuit.ts';

const OPEN_MS = 10_000;
const BREAKER = {
  failures: 3,
  windowMs: 300_000,
  openMs: OPEN_MS,
  maxOpenMs: 30_000,
  slowFactor: 6,
  maxSlowOpenMs: 600_000,
};
const ROUTE = { route: 'a/m#default', target: 'a/m', turn: null, isConnect: false };

const verdict = (startedAt: number, at: number, trial: boolean) => ({ route: ROUTE.route, startedAt, at, trial });

const failure = (startedAt: number, at: number, trial: boolean, weight = 1): CountedFailure => ({
  ...verdict(startedAt, at, trial),
  ...ROUTE,
  weight,
  cause: 'server_error',
  reason: 'made up',
  costMs: 0,
  isDecisive: false,
});

const fail = (circuit: Circuit, counted: CountedFailure): Circuit =>
  countFailure(circuit, counted, BREAKER, () => true);

/** Opened at 0, so that it may be tried from `OPEN_MS` on. */
const OPENED = fail(CLOSED, failure(-1, 0, false, BREAKER.failures));
const AT_TRIAL = OPEN_MS + 1;
const TRIED = claimSlot(OPENED, ROUTE.route, OPEN_MS, BREAKER.windowMs) ?? OPENED;
const trial = verdict(OPEN_MS, AT_TRIAL, true);

/** Every trial gives output: how the ramp ends. */
const CLIMBED = RAMP.slice(1).reduce(
  (circuit, _step) => claimSlot(climbRamp(circuit, trial), ROUTE.route, OPEN_MS, BREAKER.windowMs) ?? circuit,
  TRIED,
);

type Step = {
  readonly what: string;
  readonly before: Circuit;
  readonly after: Circuit;
  readonly at: readonly [number, number];
};

const step = (what: string, before: Circuit, after: Circuit, from: number, to = from): Step => ({
  what,
  before,
  after,
  at: [from, to],
});

/** What can happen to a circuit, played with the functions that the gateway runs. */
const STEPS: readonly Step[] = [
  step('failures below breaker.failures', CLOSED, fail(CLOSED, failure(0, 1, false)), 1),
  step('weighted failures reach breaker.failures', CLOSED, OPENED, 0),
  step('an attempt from before it opened ends well', OPENED, countSuccess(OPENED, verdict(-1, 1, false)), 1),
  step('its time is over', OPENED, OPENED, 0, OPEN_MS),
  step('the trial fails', TRIED, fail(TRIED, failure(OPEN_MS, AT_TRIAL, true)), AT_TRIAL),
  step(`a trial's first output (then ${RAMP.slice(1).join(', ')} at a time)`, TRIED, climbRamp(TRIED, trial), AT_TRIAL),
  step('a trial ends without a verdict', TRIED, releaseSlot(TRIED, trial), AT_TRIAL),
  step('a trial succeeds', TRIED, countSuccess(TRIED, trial), AT_TRIAL),
  step('a trial is answered, if only with a bad request', TRIED, countAnswer(TRIED, trial), AT_TRIAL),
  step('the last step of the ramp gives output', CLIMBED, climbRamp(CLIMBED, trial), AT_TRIAL),
];

/** The states of a circuit as a Mermaid diagram. No table holds them, so each arrow is what the code was seen to do. */
export function drawCircuit(): string {
  const arrows = new Map<string, string[]>();
  for (const { what, before, after, at } of STEPS) {
    const way = `${phaseOf(before, at[0])} --> ${phaseOf(after, at[1])}`;
    arrows.set(way, [...(arrows.get(way) ?? []), what]);
  }
  const lines = ['[*] --> closed', ...[...arrows].map(([way, whats]) => `${way}: ${whats.join('<br/>')}`)];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}
