import type { ModelSettings } from '../core/model/settings.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import { COUNT_CODECS } from '../protocol/index.ts';
import type { ServerContext } from './context.ts';
import type { Exchange, Identity } from './exchange.ts';
import type { RefusedInference } from './hand-over.ts';
import { serveBody } from './serve-inference.ts';

/** With an estimate at hand nobody waits long for a number. */
export const COUNT_LIMITS = { wholeMs: 10_000, commitMs: 15_000 } as const;

/** Counts the tokens of a request, or says why not. Resolves when the client has its end. */
export function serveCount(
  exchange: Exchange,
  identity: Identity,
  context: ServerContext,
): Promise<RefusedInference | null> {
  const codec = COUNT_CODECS.get(exchange.protocol);
  // Clients count the same again and again, many at a time, and repeat nothing.
  return serveBody(exchange, identity, { codec, isTurn: false, kind: 'count', adapt: forCounting }, context);
}

/** The model, as it is asked where there is an estimate to fall back on. */
export const forCounting = (model: VirtualModel): VirtualModel => ({
  ...model,
  settings: quick(model.settings),
  targets: model.targets.map((target) => ({ ...target, settings: quick(target.settings) })),
});

/** One look at each target: no waits, no repeats. */
function quick(settings: ModelSettings): ModelSettings {
  const { timeouts, retry } = settings;
  return {
    ...settings,
    timeouts: {
      ...timeouts,
      wholeMs: Math.min(timeouts.wholeMs, COUNT_LIMITS.wholeMs),
      commitMs: Math.min(timeouts.commitMs, COUNT_LIMITS.commitMs),
    },
    retry: { ...retry, sameTarget: 0, waitForCooldownMs: 0, preferSameTarget: false },
  };
}
