import type { Mutant } from '../types.ts';

/** Who is probed when, and what is said of it. */
export const proberFaults: readonly Mutant[] = [
  {
    name: 'readiness: two probes at once with one credential',
    file: 'core/readiness/next-probes.ts',
    from: 'underway.some((one) => one.account === account) || ',
    to: '',
    tests: ['src/core/readiness/round.test.ts'],
  },
  {
    name: 'readiness: two 429s are no reason to ask others first',
    file: 'core/readiness/note-result.ts',
    from: 'isDue ? Math.max(known.postponedUntil, until) : known.postponedUntil',
    to: 'known.postponedUntil',
    tests: ['src/core/readiness/round.test.ts'],
  },
  {
    name: 'readiness: a server that says when is not listened to',
    file: 'core/readiness/note-result.ts',
    from: 'told ? Math.max(known.notBefore, until) : known.notBefore',
    to: 'known.notBefore',
    tests: ['src/core/readiness/round.test.ts'],
  },
  {
    name: 'readiness: a limited credential is left out for good',
    file: 'core/readiness/next-probes.ts',
    from: "passOf(round) === 'first_pass' && onlyPostponed(round, open, now, view)",
    to: 'false',
    tests: ['src/core/readiness/round.test.ts'],
  },
  {
    name: 'readiness: more room without a bound',
    file: 'core/readiness/note-result.ts',
    from: '.escalations.used < settings.maxEscalations',
    to: '.escalations.used >= 0',
    tests: ['src/core/readiness/round.test.ts'],
  },
  {
    name: 'readiness: what nobody has asked is ready',
    file: 'core/readiness/standing.ts',
    from: "availability(state, route, now).state !== 'ready' || wasProved(state, route, now - WORTH * everyMs)",
    to: 'true',
    tests: ['src/core/readiness/build-report.test.ts', 'test/property/readiness.test.ts'],
  },
  {
    name: 'prober: asks again and again for one opening',
    file: 'prober/recover.ts',
    from: 'due === null || asked.get(route.id) === due.opening',
    to: 'due === null',
    tests: ['src/prober/create-prober.test.ts'],
  },
  {
    name: 'prober: recovery probes without a bound',
    file: 'prober/recover.ts',
    from: 'budget.openAt(route.provider, now)',
    to: 'now',
    tests: ['src/prober/create-prober.test.ts'],
  },
  {
    name: 'prober: a storm of rounds where routes are few',
    file: 'prober/schedule.ts',
    from: 'if (mayAt > now) return mayAt;',
    to: '',
    tests: ['src/prober/create-prober.test.ts'],
  },
  {
    name: 'prober: probes go on when it is closed',
    file: 'prober/create-prober.ts',
    from: 'await host.asker.stop();',
    to: '',
    tests: ['src/prober/run-round.test.ts'],
  },
  {
    name: 'prober: a route that has shown no text is ready',
    file: 'prober/run-round.ts',
    from: 'if (noted.isDry) observeDry(host.ports, listed.route);',
    to: '',
    tests: ['src/prober/run-round.test.ts'],
  },
  {
    name: 'metrics: a probe is a request of a client',
    file: 'adapter/telemetry-prometheus/events.ts',
    from: "ended === null || started.kind === 'probe'",
    to: 'ended === null',
    tests: ['test/e2e/readiness.test.ts'],
  },
];
