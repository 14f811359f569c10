import type { Behaviour } from '../scenario/scenario.ts';

type Row = { readonly means: string; readonly does: Behaviour };

const row = (means: string, does: Behaviour): Row => ({ means, does });

/** What providers commonly do, by a word. */
export const NAMED_BEHAVIOURS = {
  answers: row('a good answer, at once', {}),
  down: row('refuses the connection', { refuses: 'refused' }),
  silent: row('takes the request and never says anything', { headMs: null }),
  failing: row('500', { status: 500, error: { type: 'server_error', message: 'Internal error.' } }),
  overloaded: row('529, overloaded', { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } }),
  'rate-limited': row('429 without a delay', {
    status: 429,
    error: { code: 'rate_limit_exceeded', type: 'rate_limit_error', message: 'Rate limit reached.' },
  }),
  'out-of-credit': row('429, the quota is used up', {
    status: 429,
    error: { code: 'insufficient_quota', type: 'insufficient_quota', message: 'You exceeded your current quota.' },
  }),
  'bad-key': row('401, the key is not valid', {
    status: 401,
    error: { code: 'invalid_api_key', type: 'authentication_error', message: 'Incorrect API key provided.' },
  }),
  retired: row('404, the model is no longer available', {
    status: 404,
    error: {
      code: 'model_not_found',
      type: 'not_found_error',
      message: 'The model has been retired and is no longer available.',
    },
  }),
  'web-page': row('502 with a web page', { status: 502, body: 'html' }),
  empty: row('a 200 that says nothing', { words: 0 }),
} as const satisfies Readonly<Record<string, Row>>;

export type BehaviourName = keyof typeof NAMED_BEHAVIOURS;

export const BEHAVIOUR_NAMES = Object.keys(NAMED_BEHAVIOURS) as readonly BehaviourName[];
