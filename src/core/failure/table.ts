import { ACCESS_ROWS } from './rows/access.ts';
import { ACCOUNT_ROWS } from './rows/account.ts';
import { REQUEST_ROWS } from './rows/request.ts';
import type { ClassifierRow } from './rows/row.ts';
import { SERVER_ROWS } from './rows/server.ts';
import { TRANSPORT_ROWS } from './rows/transport.ts';

export type { ClassifierRow } from './rows/row.ts';

/**
 * Every kind of failure, in order: the first row that matches wins, within the first round that finds one
 * (`matcher.ts`). The last row matches everything.
 */
export const FAILURE_TABLE: readonly ClassifierRow[] = [
  ...ACCOUNT_ROWS,
  ...REQUEST_ROWS,
  ...ACCESS_ROWS,
  ...SERVER_ROWS,
  ...TRANSPORT_ROWS,
];
