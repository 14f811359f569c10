import { createMemoryLedgerStore } from '../../src/adapter/store-memory/ledger-store.ts';
import { ledgerStoreContract } from './ledger-store.ts';

ledgerStoreContract('memory', () => createMemoryLedgerStore());
