import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Problem } from './check-answer.ts';
import { type AttemptRow, checkRecord, type RecordFault, type RecordRow, type Settled } from './check-record.ts';

type Row = Readonly<Record<string, unknown>>;

export type Audit = {
  /** Records, attempts, and those of them that were never sent because their client had left. */
  readonly totals: { records: number; attempts: number; unsent: number };
  /** A request is over. Its record is looked at by one of the next steps. */
  settle(settled: Settled): void;
  /** Looks at the records of all requests that began before this moment (epoch ms), as far as they are over. */
  advance(before: number): void;
  /** Looks at all others; what has no end or no record now, has none. Clients that left may never have arrived. */
  finish(): { readonly unarrived: number };
  close(): void;
};

export type OnProblem = (tag: string, problem: Problem<RecordFault>) => void;

/** Holds the ledger of a running gateway against what was seen outside, in steps, so that a long run needs no memory. */
export function createAudit(stateDir: string, onProblem: OnProblem): Audit {
  // The gateway makes the file with its first records.
  let ledger: Ledger | null = null;
  const pending = new Map<string, Settled>();
  const totals = { records: 0, attempts: 0, unsent: 0 };
  let from = 0;
  /** Ids of records whose requests were not over when they were looked at. */
  let open: string[] = [];
  const take = (row: Row, { attempts }: Ledger, isLast: boolean): void => {
    const id = String(row['id']);
    const settled = pending.get(String(row['client_request_id']));
    if (!isLast && (settled === undefined || row['outcome'] === null)) {
      open.push(id);
      return;
    }
    const record = recordOf(row, attempts.all(id));
    totals.records += 1;
    totals.attempts += record.attempts.length;
    if (settled === undefined) {
      onProblem(record.tag, { kind: 'unknown_record', text: `${record.id}: ${record.outcome}` });
      return;
    }
    pending.delete(record.tag);
    const { problems, unsent } = checkRecord(settled, record);
    totals.unsent += unsent;
    for (const problem of problems) onProblem(record.tag, problem);
  };
  const look = (before: number, isLast: boolean): void => {
    ledger ??= openLedger(stateDir);
    const again = open;
    open = [];
    for (const id of again) for (const row of ledger.request.iterate(id)) take(row, ledger, isLast);
    for (const row of ledger.requests.iterate(from, before)) take(row, ledger, isLast);
    from = before;
  };
  return {
    totals,
    settle: (settled) => void pending.set(settled.asked.tag, settled),
    advance: (before) => look(before, false),
    finish() {
      look(Number.MAX_SAFE_INTEGER, true);
      const left = [...pending.values()].filter(({ seen, sends }) => seen.end === 'left' && sends.length === 0);
      for (const { asked, seen, sends } of pending.values()) {
        const isExcused = seen.end === 'left' && sends.length === 0;
        if (!isExcused) onProblem(asked.tag, { kind: 'unrecorded', text: `${sends.length} sends` });
      }
      return { unarrived: left.length };
    },
    close: () => ledger?.db.close(),
  };
}

type Ledger = ReturnType<typeof openLedger>;

function openLedger(stateDir: string) {
  const db = new DatabaseSync(join(stateDir, 'ledger.db'), { readOnly: true, timeout: 10_000 });
  const columns = 'SELECT id, client_request_id, outcome, status, skipped FROM requests';
  const requests = db.prepare(`${columns} WHERE started_at >= ? AND started_at < ? ORDER BY started_at, id`);
  const request = db.prepare(`${columns} WHERE id = ?`);
  const attempts = db.prepare(
    'SELECT target, outcome, head_at, input_tokens, output_tokens FROM attempts WHERE request = ? ORDER BY n',
  );
  return { db, requests, request, attempts };
}

function recordOf(row: Row, attempts: readonly Row[]): RecordRow {
  const skipped = JSON.parse((row['skipped'] as string | null) ?? '[]') as readonly { readonly target: string }[];
  return {
    id: String(row['id']),
    tag: String(row['client_request_id']),
    outcome: row['outcome'] as string | null,
    status: row['status'] as number | null,
    skipped: skipped.map(({ target }) => target),
    attempts: attempts.map(attemptOf),
  };
}

const attemptOf = (row: Row): AttemptRow => ({
  target: String(row['target']),
  outcome: row['outcome'] as string | null,
  hasHead: row['head_at'] !== null,
  inputTokens: row['input_tokens'] as number | null,
  outputTokens: row['output_tokens'] as number | null,
});
