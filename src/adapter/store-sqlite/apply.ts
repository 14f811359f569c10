import type { DatabaseSync } from 'node:sqlite';
import { closeRequest } from '../../core/attempt/close-request.ts';
import type { Fact, Owner, RequestLedger } from '../../core/attempt/ledger.ts';
import { recordFact } from '../../core/attempt/record-fact.ts';
import { inTransaction } from './database.ts';
import { decodeLine, isFact, type JournalLine } from './journal-line.ts';
import { isOfValue, wordsOf } from './sqlite-error.ts';
import type { LedgerRows, Violation } from './statements.ts';

/** Lines of one journal, and how far they reach. */
export type Batch = {
  readonly journal: string;
  readonly owner: Owner | null;
  readonly lines: readonly string[];
  readonly end: number;
};

export type Applied = {
  /** Requests that have their end on the disk now. */
  readonly ended: readonly string[];
  /** Breaches that the journal's writer did not know of. */
  readonly violations: readonly Violation[];
  /** Lines that could not be read or kept. */
  readonly damaged: number;
  /** Lines that stand for a fact, refused and damaged ones among them. */
  readonly facts: number;
  /** Where the batch ends in its journal. */
  readonly end: number;
};

type Change = { readonly base: RequestLedger | null; next: RequestLedger | null };
type PlanLine = Extract<JournalLine, { type: 'plan' }>;

type Folded = {
  readonly changes: Map<string, Change>;
  readonly plans: PlanLine[];
  readonly refused: Violation[];
  readonly violations: Violation[];
  seenAt: number | null;
  damaged: number;
  facts: number;
};

/** Requests under way as their rows have them, so that not each batch must read them again. */
export type OpenLedgers = Map<string, RequestLedger>;

export const LOST_REASON = 'its end could not be recorded: the disk was full';

/**
 * Records a batch in one transaction, together with the place that it reaches in its journal: it is recorded once,
 * whenever the process or the machine ends. Throws, with nothing changed, where the database can't be written.
 */
export function applyBatch(db: DatabaseSync, rows: LedgerRows, open: OpenLedgers, batch: Batch): Applied {
  const folded = foldLines(batch.lines, (id) => open.get(id) ?? rows.load(id, { plans: false }) ?? null);
  try {
    inTransaction(db, () => save(db, rows, batch, folded, { apart: false }));
  } catch (error) {
    if (!isOfValue(error)) throw error;
    // One of the values can't be kept: the rest must not wait for it for ever.
    inTransaction(db, () => save(db, rows, batch, folded, { apart: true }));
  }
  const ended: string[] = [];
  for (const [id, { next }] of folded.changes) {
    if (next?.ended === null) open.set(id, next);
    else open.delete(id);
    if (next !== null && next.ended !== null) ended.push(id);
  }
  const { violations, damaged, facts } = folded;
  return { ended, violations, damaged, facts, end: batch.end };
}

function foldLines(lines: readonly string[], load: (id: string) => RequestLedger | null): Folded {
  const folded: Folded = {
    changes: new Map(),
    plans: [],
    refused: [],
    violations: [],
    seenAt: null,
    damaged: 0,
    facts: 0,
  };
  for (const text of lines) {
    const line = decodeLine(text);
    if (line === null || line.type === 'refused' || isFact(line)) folded.facts += 1;
    if (line === null) folded.damaged += 1;
    else foldLine(folded, line, load);
  }
  return folded;
}

function foldLine(folded: Folded, line: JournalLine, load: (id: string) => RequestLedger | null): void {
  if (line.type === 'journal') return;
  if (line.type === 'plan') {
    folded.plans.push(line);
    return;
  }
  if (line.type === 'refused') {
    folded.refused.push(line);
    return;
  }
  const change = changeOf(folded, line.request, load);
  if (!isFact(line)) {
    if (change.next !== null) change.next = closeRequest(change.next, 0, LOST_REASON);
    return;
  }
  folded.seenAt = Math.max(folded.seenAt ?? line.at, line.at);
  foldFact(folded, change, line);
}

function foldFact(folded: Folded, change: Change, fact: Fact): void {
  try {
    const { ledger, violation } = recordFact(change.next, fact);
    if (violation === null) change.next = ledger;
    else folded.violations.push({ at: fact.at, request: fact.request, fact: fact.type, law: violation });
  } catch {
    // Looks like a fact and is none.
    folded.damaged += 1;
  }
}

function changeOf({ changes }: Folded, id: string, load: (id: string) => RequestLedger | null): Change {
  let change = changes.get(id);
  if (change === undefined) {
    const base = load(id);
    change = { base, next: base };
    changes.set(id, change);
  }
  return change;
}

function save(
  db: DatabaseSync,
  rows: LedgerRows,
  batch: Batch,
  folded: Folded,
  { apart }: { readonly apart: boolean },
): void {
  const one = (request: string, work: () => void): void => {
    if (!apart) work();
    else saveApart(db, rows, request, folded, work);
  };
  for (const [id, { base, next }] of folded.changes) {
    if (next !== null && next !== base) one(id, () => rows.save(base, next));
  }
  for (const { request, attempt, plan } of folded.plans) one(request, () => rows.savePlan(request, attempt, plan));
  for (const violation of [...folded.refused, ...folded.violations]) {
    one(violation.request, () => rows.saveViolation(violation));
  }
  if (batch.owner !== null && folded.seenAt !== null) rows.seeOwner(batch.owner, folded.seenAt);
  rows.savePosition(batch.journal, batch.end);
}

/** Leaves out what can't be kept, and says so in the ledger. */
function saveApart(db: DatabaseSync, rows: LedgerRows, request: string, folded: Folded, work: () => void): void {
  db.exec('SAVEPOINT one');
  try {
    work();
  } catch (error) {
    if (!isOfValue(error)) throw error;
    db.exec('ROLLBACK TO one');
    folded.damaged += 1;
    // Rows have it as it was.
    folded.changes.delete(request);
    const law = `can't be kept: ${wordsOf(error).message}`.slice(0, 300);
    rows.saveViolation({ at: folded.seenAt ?? 0, request, fact: 'unknown', law });
  }
  db.exec('RELEASE one');
}
