import type { ReadinessReport, ReportedModel, ReportedRoute } from '../../src/core/readiness/report.ts';
import type { ProbeProgress, Prober } from '../../src/prober/index.ts';

type Counted = ReportedRoute['state'];

/** `provider/model#key` in this state. */
export function routeOf(id: string, state: Counted, more: Partial<ReportedRoute> = {}): ReportedRoute {
  const [target = '', credential = ''] = id.split('#');
  const [provider = '', ...rest] = target.split('/');
  const isAsked = state !== 'unreached' && state !== 'postponed';
  return {
    route: id,
    provider,
    model: rest.join('/'),
    credential,
    endpoint: `${provider}.test:443`,
    tier: 0,
    state,
    reason: null,
    attempts: isAsked ? 1 : 0,
    age_ms: isAsked ? 0 : null,
    next_check_at: null,
    ...more,
  };
}

/** A model of a report, whose counts add up. */
export function modelOf(
  model: string,
  routes: readonly ReportedRoute[],
  more: Partial<ReportedModel> = {},
): ReportedModel {
  const count = (state: Counted): number => routes.filter((route) => route.state === state).length;
  const [postponed, unreached] = [count('postponed'), count('unreached')];
  return {
    model,
    candidates: routes.length,
    probed: routes.length - postponed - unreached,
    ready: count('ready'),
    slow: count('slow'),
    deferred: count('deferred'),
    rejected: count('rejected'),
    postponed,
    unreached,
    escalations: { used: 0, denied: 0, budget: 4 },
    endpoints: new Set(routes.map(({ endpoint }) => endpoint)).size,
    credentials: new Set(routes.map(({ provider, credential }) => `${provider}/${credential}`)).size,
    warnings: [],
    stages: [],
    routes,
    ...more,
  };
}

export const reportOf = (
  models: readonly ReportedModel[],
  providers: ReadinessReport['providers'] = [],
): ReadinessReport => ({
  contract: 'understudy-readiness-v1',
  generated_at: '2026-11-30T12:00:00.000Z',
  models,
  providers,
});

/** A prober that does what a test says. Rounds end when `end` is called. */
export type FakeProber = Prober & {
  /** What was asked for, by round. */
  readonly rounds: (readonly string[] | null)[];
  readonly watchers: () => number;
  says(progress: ProbeProgress): void;
  /** From now on it knows this. */
  knows(report: ReadinessReport): void;
  /** Ends the rounds that are under way. */
  end(): void;
};

export function createFakeProber(first: ReadinessReport): FakeProber {
  let known = first;
  const listeners = new Set<(progress: ProbeProgress) => void>();
  const rounds: (readonly string[] | null)[] = [];
  const waiting: (() => void)[] = [];
  return {
    rounds,
    watchers: () => listeners.size,
    says: (progress) => {
      for (const listener of listeners) listener(progress);
    },
    knows: (report) => {
      known = report;
    },
    end: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    start: () => {},
    async probe(models) {
      rounds.push(models);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return known;
    },
    report: () => known,
    ready: () => new Map(known.models.map(({ model, ready, slow }) => [model, ready + slow])),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
}
