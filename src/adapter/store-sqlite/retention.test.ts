import { expect, it, onTestFinished } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { databaseFile, inTransaction, openDatabase } from './database.ts';
import { createRetention, type RetentionLimits } from './retention.ts';
import { number } from './rows.ts';
import { prepareRows } from './statements.ts';

const AT = 1_700_000_000_000;

function open() {
  const db = openDatabase(databaseFile(makeStateDir()));
  onTestFinished(() => db.close());
  const rows = prepareRows(db);
  const pragma = (name: string): number => number(db.prepare(`PRAGMA ${name}`).get() ?? {}, name);
  return {
    db,
    rows,
    count: () => number(db.prepare('SELECT count(*) AS n FROM requests').get() ?? {}, 'n'),
    usedBytes: () => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size'),
    tidy: (limits: Partial<RetentionLimits>, now: number): void => {
      const retention = createRetention(db, {
        keepMs: Number.POSITIVE_INFINITY,
        maxBytes: Number.POSITIVE_INFINITY,
        ...limits,
      });
      while (retention.step(now));
    },
  };
}

it('remembers when an owner was seen last for as long as it left something open', () => {
  const { rows, tidy } = open();
  for (const boot of ['one', 'two']) rows.seeOwner({ boot, worker: 0 }, AT);
  const owned = { owner: { boot: 'one', worker: 0 } };
  rows.save(null, foldFacts([factsOf('open', AT).started(owned)]));
  tidy({ keepMs: 1000 }, AT + 1_000_000);
  expect([rows.lastSeenAt({ boot: 'one', worker: 0 }), rows.lastSeenAt({ boot: 'two', worker: 0 })]).toEqual([
    AT,
    null,
  ]);
});

it('makes more room than is needed, so that it is not made for each request', () => {
  const { db, rows, count, usedBytes, tidy } = open();
  inTransaction(db, () => {
    for (let n = 0; n < 5000; n++) rows.save(null, foldFacts(wholeRequest(`r${n}`, AT + n)));
  });
  const maxBytes = usedBytes() * 0.97;
  tidy({ maxBytes }, AT);
  expect(usedBytes()).toBeLessThanOrEqual(maxBytes * 0.95);
  expect(count()).toBeGreaterThan(3500);
});
