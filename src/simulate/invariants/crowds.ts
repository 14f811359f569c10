import type { StoreFault } from '../scenario/scenario.ts';
import type { Run } from '../world/run.ts';
import { type AttemptCase, HAIR_MS, type RunIndex } from './index-run.ts';
import { CLAIM_MS } from './slack.ts';

/**
 * Whether so many attempts of a provider were under way, at some moment of a span, that its own limit let no more in.
 */
export function wasCrowded({ run, byProvider }: RunIndex, provider: string, from: number, to: number): boolean {
  const limit = run.config.providers.get(provider)?.limits.concurrency ?? null;
  if (limit === null) return false;
  const during = (byProvider.get(provider) ?? []).filter(
    ({ started, ended }) => started.at <= to + HAIR_MS && (ended === null || ended.at >= from - HAIR_MS),
  );
  if (during.length < limit) return false;
  return during.some(({ started: { at } }) => countAt(during, Math.max(at, from)) >= limit);
}

const countAt = (attempts: readonly AttemptCase[], moment: number): number =>
  attempts.filter(({ started, ended }) => started.at <= moment && (ended === null || ended.at >= moment)).length;

/** Claims could not be had, or came late, at some moment of a span. */
export function hadNoClaims({ scenario, startedAt }: Run, from: number, to: number): boolean {
  const isOn = ({ port, fromMs, untilMs }: StoreFault): boolean =>
    port === 'claims' && startedAt + fromMs <= to && (untilMs === null || startedAt + untilMs >= from - CLAIM_MS);
  return scenario.stores.some(isOn);
}
