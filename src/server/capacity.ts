import { listRoutes } from '../config/list-routes.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { AvailabilityState } from '../core/health/availability.ts';
import { availability, trialSlot } from '../core/health/availability-of.ts';
import type { HealthState } from '../core/health/state.ts';
import { placeOf } from '../core/routing/assess-route.ts';

/** How many routes are in which state; `able`: those that would be sent to now. */
export type Capacity = { readonly routes: number; readonly able: number } & {
  readonly [S in AvailabilityState]?: number;
};

export function countCapacity(config: Pick<RuntimeConfig, 'models'>, state: HealthState, now: number): Capacity {
  const found = listRoutes(config).map((route) => {
    const seen = availability(state, route, now);
    return { state: seen.state, isAble: placeOf(seen, trialSlot(state, route, now), now).use !== 'skip' };
  });
  const counts: { [S in AvailabilityState]?: number } = {};
  for (const { state: word } of found) counts[word] = (counts[word] ?? 0) + 1;
  return { routes: found.length, able: found.filter(({ isAble }) => isAble).length, ...counts };
}
