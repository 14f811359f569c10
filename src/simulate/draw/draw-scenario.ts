import type { OperatorAct, Scenario, StoreFault } from '../scenario/scenario.ts';
import { type Chance, createChance } from '../world/chance.ts';
import { between, spread, times } from './dice.ts';
import { drawAsks } from './draw-asks.ts';
import { drawConfig } from './draw-config.ts';
import { drawReadiness } from './draw-readiness.ts';
import { drawAccounts, drawProviderRows, edgesOf } from './draw-rows.ts';
import type { Layout } from './layout.ts';
import { drawTemper } from './temper.ts';

/**
 * A world for a seed: always the same. Wide and adversarial, but most worlds see successes and failures. Its configuration
 * loads. Parts are drawn apart, so that a change in how one is drawn leaves the others as they were.
 */
export function drawScenario(seed: number): Scenario {
  const chance = createChance(seed).split('scenario');
  const temper = drawTemper(chance.split('temper'));
  const forMs = spread(chance.split('time'), ...temper.pace.forMs);
  const { config, layout } = drawConfig(chance.split('config'), temper.isReturn ? forMs : null);
  const readiness = drawReadiness(chance.split('readiness'), layout, forMs, temper);
  const providers = [...readiness.rows, ...drawProviderRows(chance.split('providers'), layout, forMs, temper)];
  const edges = edgesOf(providers, forMs);
  return {
    seed,
    config: { ...config, ...readiness.config },
    forMs,
    asks: drawAsks(chance.split('asks'), { layout, forMs, temper, edges }),
    providers,
    accounts: drawAccounts(chance.split('accounts'), layout),
    acts: drawActs(chance.split('acts'), layout, forMs),
    stores: drawStores(chance.split('stores'), forMs),
  };
}

/** In few worlds somebody interferes. */
function drawActs(chance: Chance, layout: Layout, forMs: number): readonly OperatorAct[] {
  if (!chance.happens(0.12)) return [];
  const acts = times(between(chance, 1, 2), (): readonly OperatorAct[] => {
    const id = drawId(chance, layout);
    const atMs = chance.below(forMs);
    if (chance.happens(0.5)) return [{ atMs, does: 'reset', id }];
    const later = { atMs: between(chance, atMs, forMs), does: 'enable', id } as const;
    return [{ atMs, does: 'disable', id }, ...(chance.happens(0.8) ? [later] : [])];
  }).flat();
  const drain = { atMs: between(chance, forMs >> 1, forMs), does: 'drain' } as const;
  return [...acts, ...(chance.happens(0.15) ? [drain] : [])];
}

function drawId(chance: Chance, { providers }: Layout): string {
  const { name, endpoint, credentials, models } = chance.pick(providers);
  const credential = chance.pick(credentials);
  const target = `${name}/${models[0] ?? 'm1'}`;
  return chance.pick([target, `${target}#${credential}`, `${name}/${credential}`, endpoint]);
}

/** In very few worlds a part of the gateway itself fails. */
function drawStores(chance: Chance, forMs: number): readonly StoreFault[] {
  if (!chance.happens(0.07)) return [];
  const port = chance.pick(['ledger', 'health', 'claims', 'claims', 'telemetry'] as const);
  const how = port === 'claims' ? chance.pick(['throws', 'late', 'late', 'never'] as const) : 'throws';
  const fromMs = chance.happens(0.5) ? 0 : chance.below(forMs);
  return [
    {
      port,
      how,
      ...(how === 'late' ? { ms: spread(chance, 10, 500) } : {}),
      fromMs,
      untilMs: chance.happens(0.5) ? null : between(chance, fromMs + 1, forMs),
    },
  ];
}
