/**
 * Whether some model has so many ready routes. `ready` has each model's count; where there is no model, nobody waits for
 * one.
 */
export const hasReady = (ready: ReadonlyMap<string, number>, min: number): boolean =>
  ready.size === 0 || [...ready.values()].some((count) => count >= min);
