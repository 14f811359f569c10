import type { Clause } from '../matcher.ts';
import { isAboutNoField, isOverLimit } from '../refusals.ts';
import * as words from '../words/index.ts';
import { NO_TRACE, NO_TRACE_COLUMNS, ROUTE_FAULT, ROUTE_FAULT_COLUMNS } from './effects.ts';
import type { ClassifierRow } from './row.ts';

const SPENT: Clause = {
  by: 'words',
  words: words.QUOTA_WORDS,
  unlessWords: words.QUOTA_WORDS_UNLESS,
  when: isAboutNoField,
};
const REFUSED_BILL: Clause = { by: 'status', status: [402], but: { outcome: 'billing' } };
/** Models that are gone, accounts that are spent, targets that are full. */
export const ACCOUNT_ROWS: readonly ClassifierRow[] = [
  {
    id: 'retired_model',
    title: 'retired model',
    description:
      'codes `model_deprecated`, `model_end_of_life`, `model_eol`, `model_retired`, on 410 also `model_not_found`; or on 404 and 410 the whole word "model" with "end of life", "end-of-life", "no longer available", deprecated, retired, retirement, sunset, decommissioned',
    match: [
      { by: 'code', codes: words.RETIRED_CODES },
      { by: 'code', codes: ['model_not_found'], status: [410] },
      // Among the codes, since providers send `model_not_found` with these very words.
      { by: 'code', status: [404, 410], allWords: ['model'], words: words.RETIRED_WORDS },
    ],
    effect: {
      outcome: 'model_gone',
      component: 'target',
      onward: 'next_target',
      again: false,
      scope: 'target',
      hold: 'retired',
      weight: 0,
    },
    columns: {
      outcome: '`model_gone`',
      beforeCommit: 'next target',
      scope: 'target, all credentials',
      hold: '24 h',
      circuit: '–',
    },
  },
  {
    id: 'quota_exhausted',
    title: 'quota or credit exhausted',
    description: '402, `insufficient_quota`, credit, balance or spend-limit words at any status',
    match: [
      { ...REFUSED_BILL, by: 'code', codes: words.QUOTA_CODES },
      { by: 'code', codes: words.QUOTA_CODES },
      { ...SPENT, ...REFUSED_BILL, by: 'words' },
      SPENT,
      REFUSED_BILL,
    ],
    effect: {
      outcome: 'quota_exhausted',
      component: 'credential',
      onward: 'next_credential',
      again: false,
      scope: 'credential',
      hold: 'quota',
      weight: 0,
    },
    columns: {
      outcome: '`billing` for status 402, else `quota_exhausted`',
      beforeCommit: 'next credential, then target',
      scope: 'credential',
      hold: 'told reset; else 10 min, doubling to 6 h',
      circuit: '–',
    },
  },
  {
    id: 'larger_than_limit',
    title: 'one request larger than the limit itself',
    description: '"requested > limit" words in a 429',
    match: [
      { by: 'code', status: [429], words: words.TOO_LARGE_FOR_LIMIT_WORDS },
      { by: 'code', status: [429], when: isOverLimit },
      { by: 'code', head: 'fine', codes: words.RATE_LABELS, words: words.TOO_LARGE_FOR_LIMIT_WORDS },
      { by: 'code', head: 'fine', codes: words.RATE_LABELS, when: isOverLimit },
    ],
    effect: { outcome: 'context_length', component: 'client', onward: 'next_target', again: false, ...NO_TRACE },
    columns: { outcome: '`context_length`', beforeCommit: 'next target', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'overloaded',
    title: 'overload',
    description:
      'words or codes of overload (`overloaded_error`, `server_is_overloaded`, `slow_down`) at any status; 529',
    match: [
      { by: 'code', codes: words.OVERLOAD_CODES },
      { by: 'words', words: words.OVERLOAD_WORDS, when: isAboutNoField },
      { by: 'status', status: [529] },
    ],
    effect: { outcome: 'overloaded', component: 'target', onward: 'next_target', again: true, ...ROUTE_FAULT },
    columns: { outcome: '`overloaded`', beforeCommit: 'next, *again*', ...ROUTE_FAULT_COLUMNS },
  },
];
