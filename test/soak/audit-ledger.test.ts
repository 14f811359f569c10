import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/adapter/store-sqlite/migrations/index.ts';
import { makeStateDir } from '../kit/state-dir.ts';
import { createAudit } from './audit-ledger.ts';
import type { Settled } from './check-record.ts';
import { drawRequest } from './draw-request.ts';

const HOUR = 3_600_000;

/** A ledger with these requests: tag and beginning, all of them whole and without attempts. */
function ledgerOf(rows: readonly (readonly [tag: string, startedAt: number])[]): string {
  const stateDir = makeStateDir();
  const db = new DatabaseSync(join(stateDir, 'ledger.db'));
  for (const { sql } of MIGRATIONS) db.exec(sql);
  const insert = db.prepare(
    'INSERT INTO requests (id, started_at, owner_boot, owner_worker, model, protocol, stream, client_request_id, outcome, status, skipped) ' +
      "VALUES (?, ?, 'boot', 0, 'm', 'openai-chat', 0, ?, 'ok', 200, '[]')",
  );
  for (const [i, [tag, startedAt]] of rows.entries()) insert.run(`req_${i}`, startedAt, tag);
  db.close();
  return stateDir;
}

const settled = (tag: string, end: Settled['seen']['end'] = 'over'): Settled => ({
  asked: { ...drawRequest(1, 0), tag, targets: [] },
  seen: { status: 200, requestId: null, end },
  sends: [],
  result: end === 'left' ? 'left' : 'whole',
});

function audit(stateDir: string, requests: readonly Settled[], steps: readonly number[]) {
  const found: string[] = [];
  const books = createAudit(stateDir, (tag, { kind }) => found.push(`${tag} ${kind}`));
  for (const request of requests) books.settle(request);
  for (const step of steps) books.advance(step);
  const { unarrived } = books.finish();
  books.close();
  return { found, unarrived, ...books.totals };
}

describe('the audit', () => {
  it('takes every record once, in steps', () => {
    const stateDir = ledgerOf([
      ['q1', HOUR],
      ['q2', 2 * HOUR],
      ['q3', 3 * HOUR],
    ]);
    const requests = ['q1', 'q2', 'q3'].map((tag) => settled(tag));
    expect(audit(stateDir, requests, [2 * HOUR, 2 * HOUR, 9 * HOUR])).toMatchObject({ found: [], records: 3 });
  });

  it('comes back to what was not over', () => {
    const books = createAudit(ledgerOf([['q1', HOUR]]), (tag, { kind }) => found.push(`${tag} ${kind}`));
    const found: string[] = [];
    books.advance(2 * HOUR);
    books.settle(settled('q1'));
    books.advance(3 * HOUR);
    expect([books.totals.records, books.finish(), found]).toEqual([1, { unarrived: 0 }, []]);
    books.close();
  });

  it('finds a request without a record', () => {
    expect(audit(ledgerOf([['q1', HOUR]]), [settled('q1'), settled('q2')], [9 * HOUR]).found).toEqual([
      'q2 unrecorded',
    ]);
  });

  it('excuses a client that left before anything was sent', () => {
    const { found, unarrived } = audit(ledgerOf([]), [settled('q1', 'left')], [9 * HOUR]);
    expect([found, unarrived]).toEqual([[], 1]);
  });

  it('finds a record that nobody asked for, and a second one', () => {
    const stateDir = ledgerOf([
      ['q1', HOUR],
      ['q1', 2 * HOUR],
      ['q9', HOUR],
    ]);
    expect(audit(stateDir, [settled('q1')], [9 * HOUR]).found).toEqual(['q9 unknown_record', 'q1 unknown_record']);
  });
});
