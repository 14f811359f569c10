/** Full jitter over a doubling window, so that many gateways do not come back together. */
export const BACKOFF = { baseMs: 250, capMs: 4000 } as const;

/**
 * Milliseconds before the `repeat`-th repeat (from 1) of the same target. `random` is uniform in [0, 1). A told delay
 * is the floor.
 */
export function backoffMs(repeat: number, random: number, toldDelayMs: number | null): number {
  const window = Math.min(BACKOFF.capMs, BACKOFF.baseMs * 2 ** Math.min(repeat - 1, 10));
  return Math.max(toldDelayMs ?? 0, random * window);
}
