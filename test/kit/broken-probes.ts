import type { HealthState } from '../../src/core/health/state.ts';
import type { ProbeSettings } from '../../src/core/readiness/settings.ts';
import type { Run, SeenReport, SimulatedProbe } from '../../src/simulate/world/run.ts';
import { askRow, doesAs, scenarioOf, twoProviders } from './simulation.ts';

// Runs in which a prober does what it should, and what one thing or another makes of them.

const probing = (probe: Readonly<Record<string, unknown>>) => twoProviders('openai-chat', {}, { readiness: { probe } });

export const PROBED_WORLDS = {
  /** A round at the start, of which one route is of use. */
  round: scenarioOf({
    config: probing({ mode: 'full' }),
    asks: [askRow({ fromMs: 5_000 })],
    providers: [doesAs('a/m', { needsTokens: 100 })],
  }),
  /** Three requests find out, and a probe that it is back. */
  back: scenarioOf({
    config: probing({ mode: 'recovery' }),
    asks: [askRow({ count: 3 }), askRow({ fromMs: 20_000 })],
    providers: [doesAs('a/m', { status: 500 }, { untilMs: 5_000 })],
  }),
} as const;

type Change = (run: Run) => Run;

export const withProbeSettings =
  (change: Partial<ProbeSettings>): Change =>
  (run) => ({
    ...run,
    config: { ...run.config, readiness: { probe: { ...run.config.readiness.probe, ...change } } },
  });

const withProbes =
  (change: (probe: SimulatedProbe, place: number) => Partial<SimulatedProbe>): Change =>
  (run) => ({ ...run, probes: run.probes.map((probe, n) => ({ ...probe, ...change(probe, n) })) });

/** As if all had been sent by the key that the first has, and the first were still under way. */
export const overlapping: Change = (run) => {
  const route = run.probes[0]?.route;
  if (route === undefined) throw new Error('nobody probed');
  const { provider, credential } = route;
  const changed = withProbes((probe, n) => ({
    route: { ...probe.route, provider, credential },
    ...(n === 0 ? { endedAt: probe.at + 9_000 } : {}),
  }));
  return changed(run);
};

/** As if the round had begun so long before. */
export const longRound: Change = (run) => ({
  ...run,
  rounds: run.rounds.map((round) => ({ ...round, at: round.at - 90_000 })),
});

/** As if every probe of a route were a first one. */
export const askedTwice: Change = (run) => withProbes(() => ({ tokens: run.config.readiness.probe.tokens }))(run);

/** As if everything had been asked once more, as it was, for the same reason. */
export const recoveredTwice: Change = (run) => ({
  ...run,
  probes: run.probes.flatMap((probe) => [probe, { ...probe }]),
});

/** As if the prober had slept. */
export const sleeping: Change = (run) => ({ ...run, probes: [] });

type Model = SeenReport['report']['models'][number];

export const withReports =
  (change: (model: Model) => Partial<Model>): Change =>
  (run) => ({
    ...run,
    reports: run.reports.map((seen) => ({
      ...seen,
      report: { ...seen.report, models: seen.report.models.map((model) => ({ ...model, ...change(model) })) },
    })),
  });

/** As if the last request had been sent into a circuit that had ended just before, with nobody's probe behind it. */
export const paysForTrial: Change = (run) => ({
  ...run,
  requests: run.requests.map((request, place) =>
    place < run.requests.length - 1
      ? request
      : { ...request, facts: request.facts.map((seen) => ({ ...seen, health: halfOpen(seen.health, request.at) })) },
  ),
});

function halfOpen(health: HealthState, at: number): HealthState {
  const scope = health.scopes.route['a/m#default'];
  if (scope === undefined) throw new Error('nothing is known of the route');
  const moments = { since: at - 11_000, until: at - 1000, failedAt: at - 11_000 };
  const open = { ...moments, failedTrials: 0, cause: 'server_error', reason: 'made up', rung: 0, claims: [] } as const;
  const route = { ...health.scopes.route, 'a/m#default': { ...scope, circuit: { failures: [], open } } };
  return { ...health, scopes: { ...health.scopes, route } };
}
