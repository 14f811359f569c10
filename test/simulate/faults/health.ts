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
    from: 'assessed.map(({ target }) => target.tier))].sort((a, b) => a - b)',
    to: 'assessed.map(({ target }) => target.tier))].sort((a, b) => b - a)',
  },
  {
    name: 'slow routes are out',
    file: 'core/routing/plan-route.ts',
    from: 'PLACES.flatMap((place) =>',
    to: 'PLACES.slice(0, 1).flatMap((place) =>',
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
    from: '  for (const each of candidates) if (isShut(each)) told.delete(each.route.id);\n',
    to: '',
  },
  {
    name: 'the latest return is told',
    file: 'core/failure/answer-wait.ts',
    from: 'Math.min(...moments)',
    to: 'Math.max(...moments)',
  },
];
