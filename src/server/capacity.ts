import type { RuntimeConfig } from '../config/runtime.ts';
import type { AvailabilityState } from '../core/health/availability.ts';
import { availability } from '../core/health/availability-of.ts';
import type { HealthState } from '../core/health/state.ts';
import { routesOf } from '../management/scope-view.ts';

/** How many routes are in which state; `able`: those that would be sent to now. */
export type Capacity = { readonly routes: number; readonly able: number } & {
  readonly [S in AvailabilityState]?: number;
};

const ABLE: readonly AvailabilityState[] = ['ready', 'slow', 'half_open'];

export function countCapacity(config: Pick<RuntimeConfig, 'models'>, state: HealthState, now: number): Capacity {
  const found = routesOf(config).map((route) => availability(state, route, now));
  const counts: { [S in AvailabilityState]?: number } = {};
  for (const { state: word } of found) counts[word] = (counts[word] ?? 0) + 1;
  const able = found.filter(({ state: word, told, until }) => {
    if (ABLE.includes(word)) return true;
    // A guessed hold is a last resort, one that has passed is none at all.
    return word === 'deferred' && (!told || until === null || until <= now);
  });
  return { routes: found.length, able: able.length, ...counts };
}
