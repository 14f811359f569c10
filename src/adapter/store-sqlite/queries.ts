import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RequestKind, RequestLedger } from '../../core/attempt/ledger.ts';
import type { RequestQuery } from '../../port/ledger-store.ts';
import type { Place } from './cursor.ts';
import { number, text } from './rows.ts';
import { prepareScan, type ScannedRequest } from './scan.ts';
import { prepareLoad, type Violation } from './statements.ts';
import { type PlacedRequest, prepareCount } from './usage.ts';

/** A query whose cursor was read. */
export type LedgerQuery = Omit<RequestQuery, 'cursor'> & { readonly after: Place | null };

/** What can be asked of the rows. Nothing here changes anything. */
export interface LedgerQueries {
  /** Newest first, at most `limit`. */
  list(query: LedgerQuery): readonly RequestLedger[];
  get(id: string): RequestLedger | undefined;
  /** What a check looks at, oldest first. */
  scan(since: number, after: Place | null, limit: number): readonly ScannedRequest[];
  /** What a count of usage looks at, oldest first. */
  count(since: number, after: Place | null, limit: number): readonly PlacedRequest[];
  violations(since: number, limit: number): { readonly count: number; readonly first: readonly Violation[] };
}

export function prepareQueries(db: DatabaseSync): LedgerQueries {
  const load = prepareLoad(db);
  const count = db.prepare('SELECT count(*) AS count FROM violations WHERE at >= ?');
  const violations = db.prepare('SELECT at, request, fact, law FROM violations WHERE at >= ? ORDER BY at LIMIT ?');
  return {
    list(query) {
      const { sql, values } = listStatement(query);
      const rows = db.prepare(sql).all(...values);
      return rows.flatMap((row) => load(text(row, 'id'), { plans: true }) ?? []);
    },
    get: (id) => load(id, { plans: true }),
    scan: prepareScan(db),
    count: prepareCount(db),
    violations(since, limit) {
      const first = violations.all(since, limit).map((row) => ({
        at: number(row, 'at'),
        request: text(row, 'request'),
        fact: text(row, 'fact'),
        law: text(row, 'law'),
      }));
      return { count: number(count.get(since) ?? {}, 'count'), first };
    },
  };
}

/** Answers are recorded without a word for it. */
function kindFilter(kinds: readonly RequestKind[]): [string, ...SQLInputValue[]] {
  const named = `r.kind IN (${kinds.map(() => '?').join(', ')})`;
  return [kinds.includes('answer') ? `(r.kind IS NULL OR ${named})` : named, ...kinds];
}

/** Each filter has an index that gives its rows in the order of the page. */
export function listStatement(query: LedgerQuery): { readonly sql: string; readonly values: readonly SQLInputValue[] } {
  const byTarget = query.target !== undefined;
  const [at, id] = byTarget ? ['a.request_started_at', 'a.request'] : ['r.started_at', 'r.id'];
  const filters: [string, ...SQLInputValue[]][] = [];
  if (query.target !== undefined) {
    filters.push(['a.target = ?', query.target]);
    // A request that went to the target twice is one row.
    filters.push([
      'NOT EXISTS (SELECT 1 FROM attempts b WHERE b.request = a.request AND b.target = a.target AND b.n < a.n)',
    ]);
  }
  if (query.model !== undefined) filters.push(['r.model = ?', query.model]);
  if (query.key !== undefined) filters.push(['r.key = ?', query.key]);
  if (query.outcome !== undefined) filters.push(['r.outcome = ?', query.outcome]);
  if (query.kinds !== undefined) filters.push(kindFilter(query.kinds));
  if (query.since !== undefined) filters.push([`${at} >= ?`, query.since]);
  if (query.after !== null) filters.push([`(${at}, ${id}) < (?, ?)`, query.after.at, query.after.id]);
  const where = filters.length === 0 ? '' : `WHERE ${filters.map(([condition]) => condition).join(' AND ')} `;
  const from = byTarget ? 'attempts a JOIN requests r ON r.id = a.request' : 'requests r';
  return {
    sql: `SELECT ${id} AS id FROM ${from} ${where}ORDER BY ${at} DESC, ${id} DESC LIMIT ?`,
    values: [...filters.flatMap(([, ...values]) => values), query.limit],
  };
}
