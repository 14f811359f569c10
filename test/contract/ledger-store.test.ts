import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryLedgerStore } from '../../src/adapter/store-memory/ledger-store.ts';
import {
  createSqliteLedgerStore,
  openLedgerReader,
  type SqliteLedgerStore,
} from '../../src/adapter/store-sqlite/index.ts';
import type { LedgerStore } from '../../src/port/ledger-store.ts';
import { createVirtualClock } from '../kit/virtual-clock.ts';
import { ledgerStoreContract } from './ledger-store.ts';

ledgerStoreContract('memory', () => createMemoryLedgerStore());
ledgerStoreContract('sqlite', () => openSqlite().store);
// Each write of the journal is a file of its own, too.
ledgerStoreContract('sqlite, read from its rows alone', () => readFromRows(openSqlite({ maxFileBytes: 1 })));

type Opened = { readonly store: SqliteLedgerStore; readonly stateDir: string };

function openSqlite(journal: { readonly maxFileBytes?: number } = {}): Opened {
  const stateDir = mkdtempSync(join(tmpdir(), 'understudy-contract-'));
  const store = createSqliteLedgerStore({
    stateDir,
    owner: { boot: 'boot', worker: 0 },
    clock: createVirtualClock(),
    keepMs: Number.POSITIVE_INFINITY,
    maxBytes: Number.POSITIVE_INFINITY,
    explain: 'all',
    journal,
  });
  const close = async (): Promise<void> => {
    await store.close();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { store: { ...store, close }, stateDir };
}

/** The same store, seen as a command line beside it sees it. */
function readFromRows({ store, stateDir }: Opened): LedgerStore {
  const read = async <T>(look: (reader: ReturnType<typeof openLedgerReader>) => T): Promise<T> => {
    await store.opened;
    await store.flush();
    const reader = openLedgerReader({ stateDir });
    try {
      return look(reader);
    } finally {
      reader.close();
    }
  };
  return {
    ...store,
    list: (query) => read((reader) => reader.list(query)),
    get: (id) => read((reader) => reader.get(id)),
  };
}
