import { createSystemClock } from '../adapter/clock-system/index.ts';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { planRoute } from '../core/routing/plan-route.ts';
import { tellDrops } from '../engine/tell-drops.ts';
import { createManagement, type ManagementAnswer } from '../management/index.ts';
import { translatorOf } from '../protocol/translate/index.ts';
import { readRequest } from './planning.ts';

/**
 * What `POST /plan` of a gateway would say that has just started with this configuration: everything is in good health.
 */
export function planOffline(
  config: RuntimeConfig,
  asked: { readonly body: Uint8Array; readonly protocol: string | null },
): Promise<ManagementAnswer> {
  const clock = createSystemClock();
  const health = createMemoryHealthStore({ settings: () => config.health });
  const management = createManagement({
    ledger: createMemoryLedgerStore(),
    health,
    clock,
    planning: {
      readRequest,
      plan: ({ request, model }) => {
        const { plan } = planRoute({
          request,
          model,
          health: health.snapshot(),
          rotation: {},
          affinityRoute: null,
          now: clock.now(),
          random: 0,
          baseOrder: null,
          translation: (to) => translatorOf(request).lacks(to),
        });
        return tellDrops(plan, { request });
      },
    },
  });
  return management.handle({
    method: 'POST',
    path: '/plan',
    query: new URLSearchParams(asked.protocol === null ? {} : { protocol: asked.protocol }),
    headers: {},
    body: asked.body,
    config,
  });
}
