import type { AttemptRecord, RequestLedger } from '../core/attempt/ledger.ts';
import { requestUsage } from '../core/attempt/usage.ts';
import type { Usage } from '../core/model/usage.ts';
import type { AttemptView, RequestSummary, RequestView, UsageView } from './contract.ts';
import { formatTime, formatTimeOrNull } from './time.ts';

/** A request as lists show it. */
export function summariseRequest(ledger: RequestLedger): RequestSummary {
  const { id, started, ended, attempts } = ledger;
  const committedAt = attempts.find((attempt) => attempt.n === ledger.committed)?.committedAt ?? null;
  return {
    id,
    model: started.model === '' ? null : started.model,
    asked: started.asked,
    protocol: started.protocol,
    stream: started.stream,
    kind: started.kind ?? 'answer',
    started_at: formatTime(started.at),
    status: ended?.status ?? null,
    outcome: ended?.outcome ?? null,
    served_by: ended?.servedBy ?? null,
    committed_at_ms: since(started.at, committedAt),
    duration_ms: since(started.at, ended?.at ?? null),
    key: started.key,
    usage: viewUsage(requestUsage(ledger)),
    cost_usd: null,
    attempt_count: attempts.length,
  };
}

/** A request with everything that is known of it. */
export function viewRequest(ledger: RequestLedger): RequestView {
  const { started, ended } = ledger;
  return {
    ...summariseRequest(ledger),
    component: ended?.component ?? null,
    reason: ended?.reason ?? null,
    client_request_id: started.clientRequestId,
    client_retry_of: started.clientRetryOf,
    edits: [...(ended?.edits ?? [])],
    skipped: (ended?.skipped ?? []).map(({ target, outcome, until }) => ({
      target,
      outcome,
      until: formatTimeOrNull(until),
    })),
    attempts: ledger.attempts.map((attempt) => viewAttempt(attempt, started.at)),
  };
}

function viewAttempt(attempt: AttemptRecord, startedAt: number): AttemptView {
  return {
    n: attempt.n,
    target: attempt.target,
    credential: attempt.credential,
    endpoint: attempt.endpoint,
    outcome: attempt.outcome,
    status: attempt.status,
    phase: attempt.phase,
    committed: attempt.committedAt !== null,
    why: attempt.why,
    trial: attempt.trial,
    charged: attempt.charged,
    started_ms: Math.max(0, Math.round(attempt.startedAt - startedAt)),
    headers_ms: since(startedAt, attempt.headAt),
    first_output_ms: since(startedAt, attempt.committedAt),
    ended_ms: since(startedAt, attempt.endedAt),
    usage: viewUsage(attempt.usage),
    cost_usd: null,
    reason: attempt.reason,
    cooldown: formatTimeOrNull(attempt.cooldownUntil),
  };
}

function viewUsage(usage: Usage | null): UsageView | null {
  if (usage === null) return null;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    source: usage.source,
  };
}

const since = (from: number, at: number | null): number | null =>
  at === null ? null : Math.max(0, Math.round(at - from));
