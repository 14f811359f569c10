import type { HealthState } from '../../src/core/health/state.ts';
import type { Scenario } from '../../src/simulate/scenario/scenario.ts';
import type { Run, SeenFact, SimulatedRequest } from '../../src/simulate/world/run.ts';
import { PROBED_WORLDS } from './broken-probes.ts';
import {
  askRow,
  changeClient,
  changeFacts,
  doesAs,
  playScenario,
  scenarioOf,
  twoProviders,
  withRequest,
  withSend,
  withText,
} from './simulation.ts';

// Runs in which everything is right, and what one thing or another makes of them.

/** Worlds in which nothing is wrong, each with something that looks like it. */
export const WORLDS = {
  calm: scenarioOf({ asks: [askRow({ shape: { asksUsage: true } })] }),
  failover: scenarioOf({ providers: [doesAs('a/m', { status: 503 })] }),
  cut: scenarioOf({ providers: [doesAs('*', { fault: { kind: 'close', at: 3 } })] }),
  tools: scenarioOf({ asks: [askRow({ shape: { tools: true } })], providers: [doesAs('*', { tools: 2 })] }),
  toolCut: scenarioOf({
    asks: [askRow({ protocol: 'anthropic-messages' })],
    config: twoProviders('anthropic-messages'),
    providers: [doesAs('*', { tools: 1, fault: { kind: 'reset', at: 'behind_tool' } })],
  }),
  json: scenarioOf({ asks: [askRow({ shape: { stream: false } })] }),
  refused: scenarioOf({ providers: [doesAs('*', { status: 503 })] }),
  limited: scenarioOf({ providers: [doesAs('*', { status: 429, retryAfterMs: 5_000 })] }),
  held: scenarioOf({
    asks: [askRow(), askRow({ fromMs: 2_000 })],
    providers: [doesAs('a/m', { status: 429, retryAfterMs: 5_000 }, { untilMs: 1_000 })],
  }),
  repeated: scenarioOf({
    config: twoProviders('openai-chat', { retry: { sameTarget: 1 } }),
    providers: [doesAs('a/m', { status: 503 }, { sends: { from: 0, to: 1 } })],
  }),
  stale: scenarioOf({
    providers: [doesAs('a/m', { status: null, reused: true }, { sends: { from: 0, to: 1 } })],
  }),
  slow: scenarioOf({
    config: twoProviders('openai-chat', { timeouts: { firstOutput: '1s' } }),
    providers: [doesAs('a/m', { headMs: null })],
  }),
  late: scenarioOf({
    asks: [askRow({ shape: { timeoutMs: 700 } })],
    providers: [doesAs('*', { firstWordMs: 5_000 })],
  }),
  leaves: scenarioOf({ asks: [askRow({ client: { leavesAfterWords: 3 } })], providers: [doesAs('*', { wordMs: 20 })] }),
  opened: scenarioOf({
    forMs: 40_000,
    asks: [askRow({ perSecond: 4, count: null })],
    providers: [doesAs('a/m', { status: 500 }, { untilMs: 15_000 })],
  }),
  allDown: scenarioOf({ asks: [askRow({ perSecond: 2, count: 30 })], providers: [doesAs('*', { status: 500 })] }),
  policy: scenarioOf({ providers: [doesAs('a/m', { status: 400, error: { code: 'content_policy_violation' } })] }),
  thinks: scenarioOf({ providers: [doesAs('*', { headMs: 10, firstWordMs: 3_000 })] }),
  unsafe: scenarioOf({ asks: [askRow({ shape: { unsafe: true } })], providers: [doesAs('a/m', { status: 503 })] }),
  crowd: scenarioOf({ asks: [askRow({ count: 3 })], providers: [doesAs('*', { firstWordMs: 500 })] }),
  translated: scenarioOf({
    asks: [askRow({ protocol: 'openai-responses', shape: { tools: true, textTool: true } })],
    config: twoProviders('gemini'),
    providers: [doesAs('*', { tools: 2, quirks: ['blank_ids'] })],
  }),
  gemini: scenarioOf({
    asks: [askRow({ protocol: 'gemini' })],
    config: twoProviders('gemini'),
    providers: [doesAs('*', { words: 0, tools: 1, wordMs: 20 })],
  }),
  missed: scenarioOf({
    asks: [askRow({ protocol: 'gemini' })],
    config: twoProviders('openai-chat', { retry: { sameTarget: 0 } }),
    providers: [doesAs('*', { status: 500 }, { sends: { from: 0, to: 1 } })],
  }),
  echo: scenarioOf({ providers: [doesAs('*', { status: 400, echoes: true })] }),
  ...PROBED_WORLDS,
} satisfies Readonly<Record<string, Scenario>>;

