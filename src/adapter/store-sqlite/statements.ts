import type { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Owner, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Plan } from '../../core/routing/plan.ts';
import type { RefusedFact } from '../../port/ledger-store.ts';
import {
  ATTEMPT_COLUMNS,
  attemptValues,
  END_COLUMNS,
  endValues,
  inOrder,
  number,
  type Row,
  readLedger,
  START_COLUMNS,
  startValues,
  text,
} from './rows.ts';

type LoadOptions = { readonly plans: boolean };

/** Reads one request out of its rows. */
export type LoadLedger = (id: string, options: LoadOptions) => RequestLedger | undefined;

export function prepareLoad(db: DatabaseSync): LoadLedger {
  const request = db.prepare('SELECT * FROM requests WHERE id = ?');
  const attempts = db.prepare('SELECT * FROM attempts WHERE request = ? ORDER BY n');
  const plans = db.prepare('SELECT attempt, plan FROM plans WHERE request = ? ORDER BY attempt');
  return (id, options) => {
    const row = request.get(id);
    if (row === undefined) return undefined;
    return readLedger(row, attempts.all(id), options.plans ? plans.all(id).map(readPlan) : []);
  };
}

function readPlan(row: Row): RequestLedger['plans'][number] {
  const attempt = number(row, 'attempt');
  const plan: Plan = JSON.parse(inflateRawSync(row['plan'] as Uint8Array).toString());
  return { attempt: attempt === 0 ? null : attempt, plan };
}

export type Violation = RefusedFact;

/** What the writer does to rows. All of it within a transaction of the caller. */
export interface LedgerRows {
  load: LoadLedger;
  /** Writes what `next` has and `base` had not. */
  save(base: RequestLedger | null, next: RequestLedger): void;
  savePlan(request: string, attempt: number | null, plan: Plan): void;
  saveViolation(violation: Violation): void;
  /** `at` is a sign of life. */
  seeOwner(owner: Owner, at: number): void;
  lastSeenAt(owner: Owner): number | null;
  position(journal: string): number;
  savePosition(journal: string, position: number): void;
  forgetJournal(journal: string): void;
  /** Requests without end of owners of other boots. */
  orphans(boot: string, limit: number): readonly string[];
}

/** By place: names would be looked up one by one for each row. */
const slots = (columns: readonly string[]): string => columns.map(() => '?').join(', ');
const updates = (columns: readonly string[]): string => columns.map((name) => `${name} = excluded.${name}`).join(', ');
const upsert = (table: string, columns: readonly string[], key: string, changing: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${slots(columns)}) ` +
  `ON CONFLICT (${key}) DO UPDATE SET ${updates(changing)}`;

export function prepareRows(db: DatabaseSync): LedgerRows {
  const requests = prepareRequestWriter(db);
  const journals = prepareJournals(db);
  const plan = db.prepare(
    'INSERT OR IGNORE INTO plans (request, attempt, plan) SELECT :request, :attempt, :plan ' +
      'WHERE EXISTS (SELECT 1 FROM requests WHERE id = :request)',
  );
  const violation = db.prepare(
    'INSERT OR IGNORE INTO violations (at, request, fact, law) VALUES (:at, :request, :fact, :law)',
  );
  const owner = db.prepare(
    'INSERT INTO owners (boot, worker, last_seen_at) VALUES (?, ?, ?) ' +
      'ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, excluded.last_seen_at)',
  );
  const seen = db.prepare('SELECT last_seen_at FROM owners WHERE boot = ? AND worker = ?');
  const orphans = db.prepare('SELECT id FROM requests WHERE ended_at IS NULL AND owner_boot <> ? LIMIT ?');
  return {
    ...requests,
    ...journals,
    load: prepareLoad(db),
    savePlan(request, attempt, value) {
      plan.run({ request, attempt: attempt ?? 0, plan: deflateRawSync(JSON.stringify(value)) });
    },
    saveViolation: ({ at, request, fact, law }) => void violation.run({ at, request, fact, law }),
    seeOwner: ({ boot, worker }, at) => void owner.run(boot, worker, at),
    lastSeenAt({ boot, worker }) {
      const row = seen.get(boot, worker);
      return row === undefined ? null : number(row, 'last_seen_at');
    },
    orphans: (boot, limit) => orphans.all(boot, limit).map((row) => text(row, 'id')),
  };
}

function prepareRequestWriter(db: DatabaseSync): Pick<LedgerRows, 'save'> {
  const request = db.prepare(upsert('requests', [...START_COLUMNS, ...END_COLUMNS], 'id', END_COLUMNS));
  const attempt = db.prepare(upsert('attempts', ATTEMPT_COLUMNS, 'request, n', ATTEMPT_COLUMNS));
  return {
    save(base, next) {
      if (base === null || base.ended !== next.ended || base.committed !== next.committed) {
        request.run(...inOrder(START_COLUMNS, startValues(next)), ...inOrder(END_COLUMNS, endValues(next)));
      }
      // Records never change in place: the same object is the same row.
      for (const [index, record] of next.attempts.entries()) {
        if (record !== base?.attempts[index]) attempt.run(...inOrder(ATTEMPT_COLUMNS, attemptValues(next, record)));
      }
    },
  };
}

function prepareJournals(db: DatabaseSync): Pick<LedgerRows, 'position' | 'savePosition' | 'forgetJournal'> {
  const read = db.prepare('SELECT position FROM journals WHERE name = ?');
  const write = db.prepare(upsert('journals', ['name', 'position'], 'name', ['position']));
  const forget = db.prepare('DELETE FROM journals WHERE name = ?');
  return {
    position(journal) {
      const row = read.get(journal);
      return row === undefined ? 0 : number(row, 'position');
    },
    savePosition: (name, position) => void write.run(name, position),
    forgetJournal: (journal) => void forget.run(journal),
  };
}
