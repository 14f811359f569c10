import type { RequestLedger } from '../../core/attempt/ledger.ts';
import type { Page, RequestQuery } from '../../port/ledger-store.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { databaseFile, openDatabaseReadOnly } from './database.ts';
import { prepareQueries } from './queries.ts';
import { placeOf } from './recent-requests.ts';

/**
 * The ledger for command lines: reads what the database has, with a gateway beside it or without, and changes nothing.
 */
export interface LedgerReader {
  list(query: RequestQuery): Page<RequestLedger>;
  get(id: string): RequestLedger | undefined;
  close(): void;
}

const MAX_LIMIT = 1_000;

/** Throws when there is no ledger, or it can't be read. Blocks while it reads: not for a gateway. */
export function openLedgerReader({ stateDir }: { readonly stateDir: string }): LedgerReader {
  const db = openDatabaseReadOnly(databaseFile(stateDir));
  const queries = prepareQueries(db);
  return {
    list({ cursor, limit: wanted, ...rest }) {
      const after = cursor === undefined ? null : readCursor(cursor);
      if (cursor !== undefined && after === null) return { data: [], next: null };
      const limit = Math.min(MAX_LIMIT, Math.max(1, Math.floor(wanted) || 1));
      const rows = queries.list({ ...rest, after, limit: limit + 1 });
      const data = rows.slice(0, limit);
      const last = data.at(-1);
      return { data, next: rows.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null };
    },
    get: (id) => queries.get(id),
    close: () => db.close(),
  };
}
