import type { AccountRow, ProviderRow, Span } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { between, spread, times, type Weighted, weigh } from './dice.ts';
import { drawAnswer, drawFailure } from './draw-behaviour.ts';
import type { Layout } from './layout.ts';
import { comeBack, drawStory } from './stories.ts';
import type { Temper } from './temper.ts';

/** What providers do: faults by the temper of the world, and how they answer where nothing is wrong. */
export function drawProviderRows(
  chance: Chance,
  layout: Layout,
  forMs: number,
  temper: Temper,
): readonly ProviderRow[] {
  const faults = times(between(chance, ...temper.faults), () =>
    chance.happens(0.3)
      ? drawStory(chance, { forMs, ...placeOf(chance, layout) })
      : [drawFault(chance, layout, forMs, temper)],
  ).flat();
  const voices = times(between(chance, 1, 3), (n) => drawVoice(chance, n === 0 ? '*' : placeOf(chance, layout).routes));
  // The one for all stands last: the first that applies decides.
  const returns = temper.isReturn ? comeBack(chance, { forMs, routes: '*' }) : [];
  return [...returns, ...faults, ...voices.toReversed()];
}

const ALWAYS: Span = { fromMs: 0, untilMs: null };

const drawVoice = (chance: Chance, routes: string): ProviderRow => ({ ...ALWAYS, routes, does: drawAnswer(chance) });

type Place = { readonly routes: string; readonly isEverywhere: boolean };

/** A part of the world: a credential of a target, a target, a provider, a credential everywhere, or all of it. */
function placeOf(chance: Chance, { providers }: Layout): Place {
  const provider = chance.pick(providers);
  const { name, credentials, models } = provider;
  const model = models.length === 0 ? '*' : chance.pick(models);
  const isOnly = providers.length === 1;
  return weigh<Place>(chance, [
    [3, { routes: `${name}/${model}`, isEverywhere: isOnly && models.length < 2 }],
    [3, { routes: `${name}/*`, isEverywhere: isOnly }],
    [2, { routes: `${name}/${model}#${chance.pick(credentials)}`, isEverywhere: false }],
    [1, { routes: `${name}/*#${chance.pick(credentials)}`, isEverywhere: isOnly && credentials.length < 2 }],
    [1, { routes: '*', isEverywhere: true }],
  ]);
}

function drawFault(chance: Chance, layout: Layout, forMs: number, temper: Temper): ProviderRow {
  const { routes, isEverywhere } = placeOf(chance, layout);
  const does = drawFailure(chance);
  if (!chance.happens(temper.isTotal)) {
    const share = chance.pick([0.05, 0.2, 0.4, 0.7]);
    return { ...(chance.happens(0.5) ? ALWAYS : drawSpan(chance, forMs, 1)), routes, share, does };
  }
  // What is down everywhere is back after a while, or nothing could succeed.
  const isShort = isEverywhere && !temper.isHopeless;
  return { ...drawLasting(chance, forMs, isShort), routes, does };
}

type Lasting = Span & Pick<ProviderRow, 'sends' | 'flap'>;

function drawLasting(chance: Chance, forMs: number, isShort: boolean): Lasting {
  return weigh<() => Lasting>(chance, [
    [3, () => drawSpan(chance, forMs, isShort ? 0.3 : 1)],
    [isShort ? 0 : 2, () => ALWAYS],
    [3, () => ({ ...ALWAYS, sends: drawSends(chance) })],
    [
      2,
      () => ({
        ...drawSpan(chance, forMs, 1),
        flap: { onMs: spread(chance, 50, forMs), offMs: spread(chance, 50, forMs) },
      }),
    ],
  ])();
}

/** At most so much of the time of the world. */
function drawSpan(chance: Chance, forMs: number, most: number): Span {
  const lastsMs = spread(chance, 1, Math.max(1, Math.round(forMs * most)));
  const fromMs = chance.happens(0.4) ? 0 : chance.below(Math.max(1, forMs - lastsMs));
  return { fromMs, untilMs: fromMs + lastsMs };
}

function drawSends(chance: Chance): NonNullable<ProviderRow['sends']> {
  const from = chance.happens(0.6) ? 0 : chance.below(10);
  return { from, to: from + spread(chance, 1, 12) };
}

const PER_MINUTE: Weighted<number | null> = [
  [2, null],
  [1, 2],
  [2, 20],
  [1, 300],
];

/** Limits that providers keep: in few worlds, for one account or all. */
export function drawAccounts(chance: Chance, { providers }: Layout): readonly AccountRow[] {
  if (!chance.happens(0.3)) return [];
  return times(between(chance, 1, 2), () => {
    const { name, credentials } = chance.pick(providers);
    return {
      account: chance.happens(0.5) ? `${name}/*` : `${name}/${chance.pick(credentials)}`,
      perModel: chance.happens(0.5),
      perMinute: weigh(chance, PER_MINUTE),
      burst: between(chance, 1, 10),
      concurrency: chance.happens(0.3) ? between(chance, 1, 5) : null,
      total: chance.happens(0.25) ? between(chance, 0, 20) : null,
      tells: chance.happens(0.7),
    };
  });
}

/** Moments at which something changes, for those who ask just then. */
export function edgesOf(rows: readonly ProviderRow[], forMs: number): readonly number[] {
  const edges = rows.flatMap(({ fromMs, untilMs, flap }) => [
    fromMs,
    ...(untilMs === null ? [] : [untilMs]),
    ...(flap === undefined ? [] : [fromMs + flap.onMs, fromMs + flap.onMs + flap.offMs]),
  ]);
  return [...new Set([0, ...edges])].filter((edge) => edge < forMs);
}
