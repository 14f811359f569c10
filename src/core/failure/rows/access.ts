import { isAboutNoField } from '../refusals.ts';
import * as words from '../words/index.ts';
import type { ClassifierRow } from './row.ts';

/** What a key may not do, or not now. */
export const ACCESS_ROWS: readonly ClassifierRow[] = [
  {
    id: 'bad_key',
    title: 'bad key',
    description: '401, `invalid_api_key`, 403 with key words',
    match: [
      { by: 'code', codes: words.KEY_CODES },
      { by: 'words', status: [403], words: words.KEY_WORDS },
      { by: 'words', status: [400], words: words.BAD_KEY_WORDS, when: isAboutNoField },
      { by: 'status', status: [401] },
      { by: 'status', head: 'fine', codes: words.AUTH_LABELS },
    ],
    effect: {
      outcome: 'auth',
      component: 'credential',
      onward: 'next_credential',
      again: false,
      scope: 'credential',
      hold: 'auth',
      weight: 0,
    },
    columns: {
      outcome: '`auth`',
      beforeCommit: 'next credential, then target',
      scope: 'credential',
      hold: '5 min, doubling to 1 h',
      circuit: '–',
    },
  },
  {
    id: 'permission',
    title: 'other 403',
    description: 'region, plan, permission',
    match: [
      // A throttle that comes as a 403 names itself, and so does a missing model.
      { by: 'status', status: [403], unlessCodes: words.RATE_LABELS },
      { by: 'status', head: 'fine', codes: words.PERMISSION_LABELS },
    ],
    effect: {
      outcome: 'permission',
      component: 'credential',
      onward: 'next_target',
      again: false,
      scope: 'route',
      hold: 'permission',
      weight: 0,
    },
    columns: { outcome: '`permission`', beforeCommit: 'next target', scope: 'route', hold: '10 min', circuit: '–' },
  },
  {
    id: 'model_not_found',
    title: 'unknown model',
    description: '`model_not_found` code, 404 (but 404 about an item: `bad_request`), 400 with a model code',
    match: [
      { by: 'code', codes: words.MODEL_CODES },
      { by: 'words', status: [400, 403, 404, 422], words: words.MODEL_WORDS, when: isAboutNoField },
      { by: 'status', status: [400, 404, 422], params: ['model'] },
      { by: 'status', status: [404], unlessWords: words.ITEM_WORDS, unlessCodes: words.ITEM_CODES },
      { by: 'status', head: 'fine', codes: words.NOT_FOUND_LABELS, unlessWords: words.ITEM_WORDS },
    ],
    effect: {
      outcome: 'model_not_found',
      component: 'target',
      onward: 'next_target',
      again: false,
      scope: 'route',
      hold: 'not_found',
      weight: 0,
    },
    columns: {
      outcome: '`model_not_found`',
      beforeCommit: 'next target',
      scope: 'route',
      hold: '10 min, doubling to 6 h',
      circuit: '–',
    },
  },
  {
    id: 'rate_limited',
    title: 'rate limited',
    description: 'other 429',
    match: [
      { by: 'words', head: 'fine', words: words.RATE_WORDS },
      { by: 'status', status: [429] },
      { by: 'status', codes: words.RATE_LABELS },
    ],
    effect: {
      outcome: 'rate_limited',
      component: 'credential',
      onward: 'next_route',
      again: false,
      scope: 'route',
      hold: 'rate_limited',
      weight: 0,
    },
    columns: {
      outcome: '`rate_limited`',
      beforeCommit: 'next route',
      scope: "credential+model (credential if the provider's limit is account wide)",
      hold: 'told; else 5 s, doubling per repeat to 60 s',
      circuit: '–',
    },
  },
];