export type WorldName = keyof typeof WORLDS;

const played = new Map<WorldName, Promise<Run>>();

export function play(name: WorldName): Promise<Run> {
  const run = played.get(name) ?? playScenario(WORLDS[name]);
  played.set(name, run);
  return run;
}

/** Changes the first request. */
export const first = (change: (request: SimulatedRequest) => Partial<SimulatedRequest>) => (run: Run) =>
  withRequest(run, 0, change);

export const says = (change: (text: string) => string) => first(({ client }) => ({ client: withText(client, change) }));

export const without = (test: (seen: SeenFact) => boolean) =>
  first(({ facts }) => ({ facts: facts.filter((seen) => !test(seen)) }));

/** As if only the first attempt had been made, and its failure had been the end. */
export const afterOne = (run: Run): Run => {
  const last = run.requests[0]?.facts.at(-1);
  const sends = run.sends.filter(({ attempt }) => attempt === 1);
  const facts = (request: SimulatedRequest) => [
    ...request.facts
      .filter(({ fact }) => !('n' in fact) || fact.n === 1)
      .filter(({ fact }) => fact.type !== 'request_ended'),
    ...(last === undefined ? [] : [last]),
  ];
  return withRequest({ ...run, sends }, 0, (request) => ({ facts: facts(request) }));
};

export const WHOLE = {
  text: '<9.0> ',
  reasoning: '',
  tools: [],
  usage: null,
  finish: 'stop',
  isWhole: true,
  lastsMs: 10,
  firstOutputMs: 5,
} as const;

/** The circuit of route a opened before this attempt, and another is under way behind it. */
export function inOpenCircuit(run: Run): Run {
  const [one, two] = run.requests.filter(({ ledger }) => ledger.attempts[0]?.outcome === 'ok');
  if (one === undefined || two === undefined) throw new Error('two requests were to be served');
  const at = (two.ledger.attempts[0]?.startedAt ?? 0) - 10;
  const open = {
    since: at - 20,
    until: at - 15,
    failedAt: at - 20,
    failedTrials: 0,
    cause: 'server_error',
    reason: 'made up',
    rung: 0,
    claims: [],
  } as const;
  const opened = (health: HealthState): HealthState => {
    const route = 'b/m#default';
    const scope = health.scopes.route[route];
    if (scope === undefined) throw new Error('nothing is known of the route');
    const scopes = {
      ...health.scopes,
      route: { ...health.scopes.route, [route]: { ...scope, circuit: { failures: [], open } } },
    };
    return { ...health, scopes };
  };
  const moved = (request: SimulatedRequest, ms: number): readonly SeenFact[] =>
    request.facts.map(({ fact, health }) => ({
      fact: { ...fact, at: ms, ...('plan' in fact && fact.plan !== null ? { plan: { ...fact.plan, at: ms } } : {}) },
      health: opened(health),
    }));
  const length = (request: SimulatedRequest, ms: number): readonly SeenFact[] =>
    moved(request, ms).map((seen) =>
      seen.fact.type === 'attempt_ended' || seen.fact.type === 'request_ended'
        ? { ...seen, fact: { ...seen.fact, at: ms + 500 } }
        : seen,
    );
  return {
    ...run,
    requests: run.requests.map((each) =>
      each === one
        ? { ...each, at, facts: length(one, at), view: () => each.view() }
        : each === two
          ? { ...each, at: at + 1, facts: length(two, at + 1), view: () => each.view() }
          : each,
    ),
  };
}

