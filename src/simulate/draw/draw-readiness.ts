import type { Behaviour, ProviderRow } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { between, perhaps, spread, type Weighted, weigh } from './dice.ts';
import type { Layout } from './layout.ts';
import type { Temper } from './temper.ts';

type Data = Readonly<Record<string, unknown>>;
type Mode = 'off' | 'recovery' | 'full' | null;

const MODES: Weighted<Mode> = [
  [14, 'off'],
  [1, null],
  [3, 'recovery'],
  [3, 'full'],
];

/** In worlds of hours probes are most of what happens, and none of it is news. */
const MODES_OF_HOURS: Weighted<Mode> = [
  [40, 'off'],
  [1, null],
  [1, 'full'],
];

export type DrawnReadiness = { readonly config: Data; readonly rows: readonly ProviderRow[] };

/** What is probed, within which bounds; and, where there are rounds, pools in which only some routes are of use. */
export function drawReadiness(chance: Chance, layout: Layout, forMs: number, { pace }: Temper): DrawnReadiness {
  const mode = weigh(chance, pace.name === 'hours' ? MODES_OF_HOURS : MODES);
  if (mode === null) return { config: {}, rows: [] };
  const probe = { mode, ...(mode === 'off' ? {} : drawBounds(chance, forMs, mode)) };
  const hasPool = mode === 'full' && chance.happens(0.4);
  return { config: { readiness: { probe } }, rows: hasPool ? drawPool(chance, layout, forMs) : [] };
}

function drawBounds(chance: Chance, forMs: number, mode: Mode): Data {
  // A few rounds in a world are enough to see what one is like.
  const everyMs = Math.max(1000, Math.round(forMs / between(chance, 1, 4)));
  return {
    ...(mode === 'full' || chance.happens(0.5) ? { every: `${everyMs}ms` } : {}),
    ...perhaps(chance, 0.6, () => ({ targetReady: chance.pick([1, 2, 3, 8]) })),
    ...perhaps(chance, 0.5, () => ({ maxProbes: chance.pick([1, 2, 3, 5, 12]) })),
    ...perhaps(chance, 0.4, () => ({ maxTime: chance.pick(['200ms', '2s', '10s', '2m']) })),
    ...perhaps(chance, 0.3, () => ({ maxTokens: chance.pick([20, 60, 300, 1200, 5000]) })),
    ...perhaps(chance, 0.4, () => ({ slowAfter: chance.pick(['100ms', '1s', '5s']) })),
    ...perhaps(chance, 0.4, () => ({ tokens: chance.pick([8, 32, 48]) })),
    ...perhaps(chance, 0.4, () => ({ escalatedTokens: chance.pick([128, 300, 2000]) })),
    ...perhaps(chance, 0.5, () => ({ maxEscalations: chance.pick([0, 1, 2]) })),
  };
}

/** What becomes of the routes of a pool: of use, listed and not there, limited, silent, or too talkative. */
const FATES: Weighted<(chance: Chance) => Behaviour | null> = [
  [4, () => null],
  [2, () => ({ status: 404, error: { code: 'model_not_found', message: 'The model does not exist.' } })],
  [2, (chance) => ({ status: 429, retryAfterMs: spread(chance, 300, 60_000), toldAs: chance.pick(['ms', 'seconds']) })],
  [2, () => ({ status: 429 })],
  [1, () => ({ headMs: null })],
  [1, () => ({ status: 500 })],
  [3, (chance) => ({ needsTokens: chance.pick([12, 40, 100, 500, 3000]) })],
];

function drawPool(chance: Chance, { providers }: Layout, forMs: number): readonly ProviderRow[] {
  return providers.flatMap(({ name, models, credentials }) =>
    models.flatMap((model) =>
      credentials.flatMap((credential): readonly ProviderRow[] => {
        const does = weigh(chance, FATES)(chance);
        const routes = `${name}/${model}#${credential}`;
        const untilMs = chance.happens(0.4) ? null : spread(chance, 1, forMs);
        return does === null ? [] : [{ routes, fromMs: 0, untilMs, does }];
      }),
    ),
  );
}
