import { printErrorTable, printFailureTable } from '../src/core/failure/print.ts';
import { printCommitTable, printTransitionTable } from '../src/core/stream/print.ts';
import type { Block } from './blocks.ts';

/** The page that explains the tables to people. */
export const TABLES_PAGE = 'docs/failover.md';

/** The tables that carry the product, as they stand in the page. */
export const printTables = (): Block[] => [
  { name: 'table:commit', text: printCommitTable() },
  { name: 'table:transitions', text: printTransitionTable() },
  { name: 'table:failure', text: printFailureTable().trimEnd() },
  { name: 'table:errors', text: printErrorTable().trimEnd() },
];
