import type { UsageSum } from '../core/attempt/usage-sum.ts';
import type { LedgerCheck } from '../port/ledger-store.ts';
import type { ReconciliationView } from './contract.ts';
import { formatTime, formatTimeOrNull } from './time.ts';

/** The conservation check as data. `since` (epoch ms) is null where nobody named a beginning. */
export function viewReconciliation(check: LedgerCheck, since: number | null): ReconciliationView {
  const { requests, attempts, usage, breachCount, breaches, violations } = check;
  return {
    since: formatTimeOrNull(since),
    ok: breachCount === 0 && violations.count === 0,
    requests,
    attempts,
    usage: { delivered: viewSum(usage.delivered), all: viewSum(usage.all) },
    breach_count: breachCount,
    breaches: breaches.map(({ request, attempt, law }) => ({ request, attempt, law })),
    violations: {
      count: violations.count,
      first: violations.first.map(({ at, request, fact, law }) => ({ at: formatTime(at), request, fact, law })),
    },
  };
}

export const viewSum = (sum: UsageSum): ReconciliationView['usage']['all'] => ({
  answers: sum.answers,
  unknown: sum.unknown,
  input_tokens: sum.inputTokens,
  output_tokens: sum.outputTokens,
  reasoning_tokens: sum.reasoningTokens,
  cached_tokens: sum.cachedTokens,
  cache_write_tokens: sum.cacheWriteTokens,
});
