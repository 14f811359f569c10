import type { Fault } from './fault.ts';

/** Holds, circuits, the order of service, and what clients are told of them. */
export const healthFaults: readonly Fault[] = [
  {
    name: 'a told hold is a last resort',
    file: 'core/routing/assess-route.ts',
    from: "  if (seen.told) return skipped('skipped_cooldown', 'held by the word of its server: %');\n",
    to: '',
  },
  {
    name: 'told holds are half as long',
    file: 'core/health/hold.ts',
    from: 'Math.min(toldMs > 0 ? toldMs : SHORTEST_TOLD_MS, settings.cooldown.maxMs)',
    to: 'Math.min(toldMs > 0 ? toldMs / 2 : SHORTEST_TOLD_MS, settings.cooldown.maxMs)',
  },
  {
    name: 'a success ends a told hold',
    file: 'core/health/hold.ts',
    from: '(isTold(hold, at) || startedAt < hold.since)',
    to: 'startedAt > hold.since',
  },
  {
    name: 'the header in milliseconds is not read',
    file: 'core/failure/retry-after.ts',
    from: '  if (ms !== null) return ms;\n',
    to: '',
  },
  {
    name: 'a full circuit lets one more in',
    file: 'core/health/circuit.ts',
    from: 'liveClaims(circuit.open, now).length < (',
    to: 'liveClaims(circuit.open, now).length <= (',
  },
  {
    name: 'an open circuit is half-open at once',
    file: 'core/health/circuit.ts',
    from: 'open.rung === 0 && now < open.until',
    to: 'open.rung === 0 && now < open.since',
  },
  {
    name: 'trials are sent without a claim',
    file: 'engine/send-step.ts',
    from: 'if (needsClaim && !(await claimTrial(context, route))) {',
    to: 'if (needsClaim && context.busy.has(route.id) && !(await claimTrial(context, route))) {',
  },
  {
    name: 'the endpoint’s place is not taken',
    file: 'core/health/claim-trial.ts',
    from: "put(put(state, 'route', route, ofRoute), 'endpoint', route, ofEndpoint)",
    to: "put(state, 'route', route, ofRoute)",
  },
  {
    name: 'the last tier comes first',
    file: 'core/routing/plan-route.ts',
    from: '  a.target.tier - b.target.tier ||',
    to: '  b.target.tier - a.target.tier ||',
  },
  {
    name: 'slow routes are out',
    file: 'core/routing/plan-route.ts',
    from: "assessed.filter(({ place }) => place !== 'out')",
    to: "assessed.filter(({ place }) => place !== 'out' && place !== PLACES[1])",
  },
  {
    name: 'a wait is told too short',
    file: 'core/failure/answer-wait.ts',
    from: 'Math.max(1, Math.ceil((delay *',
    to: 'Math.max(1, Math.floor((0.5 * delay *',
  },
  {
    name: 'a delay is told from the start of its attempt',
    file: 'core/failure/answer-wait.ts',
    from: 'attempt.cooldownUntil ?? attempt.endedAt + delay',
    to: 'attempt.startedAt + delay',
  },
  {
    name: 'a return is promised for a route that is shut',
    file: 'core/failure/answer-wait.ts',
    from: 'if (isShut(each) || !couldServe(each)) told.delete(',
    to: 'if (!couldServe(each)) told.delete(',
  },
  {
    name: 'the latest return is told',
    file: 'core/failure/answer-wait.ts',
    from: 'Math.min(...moments)',
    to: 'Math.max(...moments)',
  },
  {
    name: 'a later told hold cuts a longer one short',
    file: 'core/health/hold.ts',
    from: 'if (before === null || isTold(before, cause.at)) return before;',
    to: 'if (before === null) return before;',
  },
  {
    name: 'dates are read against our own clock',
    file: 'core/failure/retry-after.ts',
    from: "parseHttpDate(headers['date'] ?? '') ?? at",
    to: 'at',
  },
  {
    name: 'a recovered circuit takes all at once',
    file: 'core/health/circuit.ts',
    from: 'export const RAMP = [1, 2, 4, 8] as const;',
    to: 'export const RAMP = [1] as const;',
  },
  {
    name: 'the rungs of the ramp are twice as wide',
    file: 'core/health/circuit.ts',
    from: 'export const RAMP = [1, 2, 4, 8] as const;',
    to: 'export const RAMP = [1, 4, 8, 16] as const;',
  },
  {
    name: 'a trial without a verdict keeps its place',
    file: 'core/health/observe.ts',
    from: '  released: onReleased,',
    to: '  released: (state) => state,',
  },
  {
    name: 'the place of a late claim is lost',
    file: 'engine/claim-trial.ts',
    from: '  if (granted === null) void answer.then((late) => late && releaseTrial(context, route));\n',
    to: '',
  },
  {
    name: 'an early trial beside another',
    file: 'core/routing/plan-route.ts',
    from: 'baseOrder !== null || able.some(isTaken)',
    to: 'baseOrder !== null',
  },
  {
    name: 'no circuit opens early',
    file: 'core/routing/plan-route.ts',
    from: 'inService.length > 0 ? inService : earlyTrial(input, assessed)',
    to: 'inService',
  },
  {
    name: 'a circuit that opens early lets all in',
    file: 'core/routing/plan-route.ts',
    from: "use: 'trial', skip: null, reason }",
    to: "use: 'serve', skip: null, reason }",
  },
  {
    name: 'a circuit opens early for repeats',
    file: 'core/routing/plan-route.ts',
    from: 'baseOrder !== null || able',
    to: 'able',
  },
];
