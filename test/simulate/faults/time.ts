import type { Fault } from './fault.ts';

/** Clocks, slow clients, and what is left behind. */
export const timeFaults: readonly Fault[] = [
  {
    name: 'no clock of the request runs behind the first wait',
    file: 'engine/request-context.ts',
    from: "if (now >= context.totalAt) stopRequest(context, 'timeout_total');",
    to: "if (now >= context.totalAt + 60_000) stopRequest(context, 'timeout_total');",
  },
  {
    name: 'the commit time is not kept',
    file: 'engine/request-context.ts',
    from: "else if (!context.isCommitted && now >= context.commitAt) stopRequest(context, 'timeout_commit');",
    to: '',
  },
  {
    name: 'the clocks of an attempt are never looked at',
    file: 'engine/request-context.ts',
    from: '    context.attempt?.checkClocks(now);\n',
    to: '',
  },
  {
    name: 'a head may take ten times as long',
    file: 'core/attempt/clocks.ts',
    from: "expiry('headers', sentAt, timeouts.headersMs)",
    to: "expiry('headers', sentAt, timeouts.headersMs * 10)",
  },
  {
    name: 'first output may take twice as long',
    file: 'core/attempt/clocks.ts',
    from: "expiry('firstOutput', sentAt, timeouts.firstOutputMs)",
    to: "expiry('firstOutput', sentAt, timeouts.firstOutputMs * 2)",
  },
  {
    name: 'a JSON answer has all clocks',
    file: 'core/attempt/clocks.ts',
    from: "  if (!stream) return expiry('whole', sentAt, timeouts.wholeMs);\n",
    to: '',
  },
  {
    name: 'a client that left is served on',
    file: 'engine/request-context.ts',
    from: "onClose: () => guard(context, () => stopRequest(context, 'client_left')),",
    to: 'onClose: () => {},',
  },
  {
    name: 'a stalled client is waited for',
    file: 'engine/request-context.ts',
    from: "stopRequest(context, 'client_stalled');",
    to: 'arm(context);',
  },
  {
    name: 'a slow client does not pause the provider',
    file: 'engine/request-context.ts',
    from: '  context.attempt?.pause(now);\n',
    to: '',
  },
  {
    name: 'an attempt that was stopped leaves its socket open',
    file: 'engine/run-attempt.ts',
    from: '      this.#exchange.abort();\n      return;',
    to: '      return;',
  },
  {
    name: 'a socket may linger behind the answer for ever',
    file: 'engine/run-attempt.ts',
    from: '    this.#linger = this.#input.clock.setTimer(LINGER_MS, () => this.#exchange.abort());\n',
    to: '',
  },
  {
    name: 'bytes stay counted',
    file: 'engine/create-engine.ts',
    from: '      context.holding.close();\n',
    to: '',
  },
  {
    name: 'requests stay under way',
    file: 'engine/create-engine.ts',
    from: '      underway.delete(context);\n',
    to: '',
  },
  {
    name: 'a place is never given back',
    file: 'engine/send-step.ts',
    from: '    place?.();\n',
    to: '',
  },
  {
    name: 'a ledger that throws ends the request',
    file: 'engine/guard-ports.ts',
    from: "append: guard('the ledger', undefined, (fact) => ledger.append(fact))",
    to: 'append: (fact) => ledger.append(fact)',
  },
  {
    name: 'the commit time ends a committed answer',
    file: 'engine/request-context.ts',
    from: 'else if (!context.isCommitted && now >= context.commitAt) stop',
    to: 'else if (now >= context.commitAt) stop',
  },
  {
    name: 'a slow client that comes back is not heard',
    file: 'engine/request-context.ts',
    from: 'onDrain: () => guard(context, () => unblock(context)),',
    to: 'onDrain: () => {},',
  },
  {
    name: 'the total time runs on while the client is blocked',
    file: 'engine/request-context.ts',
    from: 'totalAt: totalAt + blockedMs',
    to: 'totalAt',
  },
  {
    name: 'clocks of an attempt run on while the client is blocked',
    file: 'engine/attempt-clocks.ts',
    from: '    shift(this.#moments, this.#pausedAt, now);\n',
    to: '',
  },
  {
    name: 'a timer outlives its request',
    file: 'engine/create-engine.ts',
    from: '      context.wake.stop();\n',
    to: '',
  },
  {
    name: 'nobody waits for a place',
    file: 'engine/limiter.ts',
    from: 'clock.setTimer(queueMs, () => leave(null))',
    to: 'clock.setTimer(0, () => leave(null))',
  },
  {
    name: 'who waits for a place is never woken',
    file: 'engine/limiter.ts',
    from: '    admitWaiters(line);\n  };',
    to: '  };',
  },
  {
    name: 'one more than a provider’s limit',
    file: 'engine/limiter.ts',
    from: 'taken < limit;',
    to: 'taken <= limit;',
  },
];
