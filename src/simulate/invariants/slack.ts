import type { Run } from '../world/run.ts';

/** Longest wait for a claim. */
export const CLAIM_MS = 50;

/** Between choice and send lies the wait for a place, where the provider has a limit, and that for a claim. */
export function slackMs({ config, scenario }: Run, provider: string): number {
  const limits = config.providers.get(provider)?.limits;
  const queueMs = limits === undefined || limits.concurrency === null ? 0 : limits.queueMs;
  return queueMs + (scenario.stores.some(({ port }) => port === 'claims') ? CLAIM_MS : 0);
}
