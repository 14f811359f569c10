import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSqliteLedgerStore } from '../../src/adapter/store-sqlite/index.ts';
import type { RequestLedger } from '../../src/core/attempt/ledger.ts';
import type { LedgerStore } from '../../src/port/ledger-store.ts';
import { takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';
import { makeStateDir } from '../kit/state-dir.ts';
import { createVirtualClock } from '../kit/virtual-clock.ts';

const ROUNDS = 5;

/** Runs a gateway's ledger, kills it at some moment, and gives the attempts that it had told of. */
async function appendAndDie(stateDir: string, boot: string, afterMs: number): Promise<string[]> {
  const file = join(stateDir, `${boot}.told`);
  const out = openSync(file, 'w');
  const script = join(import.meta.dirname, 'ledger-child.ts');
  const child = spawn(process.execPath, [script, stateDir, boot], { stdio: ['ignore', out, 'inherit'] });
  const exited = once(child, 'exit');
  const told = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // Counted from the first attempt on: the moment may be within a write, a batch or the replay.
  while (told().length === 0 && child.exitCode === null) await sleep(2);
  await sleep(afterMs);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  closeSync(out);
  expect(signal).toBe('SIGKILL');
  return told();
}

const open = (stateDir: string, boot: string) =>
  createSqliteLedgerStore({
    stateDir,
    owner: { boot, worker: 0 },
    clock: createVirtualClock(),
    keepMs: Number.POSITIVE_INFINITY,
    maxBytes: Number.POSITIVE_INFINITY,
    explain: 'failures',
  });

async function everything(store: Pick<LedgerStore, 'list'>): Promise<RequestLedger[]> {
  const found: RequestLedger[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await store.list({ limit: 1_000, ...(cursor ? { cursor } : {}) });
    found.push(...page.data);
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

function dump(stateDir: string): unknown {
  const db = new DatabaseSync(join(stateDir, 'ledger.db'));
  const rows = ['requests', 'attempts', 'violations'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  db.close();
  return rows;
}

it('has every attempt that was told of after a kill -9, and closes what was open once', async () => {
  const stateDir = makeStateDir();
  const told: string[] = [];
  const random = createSeededRandom(takeSeed('ledger kill'));
  for (let round = 1; round <= ROUNDS; round++) {
    told.push(...(await appendAndDie(stateDir, `dead${round}`, random.next() * 400)));
  }
  expect(told.length).toBeGreaterThan(ROUNDS);

  const first = open(stateDir, 'alive1');
  await first.opened;
  const ledgers = await everything(first);
  const recorded = new Set(ledgers.flatMap(({ id, attempts }) => attempts.map(({ n }) => `${id} ${n}`)));
  expect(told.filter((attempt) => !recorded.has(attempt))).toEqual([]);
  // Killed between the record and the word of it: at most one of each process.
  expect(recorded.size - told.length).toBeLessThanOrEqual(ROUNDS);
  expect(ledgers.filter(({ ended }) => ended === null)).toEqual([]);
  expect(ledgers.flatMap(({ attempts }) => attempts).filter(({ outcome }) => outcome === null)).toEqual([]);
  expect(ledgers.filter(({ ended }) => ended?.outcome === 'abandoned').length).toBeGreaterThan(0);
  expect(await first.reconcile(0)).toMatchObject({ breachCount: 0, violations: { count: 0 } });
  await first.close();

  const before = dump(stateDir);
  const second = open(stateDir, 'alive2');
  expect(await second.opened).toEqual({ abandoned: 0 });
  await second.close();
  expect(dump(stateDir)).toEqual(before);
}, 60_000);
