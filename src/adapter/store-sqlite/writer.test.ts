import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import type { Fact } from '../../core/attempt/ledger.ts';
import type { Applied } from './apply.ts';
import { databaseFile } from './database.ts';
import { journalFolder, journalName, listJournals } from './journal-files.ts';
import { encodeLine, type JournalLine } from './journal-line.ts';
import type { WriterSettings } from './messages.ts';
import type { Violation } from './statements.ts';
import { createLedgerWriter } from './writer.ts';

const AT = 1_700_000_000_000;
const NO_LIMITS = { keepMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

const textOf = (lines: readonly JournalLine[]): string => lines.map(encodeLine).join('');

/** Facts of a request that this boot owns. */
const ownedBy = (boot: string, facts: readonly Fact[]): Fact[] =>
  facts.map((fact) => (fact.type === 'request_started' ? { ...fact, owner: { boot, worker: 0 } } : fact));

function leaveJournal(stateDir: string, boot: string, lines: readonly JournalLine[], seq = 1): string {
  const name = journalName(boot, 0, seq, 'mark');
  mkdirSync(journalFolder(stateDir), { recursive: true });
  const header: JournalLine = { type: 'journal', version: 1, owner: { boot, worker: 0 } };
  writeFileSync(join(journalFolder(stateDir), name), textOf([header, ...lines]));
  return name;
}

/** A writer that has done all there is to do. */
function runWriter(stateDir: string, change: Partial<WriterSettings> = {}) {
  const applied: Applied[] = [];
  const released: string[] = [];
  const opened: number[] = [];
  const settings = {
    stateDir,
    owner: { boot: 'now', worker: 0 },
    limits: NO_LIMITS,
    left: listJournals(journalFolder(stateDir)),
  };
  const writer = createLedgerWriter(
    { ...settings, ...change },
    {
      onApplied: (one) => void applied.push(one),
      onReleased: (name) => void released.push(name),
      onOpened: (abandoned) => void opened.push(abandoned),
    },
  );
  onTestFinished(() => writer.close(false));
  const work = (): void => {
    while (writer.step());
  };
  work();
  return { writer, work, applied, released, opened };
}

/** Everything in the database but how far journals were read. */
function dump(stateDir: string): unknown {
  const db = new DatabaseSync(databaseFile(stateDir));
  try {
    return ['requests', 'attempts', 'plans', 'violations'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  } finally {
    db.close();
  }
}

describe('a start', () => {
  it('records what a dead owner left in its journal, and removes the file', () => {
    const stateDir = makeStateDir();
    const name = leaveJournal(stateDir, 'old', ownedBy('old', wholeRequest('r1')));
    const { writer, released, opened } = runWriter(stateDir);
    expect(writer.queries().get('r1')).toEqual(foldFacts(ownedBy('old', wholeRequest('r1'))));
    expect(released).toEqual([name]);
    expect(opened).toEqual([0]);
    expect(readdirSync(journalFolder(stateDir))).toEqual([]);
  });

  it('leaves out a torn last line, and tells of damage within', () => {
    const stateDir = makeStateDir();
    const name = leaveJournal(stateDir, 'old', ownedBy('old', wholeRequest('r1')));
    const file = join(journalFolder(stateDir), name);
    appendFileSync(file, `\u0000\u0000\u0000\n${textOf(ownedBy('old', wholeRequest('r2')))}{"type":"head","requ`);
    const { writer, applied } = runWriter(stateDir);
    expect(writer.queries().list({ after: null, limit: 9 })).toHaveLength(2);
    expect(applied.reduce((sum, { damaged }) => sum + damaged, 0)).toBe(1);
  });

  it('takes what only looks like a fact for damage, and goes on', () => {
    const stateDir = makeStateDir();
    const strange = [
      { type: 'head', request: 'r1', at: AT, n: '1' },
      { type: 'head', request: 7, at: AT, n: 1 },
      { type: 'request_started', request: 'r3', at: AT },
      { type: 'plan', request: 'r1', attempt: null, plan: null },
      { type: 'nothing', request: 'r1', at: AT },
      ['head'],
      null,
    ] as unknown as JournalLine[];
    leaveJournal(stateDir, 'old', [...strange, ...ownedBy('old', wholeRequest('r1'))]);
    const { writer, applied } = runWriter(stateDir);
    expect(writer.queries().get('r1')?.ended?.outcome).toBe('ok');
    expect(applied.reduce((sum, { damaged }) => sum + damaged, 0)).toBe(strange.length);
  });

  it('closes what dead owners left open, once', () => {
    const stateDir = makeStateDir();
    const facts = factsOf('open');
    leaveJournal(
      stateDir,
      'old',
      ownedBy('old', [facts.started(), facts.attempt(), ...wholeRequest('later', AT + 1_000)]),
    );
    const first = runWriter(stateDir);
    expect(first.opened).toEqual([1]);
    const closed = first.writer.queries().get('open');
    // The last sign of life of its owner.
    expect(closed?.ended).toMatchObject({ outcome: 'abandoned', at: AT + 1_100, component: 'gateway' });
    expect(attemptOf(closed as never, 1)).toMatchObject({ outcome: 'abandoned', endedAt: AT + 1_100 });
    first.writer.close(true);
    const before = dump(stateDir);
    const second = runWriter(stateDir, { owner: { boot: 'next', worker: 0 } });
    expect(second.opened).toEqual([0]);
    second.writer.close(true);
    expect(dump(stateDir)).toEqual(before);
  });

  it('leaves the open requests of its own boot alone', () => {
    const stateDir = makeStateDir();
    const facts = factsOf('mine');
    leaveJournal(stateDir, 'now', ownedBy('now', [facts.started(), facts.attempt()]));
    const { writer, opened } = runWriter(stateDir);
    expect(opened).toEqual([0]);
    expect(writer.queries().get('mine')?.ended).toBeNull();
  });

  it('changes nothing when a journal is there again', () => {
    const stateDir = makeStateDir();
    const facts = factsOf('open');
    const lines: JournalLine[] = [
      ...ownedBy('old', [facts.started(), facts.attempt()]),
      ...ownedBy('old', wholeRequest('r1')),
      { type: 'refused', request: 'r1', at: AT, fact: 'head', law: 'a law' },
    ];
    leaveJournal(stateDir, 'old', lines);
    runWriter(stateDir).writer.close(true);
    const before = dump(stateDir);
    leaveJournal(stateDir, 'old', lines, 2);
    const again = runWriter(stateDir);
    expect(again.applied.flatMap(({ violations }) => violations)).toEqual([]);
    again.writer.close(true);
    expect(dump(stateDir)).toEqual(before);
  });

  it('goes on where it was interrupted, wherever that was', () => {
    const stateDir = makeStateDir();
    for (let seq = 1; seq <= 3; seq++) {
      leaveJournal(stateDir, 'old', ownedBy('old', wholeRequest(`r${seq}`, AT + seq)), seq);
    }
    for (let steps = 1; steps <= 4; steps++) {
      const writer = createLedgerWriter(
        {
          stateDir,
          owner: { boot: `b${steps}`, worker: 0 },
          limits: NO_LIMITS,
          left: listJournals(journalFolder(stateDir)),
        },
        { onApplied: () => {}, onReleased: () => {}, onOpened: () => {} },
      );
      for (let n = 0; n < steps; n++) writer.step();
      writer.close(false);
    }
    const { writer, applied } = runWriter(stateDir);
    expect(
      writer
        .queries()
        .list({ after: null, limit: 9 })
        .map(({ id }) => id),
    ).toEqual(['r3', 'r2', 'r1']);
    expect(applied.flatMap(({ violations }) => violations)).toEqual([]);
  });
});

describe('its own journal', () => {
  it('is followed from file to file', () => {
    const stateDir = makeStateDir();
    const { writer, work, released, applied } = runWriter(stateDir);
    const one = leaveJournal(stateDir, 'now', ownedBy('now', wholeRequest('r1')), 1);
    writer.follow(one, 1);
    work();
    expect(applied.flatMap(({ ended }) => ended)).toEqual(['r1']);
    expect(released).toEqual([]);
    const facts = ownedBy('now', wholeRequest('r2', AT + 1));
    appendFileSync(join(journalFolder(stateDir), one), textOf(facts.slice(0, 2)));
    const two = leaveJournal(stateDir, 'now', facts.slice(2), 2);
    writer.follow(two, 2);
    work();
    expect(applied.flatMap(({ ended }) => ended)).toEqual(['r1', 'r2']);
    expect(released).toEqual([one]);
    expect(writer.hasReached({ seq: 2, offset: 1 })).toBe(true);
    expect(writer.hasReached({ seq: 2, offset: 1_000_000 })).toBe(false);
    expect(writer.hasReached({ seq: 3, offset: 0 })).toBe(false);
    writer.close(true);
    expect(existsSync(join(journalFolder(stateDir), two))).toBe(false);
    expect(released).toEqual([one, two]);
  });

  it('is read once: what was dropped since does not come back', () => {
    const stateDir = makeStateDir();
    const limits = { keepMs: 1_000, maxBytes: Number.POSITIVE_INFINITY };
    const { writer, work, applied } = runWriter(stateDir, { limits });
    writer.follow(leaveJournal(stateDir, 'now', ownedBy('now', wholeRequest('r1'))), 1);
    work();
    writer.retain(AT + 10_000);
    work();
    expect(writer.queries().get('r1')).toBeUndefined();
    writer.reopen();
    work();
    expect(writer.queries().get('r1')).toBeUndefined();
    expect(applied).toHaveLength(1);
  });

  it('reports and keeps breaches that its writer did not see', () => {
    const stateDir = makeStateDir();
    const facts = factsOf('r1');
    const second = facts.ended({ outcome: 'interrupted', at: AT + 500 });
    leaveJournal(stateDir, 'old', [...ownedBy('old', wholeRequest('r1')), second]);
    const { writer, applied } = runWriter(stateDir);
    const violation: Violation = {
      at: AT + 500,
      request: 'r1',
      fact: 'request_ended',
      law: 'second end of the request: interrupted after ok',
    };
    expect(applied.flatMap(({ violations }) => violations)).toEqual([violation]);
    expect(writer.queries().get('r1')?.ended?.outcome).toBe('ok');
    expect(writer.queries().violations(AT, 10)).toEqual({ count: 1, first: [violation] });
  });

  it('does not stop at a value that no row can hold', () => {
    const stateDir = makeStateDir();
    const bad = factsOf('bad');
    const facts = [bad.started(), bad.attempt(), bad.head(1, 200.5), ...wholeRequest('good', AT + 1)];
    leaveJournal(stateDir, 'old', ownedBy('old', facts));
    const { writer, applied } = runWriter(stateDir);
    expect(writer.queries().get('good')?.ended?.outcome).toBe('ok');
    expect(writer.queries().get('bad')).toBeUndefined();
    expect(applied.map(({ damaged }) => damaged)).toEqual([1]);
    expect(writer.queries().violations(0, 10).first[0]).toMatchObject({ request: 'bad', fact: 'unknown' });
  });

  it('closes a request of which facts were given up', () => {
    const stateDir = makeStateDir();
    const facts = factsOf('r1');
    leaveJournal(stateDir, 'now', [
      ...ownedBy('now', [facts.started(), facts.attempt()]),
      { type: 'lost', request: 'r1' },
    ]);
    const { writer } = runWriter(stateDir);
    expect(writer.queries().get('r1')?.ended).toMatchObject({
      outcome: 'abandoned',
      reason: expect.stringContaining('disk'),
    });
  });

  it('keeps everything that was told of an attempt', () => {
    const stateDir = makeStateDir();
    const facts = factsOf('r1', AT + 0.125);
    const told = [
      facts.started({
        key: 'ci',
        clientRequestId: 'their-id',
        clientRetryOf: 'r0',
        stream: true,
        model: 'm\u0000\u00fc',
        kind: 'compact',
      }),
      facts.attempt(1, { trial: true, charged: false, why: 'again after 250 ms' }),
      facts.head(1, 529),
      facts.attemptEnded(1, {
        outcome: 'overloaded',
        phase: 'preflight',
        reason: 'busy',
        cooldownUntil: AT + 9_999.5,
        usage: {
          inputTokens: 9_007_199_254_740_992,
          outputTokens: 1.5,
          reasoningTokens: null,
          cachedTokens: 0,
          cacheWriteTokens: -1,
          source: 'estimated',
        },
        failure: {
          row: 'overloaded',
          outcome: 'overloaded',
          component: 'target',
          onward: 'next_target',
          again: true,
          scope: 'route',
          hold: null,
          weight: 1,
          refusal: true,
          requestShaped: false,
          toldDelayMs: 1_000,
          feature: null,
          status: 529,
          code: 'overloaded_error',
          param: null,
          type: null,
          reason: 'busy',
        },
      }),
      facts.ended({
        outcome: 'overloaded',
        status: 503,
        component: 'target',
        reason: 'all busy',
        servedBy: null,
        skipped: [{ target: 'b/m', outcome: 'skipped_cooldown', until: AT + 5 }],
      }),
    ];
    leaveJournal(stateDir, 'now', ownedBy('now', told));
    expect(runWriter(stateDir).writer.queries().get('r1')).toEqual(foldFacts(ownedBy('now', told)));
  });
});

describe('what is too old or too much', () => {
  const many = (count: number, at: number, prefix: string): Fact[] =>
    Array.from({ length: count }, (_, n) => wholeRequest(`${prefix}${String(n).padStart(5, '0')}`, at + n)).flat();
  const count = (stateDir: string, table: string): number => {
    const db = new DatabaseSync(databaseFile(stateDir));
    const row = db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
    db.close();
    return Number(row?.['n']);
  };

  it('goes by age, with all that belongs to it, and never while it is under way', () => {
    const stateDir = makeStateDir();
    const open = factsOf('open', AT - 5_000);
    const facts = [open.started(), open.attempt(), ...many(600, AT, 'old'), ...many(3, AT + 100_000, 'new')];
    leaveJournal(stateDir, 'now', ownedBy('now', facts));
    const { writer, work } = runWriter(stateDir, { limits: { keepMs: 50_000, maxBytes: Number.POSITIVE_INFINITY } });
    writer.retain(AT + 100_100);
    work();
    const ids = writer
      .queries()
      .list({ after: null, limit: 1_000 })
      .map(({ id }) => id);
    expect(ids).toEqual(['new00002', 'new00001', 'new00000', 'open']);
    writer.close(true);
    expect(count(stateDir, 'attempts')).toBe(4);
  });

  it('goes by size, the oldest first, and gives the disk back', () => {
    const stateDir = makeStateDir();
    const facts = ownedBy('now', many(2_500, AT, 'r'));
    leaveJournal(stateDir, 'now', facts);
    const maxBytes = 750_000;
    const { writer, work } = runWriter(stateDir, { limits: { keepMs: Number.POSITIVE_INFINITY, maxBytes } });
    writer.retain(AT);
    work();
    const kept = writer
      .queries()
      .list({ after: null, limit: 10_000 })
      .map(({ id }) => id);
    expect(kept.length).toBeGreaterThan(300);
    expect(kept.length).toBeLessThan(2_300);
    expect(kept[0]).toBe('r02499');
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => `r${String(2_499 - n).padStart(5, '0')}`));
    writer.close(true);
    const db = new DatabaseSync(databaseFile(stateDir));
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
    db.close();
    expect(pages * 4096).toBeLessThanOrEqual(maxBytes);
  });

  it('is looked for by itself when much was written', () => {
    const stateDir = makeStateDir();
    leaveJournal(stateDir, 'now', ownedBy('now', many(2_500, AT, 'r')));
    const limits = { keepMs: Number.POSITIVE_INFINITY, maxBytes: 750_000 };
    const { writer } = runWriter(stateDir, { limits });
    expect(writer.queries().list({ after: null, limit: 20_000 }).length).toBeLessThan(2_300);
  });

  it('takes small steps', () => {
    const stateDir = makeStateDir();
    leaveJournal(stateDir, 'now', ownedBy('now', many(1_000, AT, 'r')));
    const { writer } = runWriter(stateDir, { limits: { keepMs: 1, maxBytes: Number.POSITIVE_INFINITY } });
    writer.retain(AT + 100_000);
    writer.step();
    expect(writer.queries().list({ after: null, limit: 2_000 })).toHaveLength(750);
  });
});