export function climb(health: HealthState, rung: number): HealthState {
  const scope = health.scopes.route['b/m#default'];
  const open = scope?.circuit.open;
  if (scope === undefined || open == null) return health;
  const route = {
    ...health.scopes.route,
    'b/m#default': { ...scope, circuit: { ...scope.circuit, open: { ...open, rung } } },
  };
  return { ...health, scopes: { ...health.scopes, route } };
}

export function elsewhere(run: Run): Run {
  const [send] = run.sends;
  if (send === undefined) throw new Error('nothing was sent');
  return withSend(run, 0, { route: { ...send.route, id: 'b/m#default' } });
}

export function later(ms: number): (run: Run) => Run {
  return first((request) => {
    const facts = changeFacts(request, 'attempt_ended', ({ at }) => ({ at: at + ms }));
    return { facts: changeFacts({ facts }, 'request_ended', ({ at }) => ({ at: at + ms })) };
  });
}

export function early(ms: number): (run: Run) => Run {
  return first((request) => ({
    facts: changeFacts(request, 'attempt_ended', ({ at, n }) => ({ at: n === 1 ? at - ms : at })),
  }));
}

export function sameRouteTwice(run: Run): Run {
  const facts = (request: SimulatedRequest) =>
    changeFacts(request, 'attempt_started', () => ({ route: 'a/m#default', target: 'a/m', endpoint: 'a.test:443' }));
  return first((request) => ({ facts: facts(request) }))(run);
}

type Failure = NonNullable<NonNullable<SimulatedRequest['ledger']['attempts'][number]['failure']>>;

export function changeFailure(change: Partial<Failure>): (run: Run) => Run {
  return first((request) => ({
    facts: changeFacts(request, 'attempt_ended', ({ failure }) =>
      failure === null ? {} : { failure: { ...failure, ...change } },
    ),
  }));
}

export function withMost(maxAttempts: number): (run: Run) => Run {
  return (run) => {
    const models = [...run.config.models].map(([name, model]) => {
      const settings = { ...model.settings, retry: { ...model.settings.retry, maxAttempts } };
      return [name, { ...model, settings }] as const;
    });
    return { ...run, config: { ...run.config, models: new Map(models) } };
  };
}

export function charged(isCharged: boolean): (run: Run) => Run {
  return first((request) => ({ facts: changeFacts(request, 'attempt_started', () => ({ charged: isCharged })) }));
}

export function laterTier(run: Run): Run {
  const models = [...run.config.models].map(([name, model]) => {
    const targets = model.targets.map((target) => ({ ...target, tier: target.id === 'a/m' ? 1 : 0 }));
    return [name, { ...model, targets }] as const;
  });
  return { ...run, config: { ...run.config, models: new Map(models) } };
}

export function status(code: number): (run: Run) => Run {
  return first((request) => ({
    client: changeClient(request.client, { status: code }),
    facts: changeFacts(request, 'request_ended', () => ({ status: code })),
  }));
}

type Usage = NonNullable<SimulatedRequest['ledger']['attempts'][number]['usage']>;

export function usage(change: Partial<Usage>): (run: Run) => Run {
  return first((request) => ({
    facts: changeFacts(request, 'attempt_ended', (fact) =>
      fact.usage === null ? {} : { usage: { ...fact.usage, ...change } },
    ),
  }));
}

export const withoutUsage = (ledger: Run['told'][number]): Run['told'][number] => ({
  ...ledger,
  attempts: ledger.attempts.map((attempt) => ({ ...attempt, usage: null })),
});

export function waits(seconds: number): (run: Run) => Run {
  return first(({ client }) => ({
    client: changeClient(
      withText(client, (text) =>
        text
          .replace(/"retry_after_ms":\d+/, `"retry_after_ms":${seconds}000`)
          .replace('"attempts":[', `"retry_after_ms":${seconds}000,"attempts":[`),
      ),
      { headers: { ...client.headers, 'retry-after': String(seconds), 'retry-after-ms': `${seconds}000` } },
    ),
  }));
}

