import type { Clause } from '../../core/failure/matcher.ts';
import { FOREIGN_ITEM_WORDS, STATE_CODES, STATE_WORDS } from '../../core/failure/words/index.ts';

/**
 * How a provider tells that it has no such path: a server of another maker, or a page of it. A 404 may also be about
 * something that the request names, and then says so.
 */
export const NOT_OFFERED: readonly Clause[] = [
  { by: 'code', status: [405, 501] },
  {
    by: 'code',
    status: [404],
    unlessCodes: [...STATE_CODES, 'model_not_found'],
    unlessWords: [...STATE_WORDS, ...FOREIGN_ITEM_WORDS],
  },
  { by: 'cause', causes: ['fault:wrong_content'], body: 'html' },
];
