import type { Fault } from './fault.ts';

/** What a request does next, and what is on record of it. */
export const attemptFaults: readonly Fault[] = [
  {
    name: 'one attempt too many',
    file: 'core/attempt/next-step.ts',
    from: 'chargedAttempts(ledger) >= policy',
    to: 'chargedAttempts(ledger) > policy',
  },
  {
    name: 'a request without failover fails over',
    file: 'core/attempt/next-step.ts',
    from: "  if (!policy.failover) return { type: 'fail', ending: 'failover_off' };\n",
    to: '',
  },
  {
    name: 'the first failure ends the request',
    file: 'core/attempt/next-step.ts',
    from: 'return repeatWithout(input, last) ?? repeatSame(input, last) ?? onward(input, last);',
    to: "return { type: 'fail', ending: 'exhausted' };",
  },
  {
    name: 'a target is repeated once too often',
    file: 'core/attempt/next-step.ts',
    from: 'sends.length > allowed',
    to: 'sends.length > allowed + 1',
  },
  {
    name: 'the replay of a stale socket is charged',
    file: 'core/attempt/next-step.ts',
    from: '    charged: false,',
    to: '    charged: true,',
  },
  {
    name: 'a repeat goes into the hold that another request was told of',
    file: 'core/attempt/next-step.ts',
    from: 'until !== null && until <= at)',
    to: 'until !== null)',
  },
  {
    name: 'a route that was tried is tried again before the others',
    file: 'core/attempt/pick.ts',
    from: 'tried.every((attempt) => attempt.route !== candidate.route.id) &&',
    to: 'tried.slice(0, -1).every((attempt) => attempt.route !== candidate.route.id) &&',
  },
  {
    name: 'the last route of a plan is never asked',
    file: 'core/attempt/pick.ts',
    from: 'return input.plan.candidates.filter(',
    to: 'return input.plan.candidates.slice(0, Math.max(1, input.plan.candidates.length - 1)).filter(',
  },
  {
    name: 'a refusal counts as an unknown outcome',
    file: 'core/attempt/replay.ts',
    from: "return replay === 'auto' && effects.length === 0;",
    to: "return replay === 'auto' && effects.length > 0;",
  },
  {
    name: 'an attempt is not on record',
    file: 'engine/make-attempt.ts',
    from: '  recordAttempt(context, step, n, outgoing);\n',
    to: '  if (n !== 2) recordAttempt(context, step, n, outgoing);\n',
  },
  {
    name: 'an attempt has no end on record',
    file: 'engine/settle-attempt.ts',
    from: "  record(context, {\n    type: 'attempt_ended',",
    to: "  if (verdict.outcome !== 'client_closed') record(context, {\n    type: 'attempt_ended',",
  },
  {
    name: 'usage of whole answers is lost',
    file: 'engine/settle-attempt.ts',
    from: '    usage: attempt.usage(),',
    to: '    usage: isDone ? null : attempt.usage(),',
  },
  {
    name: 'a repeat does not wait for the told hold',
    file: 'core/attempt/next-step.ts',
    from: "  if (now < at) return { type: 'wait', untilAt: at, newRound: false, route: null, why };\n",
    to: '',
  },
  {
    name: 'a told delay is no floor of the pause before a repeat',
    file: 'core/attempt/backoff.ts',
    from: 'Math.max(toldDelayMs ?? 0, random * window)',
    to: 'random * window',
  },
  {
    name: 'what a stale socket may have carried is sent again',
    file: 'core/attempt/replay.ts',
    from: "attempt.phase === 'connecting') return true;",
    to: "attempt.phase === 'connecting' || attempt.outcome === 'stale_socket') return true;",
  },
  {
    name: 'an unknown outcome counts as a refusal',
    file: 'core/attempt/replay.ts',
    from: "  return replay === 'auto' && effects.length === 0;",
    to: "  return replay === 'auto' || effects.length > 0;",
  },
];
