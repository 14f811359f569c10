import { writeSync } from 'node:fs';
import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createSqliteLedgerStore } from '../../src/adapter/store-sqlite/index.ts';
import { factsOf } from '../kit/facts.ts';

/**
 * Appends requests until it is killed: `node ledger-child.ts STATE_DIR BOOT`. What it tells on its output it has appended
 * before, as an attempt is recorded before its bytes go out.
 */
const [stateDir = '', boot = ''] = process.argv.slice(2);
const clock = createSystemClock();
const owner = { boot, worker: 0 };
const store = createSqliteLedgerStore({
  stateDir,
  owner,
  clock,
  keepMs: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  explain: 'failures',
  journal: { maxFileBytes: 20_000 },
});

function appendRequest(count: number): void {
  const id = `${boot}-${count}`;
  const facts = factsOf(id, clock.now());
  store.append(facts.started({ owner }));
  for (let n = 1; n <= 1 + (count % 3); n++) {
    if (n > 1) store.append(facts.attemptEnded(n - 1, { outcome: 'server_error' }));
    store.append(facts.attempt(n));
    writeSync(1, `${id} ${n}\n`);
  }
  // Every fifth is never answered.
  if (count % 5 === 0) return;
  const last = 1 + (count % 3);
  store.append(facts.head(last));
  store.append(facts.committed(last));
  store.append(facts.attemptEnded(last));
  store.append(facts.ended());
}

let count = 0;
function go(): void {
  for (let n = 0; n < 20; n++) appendRequest(++count);
  setTimeout(go, 1);
}
go();
