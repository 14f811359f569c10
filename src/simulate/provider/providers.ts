import { matchesGlob } from '../../config/glob.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Behaviour, ProviderRow } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { createHistory, type History } from './history.ts';

export type RouteView = Pick<Route, 'provider' | 'model' | 'credential'>;

/** Who decides how a provider behaves. Moments are milliseconds from the beginning of the world. */
export type Providers = {
  /** What becomes of a send at this moment; it counts as one. */
  behave(route: RouteView, at: number): Behaviour;
  /** What would become of one more send at a moment that may be past. It counts nowhere. */
  peek(route: RouteView, at: number): Behaviour;
};

/** A row as one route sees it. */
type RouteRow = { readonly row: ProviderRow; readonly counter: History<number>; readonly name: string };

const GOOD: Behaviour = {};

/** The first row that applies decides. Shares are drawn from row, route and count alone, so that a peek draws the same. */
export function createProviders(rows: readonly ProviderRow[], chance: Chance): Providers {
  const perRoute = new Map<string, readonly RouteRow[]>();
  const rowsOf = (route: RouteView): readonly RouteRow[] => {
    const id = `${route.provider}/${route.model}#${route.credential}`;
    const known = perRoute.get(id);
    if (known !== undefined) return known;
    const made = rows.flatMap((row, index) =>
      fits(row.routes, route) ? [{ row, counter: createHistory(0), name: `${index} ${id}` }] : [],
    );
    perRoute.set(id, made);
    return made;
  };
  const decide = (route: RouteView, at: number, countOf: (counter: History<number>) => number): Behaviour => {
    for (const { row, counter, name } of rowsOf(route)) {
      if (!isOn(row, at)) continue;
      const count = countOf(counter);
      if (isCounted(row, count) && isDrawn(row, () => chance.split(`${name} ${count}`))) return row.does;
    }
    return GOOD;
  };
  return {
    behave: (route, at) =>
      decide(route, at, (counter) => {
        const count = counter.now();
        counter.set(at, count + 1);
        return count;
      }),
    peek: (route, at) => decide(route, at, (counter) => counter.at(at)),
  };
}

/** A pattern without `#` means every credential. */
function fits(pattern: string, { provider, model, credential }: RouteView): boolean {
  const target = `${provider}/${model}`;
  return matchesGlob(pattern, pattern.includes('#') ? `${target}#${credential}` : target);
}

function isOn({ fromMs, untilMs, flap }: ProviderRow, at: number): boolean {
  if (at < fromMs || (untilMs !== null && at >= untilMs)) return false;
  if (flap === undefined) return true;
  const round = flap.onMs + flap.offMs;
  return round <= 0 || (at - fromMs) % round < flap.onMs;
}

const isCounted = ({ sends }: ProviderRow, count: number): boolean =>
  sends === undefined || (count >= sends.from && (sends.to === null || count < sends.to));

const isDrawn = ({ share }: ProviderRow, chance: () => Chance): boolean =>
  share === undefined || chance().happens(share);
