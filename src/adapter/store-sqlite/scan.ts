import type { DatabaseSync } from 'node:sqlite';
import type { CheckedRequest } from '../../core/attempt/reconcile.ts';
import type { Place } from './cursor.ts';
import { isSet, number, numberOrNull, type Row, readUsage, text, textOrNull } from './rows.ts';

export type ScannedRequest = CheckedRequest & { readonly started: { readonly at: number } };

type ScannedAttempt = CheckedRequest['attempts'][number];

/**
 * Requests behind a place with their attempts, in one statement: asked for one by one, with all that their rows hold,
 * they take eight times as long. One bound only: beside a second one (`started_at >= ?`) SQLite takes that for the
 * start of its search, and each part walks past all those before it.
 */
export const SCAN_SQL = `
  SELECT r.id, r.started_at, r.owner_boot, r.owner_worker, r.committed, r.ended_at, r.outcome AS request_outcome,
    r.served_by, r.rejected, a.n, a.target, a.committed_at, a.outcome, a.input_tokens, a.output_tokens,
    a.reasoning_tokens, a.cached_tokens, a.cache_write_tokens, a.usage_source
  FROM (
    SELECT id, started_at, owner_boot, owner_worker, committed, ended_at, outcome, served_by, rejected
    FROM requests WHERE (started_at, id) > (:at, :id) ORDER BY started_at, id LIMIT :limit
  ) r LEFT JOIN attempts a ON a.request = r.id
  ORDER BY r.started_at, r.id, a.n`;

/** At most `limit` requests that began at `since` or later, and behind `after`; oldest first. */
export function prepareScan(
  db: DatabaseSync,
): (since: number, after: Place | null, limit: number) => readonly ScannedRequest[] {
  const scan = db.prepare(SCAN_SQL);
  return (since, after, limit) => {
    // No id is empty: all that began at that moment stand behind it.
    const { at, id } = after ?? { at: since, id: '' };
    return readScanned(scan.all({ at, id, limit }));
  };
}

/** Rows of one request stand together. */
function readScanned(rows: readonly Row[]): ScannedRequest[] {
  const requests: ScannedRequest[] = [];
  let attempts: ScannedAttempt[] = [];
  for (const row of rows) {
    if (requests.at(-1)?.id !== row['id']) {
      attempts = [];
      requests.push(readRequest(row, attempts));
    }
    if (row['n'] !== null) attempts.push(readAttempt(row));
  }
  return requests;
}

function readRequest(row: Row, attempts: readonly ScannedAttempt[]): ScannedRequest {
  const outcome = text(row, 'request_outcome') as NonNullable<CheckedRequest['ended']>['outcome'];
  return {
    id: text(row, 'id'),
    started: {
      at: number(row, 'started_at'),
      owner: { boot: text(row, 'owner_boot'), worker: number(row, 'owner_worker') },
    },
    attempts,
    committed: numberOrNull(row, 'committed'),
    ended:
      row['ended_at'] === null
        ? null
        : { outcome, rejected: isSet(row, 'rejected'), servedBy: textOrNull(row, 'served_by') },
  };
}

const readAttempt = (row: Row): ScannedAttempt => ({
  n: number(row, 'n'),
  target: text(row, 'target'),
  committedAt: numberOrNull(row, 'committed_at'),
  outcome: textOrNull(row, 'outcome') as ScannedAttempt['outcome'],
  usage: readUsage(row),
});
