import {
  addReconciliations,
  EMPTY_RECONCILIATION,
  type Reconciliation,
  reconcileRequests,
} from '../../core/attempt/reconcile.ts';
import type { LedgerCheck } from '../../port/ledger-store.ts';
import type { Place } from './cursor.ts';
import type { Ask } from './messages.ts';
import type { LedgerQueries } from './queries.ts';

/** Requests that are looked at in one go; between two of them the writer goes on writing. */
const PART = 500;

export type ReconcileOptions = { readonly since: number; readonly after: Place | null; readonly boot: string };

/** One part of the check, and where the next begins: null behind the last. Owners of other boots are dead. */
export function reconcilePart(
  queries: Pick<LedgerQueries, 'scan'>,
  { since, after, boot }: ReconcileOptions,
): { readonly part: Reconciliation; readonly next: Place | null } {
  const requests = queries.scan(since, after, PART);
  const last = requests.length < PART ? undefined : requests.at(-1);
  return {
    part: reconcileRequests(requests, (owner) => owner.boot === boot),
    next: last === undefined ? null : { at: last.started.at, id: last.id },
  };
}

/**
 * Checks that attempts, requests and usage since a moment (epoch ms) add up, over what the database has.
 */
export async function reconcileRows(ask: Ask, since: number): Promise<LedgerCheck> {
  let sum = EMPTY_RECONCILIATION;
  let after: Place | null = null;
  do {
    const { part, next }: { part: Reconciliation; next: Place | null } = await ask('reconcile', { since, after });
    sum = addReconciliations(sum, part);
    after = next;
  } while (after !== null);
  return { ...sum, since, violations: await ask('violations', { since }) };
}
