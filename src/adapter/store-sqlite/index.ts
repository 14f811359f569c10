export {
  createSqliteLedgerStore,
  type SqliteLedgerStore,
  type SqliteLedgerStoreOptions,
} from './create-sqlite-store.ts';
export type { ExplainPolicy } from './explain.ts';
export { type LedgerReader, openLedgerReader } from './ledger-reader.ts';
export { StateDirError } from './state-dir-error.ts';
export type { StoreTrouble, TroubleKind } from './trouble.ts';
