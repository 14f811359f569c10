import { NO_TRACE, NO_TRACE_COLUMNS } from '../../core/failure/rows/effects.ts';
import type { ClassifierRow } from '../../core/failure/table.ts';

/**
 * What stands before the table of failures where a response is asked for by its id. No model is named in such a
 * request, so nothing that its path is answered with says anything of one.
 */
export const FOLLOW_UP_ROWS: readonly ClassifierRow[] = [
  {
    id: 'follow_up_not_offered',
    title: 'follow-up not offered',
    description: '405, 501 or a page of HTML with 404: the provider has no such path',
    match: [
      { by: 'code', status: [405, 501] },
      { by: 'code', status: [404], body: 'html' },
    ],
    effect: { outcome: 'unsupported_capability', component: 'target', onward: 'stop', again: false, ...NO_TRACE },
    columns: { outcome: '`unsupported_capability`', beforeCommit: '**stop**', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'response_not_found',
    title: 'unknown response',
    description: 'any other 404',
    match: [{ by: 'code', status: [404] }],
    effect: { outcome: 'bad_request', component: 'client', onward: 'stop', again: false, ...NO_TRACE },
    columns: { outcome: '`bad_request`', beforeCommit: '**stop**', ...NO_TRACE_COLUMNS },
  },
];
