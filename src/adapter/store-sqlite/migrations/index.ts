import { ledger } from './0001-ledger.ts';
import { asked } from './0002-asked.ts';
import { kind } from './0003-kind.ts';
import type { Migration } from './migration.ts';

export type { Migration } from './migration.ts';

/** In their order, without a gap. */
export const MIGRATIONS: readonly Migration[] = [ledger, asked, kind];
