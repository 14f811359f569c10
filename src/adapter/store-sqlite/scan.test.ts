import { expect, it, onTestFinished } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import type { RequestLedger } from '../../core/attempt/ledger.ts';
import { EMPTY_RECONCILIATION, reconcileRequests } from '../../core/attempt/reconcile.ts';
import { databaseFile, openDatabase } from './database.ts';
import { prepareScan, SCAN_SQL } from './scan.ts';
import { prepareRows } from './statements.ts';

const AT = 1_700_000_000_000;

function open() {
  const db = openDatabase(databaseFile(makeStateDir()));
  onTestFinished(() => db.close());
  return db;
}

/** Of every shape: refused, open, served at the second try, served at once. Several began at one moment. */
function ledgers(): readonly RequestLedger[] {
  return Array.from({ length: 40 }, (_, n) => {
    const id = `r${String(n).padStart(2, '0')}`;
    const facts = factsOf(id, AT + Math.floor(n / 4));
    if (n % 4 === 0) {
      return foldFacts([facts.started(), facts.ended({ outcome: 'rejected', rejected: true, servedBy: null })]);
    }
    if (n % 4 === 1) return foldFacts([facts.started(), facts.attempt(1)]);
    if (n % 4 === 3) return foldFacts(wholeRequest(id, AT + Math.floor(n / 4)));
    const usage = { inputTokens: n, outputTokens: 1, reasoningTokens: null, cachedTokens: 0, cacheWriteTokens: null };
    return foldFacts([
      facts.started({ owner: { boot: 'dead', worker: 1 } }),
      facts.attempt(1),
      facts.attemptEnded(1, { outcome: 'server_error', usage: { ...usage, source: 'reported' } }),
      facts.attempt(2),
      facts.head(2),
      facts.committed(2),
      facts.attemptEnded(2, { usage: { ...usage, source: 'reported' } }),
      facts.ended(),
    ]);
  });
}

it.each([1, 3, 7, 100])('gives in parts of %i what a check needs of the whole records', (part) => {
  const db = open();
  const all = ledgers();
  for (const ledger of all) prepareRows(db).save(null, ledger);
  const scan = prepareScan(db);
  const found = [];
  for (let after = null, isMore = true; isMore; ) {
    const some = scan(AT, after, part);
    found.push(...some);
    const last = some.at(-1);
    isMore = last !== undefined && some.length === part;
    after = last === undefined ? null : { at: last.started.at, id: last.id };
  }
  expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  const isAlive = ({ boot }: { readonly boot: string }): boolean => boot === 'boot';
  const sum = reconcileRequests(all, isAlive);
  expect(sum).not.toEqual(EMPTY_RECONCILIATION);
  expect(reconcileRequests(found, isAlive)).toEqual(sum);
  expect(scan(AT + 9, null, 100).map(({ id }) => id)).toEqual(['r36', 'r37', 'r38', 'r39']);
});

it('goes to its place in an index, and reads no row of other requests', () => {
  const plan = open()
    .prepare(`EXPLAIN QUERY PLAN ${SCAN_SQL}`)
    .all()
    .map(({ detail }) => String(detail));
  const searches = plan.filter((line) => /\b(requests|SEARCH a|SCAN a)\b/.test(line));
  expect(searches).toEqual([
    'SEARCH requests USING INDEX requests_by_time ((started_at,id)>(?,?))',
    'SEARCH a USING PRIMARY KEY (request=?) LEFT-JOIN',
  ]);
});
