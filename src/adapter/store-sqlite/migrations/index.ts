import { ledger } from './0001-ledger.ts';
import type { Migration } from './migration.ts';

export type { Migration } from './migration.ts';

/** In their order, without a gap. */
export const MIGRATIONS: readonly Migration[] = [ledger];
