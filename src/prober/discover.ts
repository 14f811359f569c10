import type { ProviderRuntime } from '../core/routing/provider.ts';
import { type Listed, type ListingPorts, listModels } from './list-models.ts';

/** What one provider gets to list its models. */
export const LIST_LIMIT_MS = 10_000;

export type Discovered = Listed & { readonly provider: string };

/**
 * Asks all of these for their models at once, each for at most ten seconds and none beyond `deadlineAt` (epoch ms). One
 * that fails, or says nothing, keeps nobody else waiting for longer than that. Resolves in the order of `providers`,
 * never rejects. Nothing of it is on record, and nothing of it touches the health of a route: a list is no answer.
 */
export function discover(
  providers: readonly ProviderRuntime[],
  deadlineAt: number,
  ports: ListingPorts,
): Promise<readonly Discovered[]> {
  const until = Math.min(deadlineAt, ports.clock.now() + LIST_LIMIT_MS);
  return Promise.all(
    providers.map(async (provider): Promise<Discovered> => {
      try {
        return { provider: provider.name, ...(await listModels(provider, until, ports)) };
      } catch {
        // A fault of ours with this one's list is no reason to lose the others'.
        return { provider: provider.name, ok: false, reason: 'protocol_error' };
      }
    }),
  );
}