/** The second request goes where the first was told to wait. */
export function intoHold(run: Run, when: 'chosen before' | 'chosen now' = 'chosen now'): Run {
  const [asked] = run.sends;
  if (asked === undefined) throw new Error('nothing was sent');
  const { route } = asked;
  const changed = withRequest(run, 1, (request) => {
    const facts = changeFacts(request, 'attempt_started', ({ plan }) => ({
      route: route.id,
      target: route.target,
      endpoint: route.endpoint,
      plan: when === 'chosen now' ? plan : { at: run.startedAt - 1, order: [], candidates: [], missing: [] },
    }));
    return { facts };
  });
  return withSend(changed, 2, { route });
}

/** Of every target, what follows a refusal by policy. */
export function onPolicy(onContentPolicy: 'stop' | 'next'): (run: Run) => Run {
  return (run) => {
    const models = [...run.config.models].map(([name, model]) => {
      const targets = model.targets.map((target) => ({ ...target, settings: { ...target.settings, onContentPolicy } }));
      return [name, { ...model, targets }] as const;
    });
    return { ...run, config: { ...run.config, models: new Map(models) } };
  };
}

/** As if the answer had been bound to its attempt so much earlier. */
export const commitsEarlier = (ms: number) =>
  first((request) => ({ facts: changeFacts(request, 'committed', ({ at }) => ({ at: at - ms })) }));

/** As if all but the first two attempts had not been made. */
export function afterTwo(run: Run): Run {
  const sends = run.sends.filter(({ attempt }) => attempt <= 2);
  return withRequest({ ...run, sends }, 0, (request) => {
    const facts = request.facts.filter(({ fact }) => !('n' in fact) || fact.n <= 2);
    const end = facts.findLast(({ fact }) => fact.type === 'attempt_ended');
    const closed = changeFacts({ facts }, 'request_ended', ({ at }) => ({ at: end?.fact.at ?? at }));
    return { facts: closed.map((seen) => (seen.fact.type === 'request_ended' ? { ...seen, ...healthOf(end) } : seen)) };
  });
}

const healthOf = (seen: SeenFact | undefined): Partial<SeenFact> => (seen === undefined ? {} : { health: seen.health });

type Ended = Extract<SeenFact['fact'], { type: 'request_ended' }>;

export const endsAs = (change: Partial<Ended>) =>
  first((request) => ({ facts: changeFacts(request, 'request_ended', () => change) }));

/** As if each provider took no more than one at a time. */
export function withOnePlace(run: Run): Run {
  const providers = [...run.config.providers].map(
    ([name, provider]) => [name, { ...provider, limits: { concurrency: 1, queueMs: 0 } }] as const,
  );
  return { ...run, config: { ...run.config, providers: new Map(providers) } };
}

/** As if the circuit of the first route had opened in front of everything. */
export const opensBefore = (run: Run): Run => ({
  ...run,
  healthChanges: [
    { at: run.startedAt - 10, scope: 'route', id: 'a/m#default', from: 'ready', to: 'open', until: null, reason: null },
  ],
});

/** As if somebody had once taken a place in an open circuit that nobody has now. */
export function losesPlace(run: Run): Run {
  const request = run.requests.findIndex(({ facts }) =>
    facts.some(({ health }) => health.scopes.route['a/m#default']?.circuit.open != null),
  );
  return withRequest(run, request, ({ facts, at }) => ({
    facts: facts.map((seen) => ({ ...seen, health: claimed(seen.health, at - 60_000) })),
  }));
}

function claimed(health: HealthState, at: number): HealthState {
  const scope = health.scopes.route['a/m#default'];
  const open = scope?.circuit.open;
  if (scope === undefined || open == null) return health;
  const claims = [{ route: 'a/m#default', at, expiresAt: at + 900_000, isProved: false }];
  const circuit = { ...scope.circuit, open: { ...open, claims } };
  return {
    ...health,
    scopes: { ...health.scopes, route: { ...health.scopes.route, 'a/m#default': { ...scope, circuit } } },
  };
}

/** As if the last request had been refused at once. */
export function refusesLast(run: Run): Run {
  const place = run.requests.length - 1;
  const id = run.requests[place]?.id;
  const sends = run.sends.filter(({ request }) => request !== id);
  return withRequest({ ...run, sends }, place, ({ facts, at }) => ({
    facts: changeFacts({ facts: facts.filter(({ fact }) => !('n' in fact)) }, 'request_ended', () => ({ at })),
  }));
}
