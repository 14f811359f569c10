import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createSqliteLedgerStore,
  type SqliteLedgerStore,
  type SqliteLedgerStoreOptions,
} from '../../src/adapter/store-sqlite/create-sqlite-store.ts';
import { journalFolder } from '../../src/adapter/store-sqlite/journal-files.ts';
import type { FromWriter, ToWriter } from '../../src/adapter/store-sqlite/messages.ts';
import type { StoreTrouble } from '../../src/adapter/store-sqlite/trouble.ts';
import type { StartThread, ThreadEvents } from '../../src/adapter/store-sqlite/worker-thread.ts';
import type { Fact } from '../../src/core/attempt/ledger.ts';
import { makeStateDir } from './state-dir.ts';
import { createVirtualClock } from './virtual-clock.ts';

export type OpenedStore = {
  readonly store: SqliteLedgerStore;
  readonly stateDir: string;
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly troubles: StoreTrouble[];
  readonly refused: string[];
};

let boots = 0;

/** A store in virtual time on a folder of its own; what it says is kept. */
export function openStore(options: Partial<SqliteLedgerStoreOptions> = {}): OpenedStore {
  const stateDir = options.stateDir ?? makeStateDir();
  const clock = createVirtualClock();
  const troubles: StoreTrouble[] = [];
  const refused: string[] = [];
  const store = createSqliteLedgerStore({
    owner: { boot: `boot-${++boots}`, worker: 0 },
    clock,
    keepMs: Number.POSITIVE_INFINITY,
    maxBytes: Number.POSITIVE_INFINITY,
    explain: 'failures',
    onTrouble: (trouble) => troubles.push(trouble),
    onViolation: (law) => refused.push(law),
    ...options,
    stateDir,
  });
  onTestFinished(() => store.close());
  return { store, stateDir, clock, troubles, refused };
}

export function appendAll(store: Pick<SqliteLedgerStore, 'append'>, facts: readonly Fact[]): void {
  for (const fact of facts) store.append(fact);
}

export const idsOf = async (store: Pick<SqliteLedgerStore, 'list'>): Promise<string[]> =>
  (await store.list({ limit: 1_000 })).data.map(({ id }) => id);

/** What the journal files hold now, as facts in a row. */
function journalOf(stateDir: string): { type: string; request?: string }[] {
  const folder = journalFolder(stateDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type !== 'journal');
}

export const typesOf = (stateDir: string): string[] => journalOf(stateDir).map(({ type }) => type);

/** A thread that does nothing, and says so when the store is closed (`mute`: not even then). */
export function createIdleThread({ mute = false } = {}) {
  const posts: ToWriter[] = [];
  let events: ThreadEvents | null = null;
  let starts = 0;
  const start: StartThread = (_settings, given) => {
    starts += 1;
    events = given;
    const post = (message: ToWriter): void => {
      posts.push(message);
      if (mute || message.type !== 'ask' || message.question !== 'close') return;
      given.onMessage({ type: 'refusal', id: message.id, words: { code: 'idle', message: 'idle' } });
    };
    return { post, hold: () => {}, terminate: () => Promise.resolve() };
  };
  return {
    start,
    posts,
    starts: () => starts,
    die: () => events?.onDeath(new Error('out of memory')),
    say: (message: FromWriter) => events?.onMessage(message),
  };
}
