import type { DatabaseSync } from 'node:sqlite';
import { addUsageGroups, type CountedRequest, countUsage, type UsageGroup } from '../../core/attempt/count-usage.ts';
import type { RequestKind } from '../../core/attempt/ledger.ts';
import type { UsageQuery } from '../../port/ledger-store.ts';
import type { Place } from './cursor.ts';
import type { Ask } from './messages.ts';
import type { LedgerQueries } from './queries.ts';
import { number, numberOrNull, type Row, readUsage, text, textOrNull } from './rows.ts';

/** A record with its place in the order of the ledger. */
export type PlacedRequest = CountedRequest & { readonly id: string };

type CountedAttempt = CountedRequest['attempts'][number];

/** Requests that are counted in one go; between two of them the writer goes on writing. */
const PART = 500;

/** As the scan of a check, with other columns: see there for its one bound. */
export const COUNT_SQL = `
  SELECT r.id, r.started_at, r.model, r.key, r.kind, r.committed, r.outcome AS request_outcome, a.n, a.target, a.outcome,
    a.input_tokens, a.output_tokens, a.reasoning_tokens, a.cached_tokens, a.cache_write_tokens, a.usage_source
  FROM (
    SELECT id, started_at, model, key, kind, committed, outcome
    FROM requests WHERE (started_at, id) > (:at, :id) ORDER BY started_at, id LIMIT :limit
  ) r LEFT JOIN attempts a ON a.request = r.id
  ORDER BY r.started_at, r.id, a.n`;

/** At most `limit` requests that began at `since` or later, and behind `after`; oldest first. */
export function prepareCount(
  db: DatabaseSync,
): (since: number, after: Place | null, limit: number) => readonly PlacedRequest[] {
  const statement = db.prepare(COUNT_SQL);
  return (since, after, limit) => {
    const { at, id } = after ?? { at: since, id: '' };
    return readCounted(statement.all({ at, id, limit }));
  };
}

/** Rows of one request stand together. */
function readCounted(rows: readonly Row[]): PlacedRequest[] {
  const requests: PlacedRequest[] = [];
  let attempts: CountedAttempt[] = [];
  for (const row of rows) {
    if (requests.at(-1)?.id !== row['id']) {
      attempts = [];
      requests.push(readRequest(row, attempts));
    }
    if (row['n'] !== null) attempts.push(readAttempt(row));
  }
  return requests;
}

function readRequest(row: Row, attempts: readonly CountedAttempt[]): PlacedRequest {
  const kind = textOrNull(row, 'kind') as RequestKind | null;
  const outcome = textOrNull(row, 'request_outcome') as NonNullable<CountedRequest['ended']>['outcome'] | null;
  return {
    id: text(row, 'id'),
    started: {
      at: number(row, 'started_at'),
      model: text(row, 'model'),
      key: textOrNull(row, 'key'),
      ...(kind === null ? {} : { kind }),
    },
    committed: numberOrNull(row, 'committed'),
    attempts,
    ended: outcome === null ? null : { outcome },
  };
}

const readAttempt = (row: Row): CountedAttempt => ({
  n: number(row, 'n'),
  target: text(row, 'target'),
  outcome: textOrNull(row, 'outcome') as CountedAttempt['outcome'],
  usage: readUsage(row),
});

export type CountOptions = UsageQuery & { readonly after: Place | null };

/** One part of the count, and where the next begins: null behind the last. */
export function countPart(
  queries: Pick<LedgerQueries, 'count'>,
  { since, after, by, kinds }: CountOptions,
): { readonly part: readonly UsageGroup[]; readonly next: Place | null } {
  const requests = queries.count(since, after, PART);
  const last = requests.length < PART ? undefined : requests.at(-1);
  return {
    part: countUsage(requests, by, kinds),
    next: last === undefined ? null : { at: last.started.at, id: last.id },
  };
}

/** Counts what the database has of requests since a moment (epoch ms). */
export async function countRows(ask: Ask, query: UsageQuery): Promise<readonly UsageGroup[]> {
  let sum: readonly UsageGroup[] = [];
  let after: Place | null = null;
  do {
    const { part, next }: { part: readonly UsageGroup[]; next: Place | null } = await ask('usage', {
      ...query,
      after,
    });
    sum = addUsageGroups([sum, part]);
    after = next;
  } while (after !== null);
  return sum;
}
