import { expect, test } from 'vitest';
import type { AttemptRecord, RequestLedger } from '../../src/core/attempt/ledger.ts';
import { type NextStep, nextStep, type StepPolicy } from '../../src/core/attempt/next-step.ts';
import type { Failure, Onward } from '../../src/core/failure/failure.ts';
import type { Outcome } from '../../src/core/failure/outcome.ts';
import type { Candidate, Plan } from '../../src/core/routing/plan.ts';
import { makeCandidate, makeFailure, makePlan, makeRoute, makeTarget, READY, SETTINGS } from '../kit/samples.ts';
import { takeRuns, takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';

function law(isKept: boolean, text: string): void {
  if (!isKept) expect.fail(text);
}

type World = {
  readonly candidates: readonly Candidate[];
  readonly policy: StepPolicy;
  readonly random: () => number;
};

const pickFrom = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function createWorld(random: () => number): World {
  const providers = ['a', 'b', 'c', 'd'].slice(0, 1 + Math.floor(random() * 4));
  const candidates = providers.flatMap((provider, i) => {
    const keys = random() < 0.3 ? ['k1', 'k2'] : ['k1'];
    const routes = keys.map((key) =>
      makeRoute(provider, 'm', key, random() < 0.3 ? 'shared.test:443' : `${provider}.test:443`),
    );
    const target = makeTarget(routes, {
      tier: i < 2 ? 0 : 1,
      capabilities: random() < 0.3 ? { contextWindow: 1000 * (i + 1) } : {},
    });
    return routes.map((route) => makeCandidate(target, route, randomUse(random)));
  });
  const retry = {
    sameTarget: pickFrom(random, ['auto', 0, 1, 3] as const),
    maxAttempts: 1 + Math.floor(random() * 8),
    waitForCooldownMs: pickFrom(random, [0, 0, 3000]),
    preferSameTarget: random() < 0.2,
  };
  const policy: StepPolicy = {
    settings: {
      ...SETTINGS,
      retry,
      replay: pickFrom(random, ['auto', 'always', 'safe'] as const),
      onContentPolicy: pickFrom(random, ['stop', 'next'] as const),
    },
    commitAt: 1000 + random() * 20_000,
    totalAt: 1000 + random() * 30_000,
    failover: random() < 0.95,
    effects: random() < 0.2 ? ['mcp tool'] : [],
  };
  return { candidates, policy, random };
}

function randomUse(random: () => number): Partial<Candidate> {
  const dice = random();
  if (dice < 0.7) return {};
  if (dice < 0.78) return { use: 'trial' };
  if (dice < 0.84) return { use: 'last_resort' };
  const until = random() * 9000;
  return dice < 0.95
    ? {
        use: 'skip',
        skip: 'skipped_cooldown',
        availability: { ...READY, state: 'deferred', until, told: random() < 0.5 },
      }
    : { use: 'skip', skip: 'skipped_circuit', availability: { ...READY, state: 'open', until } };
}

const OUTCOMES: readonly Outcome[] = [
  'server_error',
  'overloaded',
  'rate_limited',
  'connect_error',
  'timeout_headers',
  'context_length',
  'auth',
  'bad_request',
  'content_policy',
  'stale_socket',
  'incompatible_history',
  'empty_completion',
];

const ONWARD: Partial<Record<Outcome, Onward>> = {
  rate_limited: 'next_route',
  connect_error: 'next_other_endpoint',
  context_length: 'next_larger_window',
  auth: 'next_credential',
  bad_request: 'stop',
  content_policy: 'stop',
  incompatible_history: 'same_without_state',
};

function randomFailure(random: () => number, outcome: Outcome): Failure | null {
  if (outcome === 'stale_socket') return null;
  return makeFailure({
    outcome,
    onward: ONWARD[outcome] ?? 'next_target',
    again: ['server_error', 'overloaded', 'connect_error'].includes(outcome),
    scope: outcome === 'auth' ? 'credential' : 'route',
    refusal: ['rate_limited', 'overloaded', 'auth', 'bad_request', 'context_length'].includes(outcome),
    requestShaped: outcome === 'server_error' && random() < 0.2,
    toldDelayMs: random() < 0.2 ? random() * 6000 : null,
  });
}

/** Plays one request to its end in virtual time and checks every step. */
function play(world: World): readonly AttemptRecord[] {
  const { policy, random } = world;
  let now = 0;
  let roundStartedAt = 0;
  let draw = random();
  const attempts: AttemptRecord[] = [];
  let waits = 0;
  for (let turn = 0; turn < 200; turn++) {
    const plan: Plan = makePlan(
      world.candidates.map((candidate) => refresh(candidate, now)),
      now,
    );
    const ledger = { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger;
    const input = {
      ledger,
      plan,
      policy,
      now,
      random: draw,
      roundStartedAt,
      busy: new Map<string, number>(),
      waitedFor: null,
    };
    const step = nextStep(input);
    law(JSON.stringify(nextStep(input)) === JSON.stringify(step), 'the same input gives the same step');
    if (step.type === 'fail') {
      if (step.ending === 'exhausted') checkNobodyForgotten(world, plan, attempts, roundStartedAt);
      return attempts;
    }
    if (step.type === 'wait') {
      law(++waits < 50, 'waiting comes to an end');
      law(step.untilAt > now, 'a wait is for later');
      law(step.untilAt < Math.min(policy.commitAt, policy.totalAt), 'no wait beyond the deadline');
      now = step.untilAt;
      if (step.newRound) roundStartedAt = now;
      continue;
    }
    if (step.type !== 'send') return expect.fail(`unexpected step ${step.type}`);
    checkSend(step, attempts, policy, now, roundStartedAt);
    const outcome = pickFrom(random, OUTCOMES);
    const startedAt = now;
    now += 1 + random() * 1500;
    attempts.push(
      endOf(
        step,
        attempts.length + 1,
        step.freshSocket && outcome === 'stale_socket' ? 'connect_error' : outcome,
        startedAt,
        now,
        random,
      ),
    );
    draw = random();
  }
  return expect.fail('the request never ended');
}

const refresh = (candidate: Candidate, now: number): Candidate =>
  candidate.use === 'skip' && (candidate.availability.until ?? 0) <= now
    ? { ...candidate, use: 'serve', skip: null, availability: READY }
    : candidate;

function endOf(
  step: Extract<NextStep, { type: 'send' }>,
  n: number,
  outcome: Outcome,
  startedAt: number,
  endedAt: number,
  random: () => number,
): AttemptRecord {
  const { id, target, credential, endpoint } = step.candidate.route;
  const failure = randomFailure(random, outcome);
  const phase = outcome === 'connect_error' ? 'connecting' : 'sent';
  return {
    n,
    route: id,
    target,
    credential,
    endpoint,
    why: step.why,
    charged: step.charged,
    trial: false,
    startedAt,
    headAt: null,
    status: null,
    committedAt: null,
    endedAt,
    outcome,
    phase,
    failure,
    reason: null,
    usage: null,
    cooldownUntil: null,
  };
}

function checkSend(
  step: Extract<NextStep, { type: 'send' }>,
  attempts: readonly AttemptRecord[],
  policy: StepPolicy,
  now: number,
  roundStartedAt: number,
): void {
  const charged = attempts.filter((attempt) => attempt.charged).length;
  const last = attempts.at(-1);
  law(now < policy.commitAt && now < policy.totalAt, 'nothing is sent beyond a deadline');
  law(!step.charged || charged < policy.settings.retry.maxAttempts, 'the attempt budget holds');
  law(!step.charged || policy.failover || charged === 0, 'failover: off means one attempt');
  law(step.charged || last?.outcome === 'stale_socket', 'only a stale socket is free');
  if (last !== undefined) checkBehind(last, policy);
  const route = step.candidate.route.id;
  const earlier = attempts.filter((attempt) => attempt.route === route && attempt.startedAt >= roundStartedAt);
  law(!earlier.some(({ outcome }) => outcome === 'timeout_headers'), 'a silent target is never repeated');
  law(earlier.length === 0 || last?.route === route, 'no route twice, but for a repeat at once');
  const ofTarget = attempts.filter(
    (attempt) => attempt.target === step.candidate.route.target && attempt.startedAt >= roundStartedAt,
  );
  law(
    !ofTarget.some((attempt) => attempt.route !== route && isTargetsOwn(attempt)),
    'the other keys of a failed target are passed over',
  );
}

/** Of these outcomes another key of the target cures none. */
const TARGETS_OWN: ReadonlySet<Outcome | null> = new Set<Outcome>([
  'server_error',
  'overloaded',
  'connect_error',
  'timeout_headers',
  'content_policy',
  'empty_completion',
]);

const isTargetsOwn = ({ outcome }: AttemptRecord): boolean => TARGETS_OWN.has(outcome);

function checkBehind(last: AttemptRecord, { settings, effects }: StepPolicy): void {
  const mayPass = last.outcome === 'content_policy' && settings.onContentPolicy === 'next';
  law(last.failure?.onward !== 'stop' || mayPass, 'a stop stops');
  const isUnsafe = settings.replay === 'safe' || (settings.replay === 'auto' && effects.length > 0);
  const isHarmless = last.failure?.refusal === true || last.phase === 'connecting';
  law(!isUnsafe || isHarmless, 'unsafe requests follow refusals only');
}

/** Exhausted means: nobody who could have been asked was left out. */
function checkNobodyForgotten(
  world: World,
  plan: Plan,
  attempts: readonly AttemptRecord[],
  roundStartedAt: number,
): void {
  const { policy } = world;
  const charged = attempts.filter((attempt) => attempt.charged).length;
  if (!policy.failover || charged >= policy.settings.retry.maxAttempts) return;
  const tried = attempts.filter(({ startedAt }) => startedAt >= roundStartedAt);
  for (const { use, route, target } of plan.candidates) {
    if (use === 'skip' || tried.some((attempt) => attempt.route === route.id)) continue;
    const isRuledOut = tried.some(
      (attempt) =>
        (attempt.target === route.target && isTargetsOwn(attempt)) ||
        (attempt.outcome === 'context_length' &&
          (attempt.target === route.target || target.capabilities.contextWindow !== undefined)),
    );
    law(isRuledOut, `${route.id} was eligible and never asked`);
  }
}

test('no request exceeds its attempts or deadlines, forgets a route or asks one twice, in random worlds', () => {
  const generator = createSeededRandom(takeSeed('next step'));
  const random = (): number => generator.next();
  let sends = 0;
  for (let run = 0; run < takeRuns(15_000); run++) sends += play(createWorld(random)).length;
  expect(sends).toBeGreaterThan(15_000);
}, 60_000);

test.each([
  ['connect_error', ['a/m#k1', 'c/m#k1', 'b/m#k1']],
  ['server_error', ['a/m#k1', 'b/m#k1', 'c/m#k1']],
] as const)('behind %s the next is chosen by endpoint only if the connection failed', (outcome, expected) => {
  const routes = [makeRoute('a', 'm', 'k1', 'x:1'), makeRoute('b', 'm', 'k1', 'x:1'), makeRoute('c', 'm', 'k1', 'y:1')];
  const plan = makePlan(routes.map((route) => makeCandidate(makeTarget([route]), route)));
  const order: string[] = [];
  const attempts: AttemptRecord[] = [];
  for (let now = 0; now < 30; now += 10) {
    const ledger = { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger;
    const policy = {
      settings: { ...SETTINGS, retry: { ...SETTINGS.retry, sameTarget: 0 } },
      commitAt: 1e6,
      totalAt: 1e6,
      failover: true,
      effects: [],
    };
    const step = nextStep({
      ledger,
      plan,
      policy,
      now,
      random: 0,
      roundStartedAt: 0,
      busy: new Map(),
      waitedFor: null,
    });
    if (step.type !== 'send') break;
    order.push(step.candidate.route.id);
    attempts.push(endOf(step, attempts.length + 1, outcome, now, now + 1, () => 0.9));
  }
  expect(order).toEqual(expected);
});

test('the last send of a request knows that it is the last', () => {
  const routes = [makeRoute('a'), makeRoute('b')];
  const plan = makePlan(routes.map((route) => makeCandidate(makeTarget([route]), route)));
  const policy = { settings: SETTINGS, commitAt: 1e6, totalAt: 1e6, failover: true, effects: [] };
  const base = { plan, policy, now: 5, random: 0, roundStartedAt: 0, busy: new Map<string, number>(), waitedFor: null };
  const first = nextStep({
    ...base,
    ledger: { id: 'r', attempts: [], committed: null, ended: null, plans: [] } as unknown as RequestLedger,
  });
  expect(first).toMatchObject({ type: 'send', last: false });
  if (first.type !== 'send') return;
  const attempts = [endOf(first, 1, 'server_error', 0, 1, () => 0.9)];
  const second = nextStep({
    ...base,
    ledger: { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger,
  });
  expect(second).toMatchObject({ type: 'send', last: true, why: 'failover after server_error' });
});
