import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLedgerReader } from '../adapter/store-sqlite/index.ts';
import { ASKED_KINDS } from '../core/attempt/ledger.ts';
import type { RequestView } from '../management/contract.ts';
import { viewRequest } from '../management/request-view.ts';
import type { RecordedAttempt, RecordedRequest } from '../simulate/replay/index.ts';

const PAGE = 500;

/** `hasMore`: there are older ones, which were left. */
export type Records = { readonly requests: readonly RecordedRequest[]; readonly hasMore: boolean };

/**
 * The newest requests (at most `most`) that began since (epoch ms), from the ledger of a state directory; null: it has
 * none. With a gateway beside it or without; nothing is changed. Throws where it can't be read.
 */
export function readLedger(stateDir: string, since: number, most: number): Records | null {
  // SQLite tells a file that is missing in words that nobody understands.
  if (!existsSync(join(stateDir, 'ledger.db'))) return null;
  const reader = openLedgerReader({ stateDir });
  try {
    const read: RecordedRequest[] = [];
    let cursor: string | null = null;
    do {
      const limit = Math.min(PAGE, most - read.length);
      const page: ReturnType<typeof reader.list> = reader.list({
        since,
        limit,
        kinds: ASKED_KINDS,
        ...(cursor === null ? {} : { cursor }),
      });
      read.push(...page.data.map((request) => recordedOf(viewRequest(request))));
      cursor = page.next;
    } while (cursor !== null && read.length < most);
    return { requests: read, hasMore: cursor !== null };
  } finally {
    reader.close();
  }
}

/** A request as the management API shows it, as a replay takes it. */
export function recordedOf(view: RequestView): RecordedRequest {
  const at = Date.parse(view.started_at);
  return {
    id: view.id,
    at,
    model: view.asked ?? view.model,
    protocol: view.protocol,
    stream: view.stream,
    key: view.key,
    outcome: view.outcome,
    servedBy: view.served_by,
    durationMs: view.duration_ms,
    isPlanned: view.outcome !== 'rejected',
    attempts: view.attempts.map((attempt) => attemptOf(attempt, at)),
  };
}

function attemptOf(view: RequestView['attempts'][number], startedAt: number): RecordedAttempt {
  const momentOf = (ms: number | null): number | null => (ms === null ? null : startedAt + ms);
  return {
    route: `${view.target}#${view.credential}`,
    at: startedAt + view.started_ms,
    outcome: view.outcome,
    headAt: momentOf(view.headers_ms),
    firstOutputAt: momentOf(view.first_output_ms),
    endedAt: momentOf(view.ended_ms),
    heldUntil: view.cooldown === null ? null : Date.parse(view.cooldown),
    outputTokens: view.usage?.output_tokens ?? null,
  };
}
