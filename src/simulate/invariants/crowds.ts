import type { StoreFault } from '../scenario/scenario.ts';
import type { Run } from '../world/run.ts';
import { type AttemptCase, HAIR_MS, type RunIndex, TICK_MS } from './index-run.ts';
import { CLAIM_MS } from './slack.ts';

/**
 * Whether a request may have found no place at a provider in a span: so many attempts were under way for as long as
 * somebody waits for a place, without a gap in which one was free.
 */
export function wasCrowded(index: RunIndex, provider: string, from: number, to: number): boolean {
  const limits = index.run.config.providers.get(provider)?.limits;
  // Who has a place may be waiting for a claim, which nobody sees.
  if (limits?.concurrency != null && hadNoClaims(index.run, from, to)) return true;
  return fullFor(index, provider, from, to) >= (limits?.queueMs ?? 0) - TICK_MS;
}

/** Whether there was no place at some moment of a span, so that whoever was there may have had to wait. */
export const wasFull = (index: RunIndex, provider: string, from: number, to: number): boolean =>
  fullFor(index, provider, from, to) >= -HAIR_MS;

/** The longest time within a span in which a provider's limit was reached; negative infinity: never. */
function fullFor({ run, byProvider }: RunIndex, provider: string, from: number, to: number): number {
  const limit = run.config.providers.get(provider)?.limits.concurrency ?? null;
  if (limit === null) return Number.NEGATIVE_INFINITY;
  const during = (byProvider.get(provider) ?? []).filter(
    ({ started, ended }) => started.at <= to + HAIR_MS && (ended === null || ended.at >= from - HAIR_MS),
  );
  return during.length < limit ? Number.NEGATIVE_INFINITY : longestFull(during, limit, from, to);
}

function longestFull(attempts: readonly AttemptCase[], limit: number, from: number, to: number): number {
  const changes = attempts
    .flatMap(({ started, ended }) => [
      { at: started.at, by: 1 },
      { at: ended?.at ?? Number.POSITIVE_INFINITY, by: -1 },
    ])
    // A place that is handed on is taken before it is free.
    .toSorted((a, b) => a.at - b.at || b.by - a.by);
  let count = 0;
  let since = 0;
  let longest = Number.NEGATIVE_INFINITY;
  for (const { at, by } of changes) {
    count += by;
    if (by > 0 && count === limit) since = at;
    const isOverlapping = Math.max(since, from) <= Math.min(at, to) + HAIR_MS;
    if (by < 0 && count === limit - 1 && isOverlapping)
      longest = Math.max(longest, Math.min(at, to) - Math.max(since, from));
  }
  return longest;
}

/** Claims could not be had, or came late, at some moment of a span. */
export function hadNoClaims({ scenario, startedAt }: Run, from: number, to: number): boolean {
  const isOn = ({ port, fromMs, untilMs }: StoreFault): boolean =>
    port === 'claims' && startedAt + fromMs <= to && (untilMs === null || startedAt + untilMs >= from - CLAIM_MS);
  return scenario.stores.some(isOn);
}
