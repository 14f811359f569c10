import { UNKNOWN_USAGE, type Usage } from '../model/usage.ts';
import type { RequestLedger } from './ledger.ts';

/**
 * A request's usage is that of the attempt that was delivered (law 3). A request that delivered nothing has none; one
 * whose provider said nothing is unknown, never 0.
 */
export function requestUsage(ledger: RequestLedger): Usage | null {
  if (ledger.committed === null) return null;
  return ledger.attempts[ledger.committed - 1]?.usage ?? UNKNOWN_USAGE;
}
