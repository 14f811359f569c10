import type { SimulatedRequest } from '../world/run.ts';

type Interval = { readonly from: number; readonly to: number };

const known = new WeakMap<SimulatedRequest, readonly Interval[]>();

/** When the client's window was full, by what was written to it and how it reads. */
function intervalsOf(request: SimulatedRequest): readonly Interval[] {
  const { client, ask } = request;
  const { windowBytes = Number.POSITIVE_INFINITY, drainMs } = ask.row.client;
  if (!client.wasBlocked) return NONE;
  const before = known.get(request);
  if (before !== undefined) return before;
  const intervals: Interval[] = [];
  let unread = 0;
  let fullUntil = Number.NEGATIVE_INFINITY;
  for (const { at, bytes } of client.writes) {
    if (at >= fullUntil && unread > windowBytes) unread = 0;
    unread += bytes.length;
    if (at < fullUntil || unread <= windowBytes) continue;
    fullUntil = drainMs == null ? Number.POSITIVE_INFINITY : at + drainMs;
    intervals.push({ from: at, to: fullUntil });
  }
  known.set(request, intervals);
  return intervals;
}

const NONE: readonly Interval[] = [];

/** How long, of the time until then, the client kept everybody waiting: no clock ran meanwhile. */
export function blockedMs(request: SimulatedRequest, until: number): number {
  let sum = 0;
  for (const { from, to } of intervalsOf(request)) sum += Math.max(0, Math.min(to, until) - from);
  return sum;
}

/** The longest time for which it read nothing at all. */
export const longestBlockMs = (request: SimulatedRequest, until: number): number =>
  Math.max(0, ...intervalsOf(request).map(({ from, to }) => Math.min(to, until) - from));
