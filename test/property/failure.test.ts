import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify } from '../../src/core/failure/classify.ts';
import { innermostError } from '../../src/core/failure/innermost.ts';
import { matchesClause, ROUNDS, viewSignal } from '../../src/core/failure/matcher.ts';
import { OUTCOMES } from '../../src/core/failure/outcome.ts';
import { readToldDelay } from '../../src/core/failure/retry-after.ts';
import type { FailureSignal, ProviderError } from '../../src/core/failure/signal.ts';
import { FAILURE_TABLE } from '../../src/core/failure/table.ts';
import * as words from '../../src/core/failure/words/index.ts';
import { assertProperty } from '../kit/assert-property.ts';

/** Words that mean something, so that chance meets the rows and not only their default. */
const CODES = Object.values(words).flatMap((list) => (typeof list[0] === 'string' ? (list as readonly string[]) : []));

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(...CODES, 'limit 10, requested 20'),
);
const status = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 100, max: 599 }),
  fc.constantFrom(400, 401, 403, 404, 410, 413, 422, 429, 500, 502, 503, 529),
  fc.integer(),
);

const error = fc.record({
  status,
  code: fc.option(text),
  type: fc.option(text),
  param: fc.option(text),
  message: fc.oneof(
    text,
    fc.array(text, { maxLength: 6 }).map((parts) => parts.join(' ')),
  ),
});

const cause: fc.Arbitrary<FailureSignal['cause']> = fc.oneof(
  fc.constantFrom({ kind: 'status' } as const, { kind: 'error_event' } as const, { kind: 'error_body' } as const),
  fc.record({
    kind: fc.constant('fault' as const),
    fault: fc.constantFrom('incomplete', 'empty', 'malformed', 'wrong_content', 'no_output', 'no_answer'),
  }),
  fc.record({ kind: fc.constant('finish' as const), reason: text }),
  fc.record({ kind: fc.constant('own_fault' as const), words: text, at: text }),
  fc.record({
    kind: fc.constant('transport' as const),
    error: fc.constantFrom(
      'dns',
      'refused',
      'unreachable',
      'tls',
      'reset',
      'closed',
      'bad_http',
      'bad_encoding',
      'local',
    ),
    detail: text,
  }),
  fc.record({
    kind: fc.constant('clock' as const),
    clock: fc.constantFrom('connect', 'headers', 'firstOutput', 'idle', 'progress', 'whole'),
    limitMs: fc.nat(),
  }),
) as fc.Arbitrary<FailureSignal['cause']>;

const headers = fc.dictionary(
  fc.constantFrom(
    'retry-after',
    'retry-after-ms',
    'date',
    'x-ratelimit-reset',
    'x-ratelimit-remaining',
    'anthropic-ratelimit-tokens-reset',
    'ratelimit-reset',
  ),
  fc.oneof(
    text,
    fc.constantFrom(
      '0',
      '-1',
      '1e999',
      '30',
      '6m0s',
      'Sun, 29 Nov 2026 10:00:45 GMT',
      '2026-11-29T10:00:00Z',
      '99999999999999999999',
    ),
  ),
);

const signal: fc.Arbitrary<FailureSignal> = fc.record({
  cause,
  provider: fc.constant('p'),
  protocol: fc.constant('openai-chat' as const),
  translated: fc.boolean(),
  status,
  headers,
  error: fc.option(error),
  body: fc.constantFrom('json', 'html', 'text', 'empty', 'none'),
  anyByte: fc.boolean(),
  anyEvent: fc.boolean(),
  anyItem: fc.boolean(),
  committed: fc.boolean(),
  at: fc.nat(),
});

const SAFE = /^[A-Za-z0-9_.[\]-]{1,64}$/;

describe('the classifier', () => {
  it('knows any signal, and keeps its laws', () => {
    assertProperty(
      fc.property(signal, (given) => {
        const failure = classify(given);
        expect(OUTCOMES).toContain(failure.outcome);
        expect(classify(given)).toEqual(failure);
        expect(failure.reason.length).toBeLessThanOrEqual(300);
        expect(failure.reason).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        for (const word of [failure.code, failure.param, failure.type]) if (word !== null) expect(word).toMatch(SAFE);
        if (failure.outcome !== 'bad_request')
          expect([failure.code, failure.param, failure.type]).toEqual([null, null, null]);
        if (failure.toldDelayMs !== null)
          expect(Number.isFinite(failure.toldDelayMs) && failure.toldDelayMs > 0).toBe(true);
        if (failure.scope === 'none')
          expect([failure.hold, failure.weight, failure.toldDelayMs]).toEqual([null, 0, null]);
        if (failure.outcome.startsWith('timeout_'))
          expect([failure.again, failure.weight, failure.refusal]).toEqual([false, 2, false]);
        if (failure.refusal) expect([500, 502, 504]).not.toContain(given.status);
      }),
    );
  });

  it('gives each signal to the first row of the first round that matches', () => {
    assertProperty(
      fc.property(signal, (given) => {
        const view = viewSignal(given);
        const rank = (id: string) => FAILURE_TABLE.findIndex((row) => row.id === id);
        const matching = ROUNDS.map((by) =>
          FAILURE_TABLE.findIndex((row) => row.match.some((clause) => clause.by === by && matchesClause(clause, view))),
        );
        expect(rank(classify(given).row)).toBe(matching.find((found) => found >= 0));
      }),
    );
  });
});

const BLANK: FailureSignal = {
  cause: { kind: 'status' },
  provider: 'p',
  protocol: 'openai-chat',
  translated: false,
  status: null,
  headers: {},
  error: null,
  body: 'json',
  anyByte: true,
  anyEvent: false,
  anyItem: false,
  committed: false,
  at: 0,
};

const said = (fields: Partial<ProviderError>): ProviderError => ({
  status: null,
  code: null,
  type: null,
  param: null,
  message: '',
  ...fields,
});

const WITNESSES: Readonly<Record<string, Partial<FailureSignal>>> = {
  retired_model: { status: 410, error: said({ code: 'model_deprecated' }) },
  quota_exhausted: { status: 402 },
  larger_than_limit: { status: 429, error: said({ message: 'Limit 10, requested 20' }) },
  overloaded: { status: 529 },
  context_length: { status: 400, error: said({ message: 'prompt is too long' }) },
  content_policy: { status: 400, error: said({ code: 'content_filter' }) },
  unsupported_capability: { status: 400, error: said({ message: 'this model does not support tools' }) },
  incompatible_history: { status: 400, error: said({ code: 'invalid_encrypted_content' }) },
  bad_generation: { status: 400, error: said({ code: 'tool_use_failed' }) },
  bad_key: { status: 401 },
  permission: { status: 403 },
  model_not_found: { status: 404 },
  rate_limited: { status: 429 },
  model_unavailable: { status: 409 },
  payload_too_large: { status: 413 },
  bad_gateway: { status: 504 },
  server_error: { status: 500 },
  translated_request: { status: 422, translated: true },
  redirect: { status: 307 },
  bad_request: { status: 415 },
  connect_error: { cause: { kind: 'transport', error: 'refused', detail: '' } },
  timeout: { cause: { kind: 'clock', clock: 'idle', limitMs: 5 } },
  broken_answer: { cause: { kind: 'fault', fault: 'incomplete' } },
  no_output: { cause: { kind: 'fault', fault: 'no_output' } },
  local_resource: { cause: { kind: 'transport', error: 'local', detail: '' } },
  own_fault: { cause: { kind: 'own_fault', words: 'TypeError', at: '' } },
  anything_else: { status: 200 },
};

describe('rows', () => {
  it('are all reached, each by its own witness, whatever else the signal says', () => {
    expect(Object.keys(WITNESSES)).toEqual(FAILURE_TABLE.map((row) => row.id));
    const noise = fc.record({
      anyByte: fc.boolean(),
      anyEvent: fc.boolean(),
      anyItem: fc.boolean(),
      headers,
      at: fc.nat(),
    });
    assertProperty(
      fc.property(fc.constantFrom(...Object.entries(WITNESSES)), noise, ([id, witness], around) => {
        expect(classify({ ...BLANK, ...around, ...witness }).row).toBe(id);
      }),
    );
  });
});

describe('a witness made from each clause', () => {
  const rowOf = (fields: Partial<FailureSignal>) => classify({ ...BLANK, ...fields }).row;
  const withCode = (code: string, at: number) =>
    rowOf({ status: at, error: { status: null, code, type: null, param: null, message: '' } });
  const withWords = (message: string, at: number) =>
    rowOf({ status: at, error: { status: null, code: null, type: null, param: null, message } });
  const fill = (phrase: string) => phrase.replaceAll('#', '17').replaceAll(' * ', ' of this ').replaceAll('~', '`x`');

  it.each<[string, readonly string[], number]>([
    ['retired_model', words.RETIRED_CODES, 400],
    ['quota_exhausted', words.QUOTA_CODES, 429],
    ['overloaded', words.OVERLOAD_CODES, 400],
    ['context_length', words.CONTEXT_CODES, 400],
    ['content_policy', words.POLICY_CODES, 400],
    ['incompatible_history', words.STATE_CODES, 400],
    ['bad_generation', words.BAD_GENERATION_CODES, 400],
    ['bad_key', words.KEY_CODES, 400],
    ['model_not_found', words.MODEL_CODES, 400],
    ['rate_limited', words.RATE_LABELS, 400],
    ['model_unavailable', words.UNAVAILABLE_CODES, 400],
    ['bad_request', words.ITEM_CODES, 404],
    ['server_error', words.SERVER_LABELS, 500],
  ])('every code of %s', (row, codes, at) => {
    for (const code of codes) {
      expect(withCode(code, at), code).toBe(row);
      expect(withCode(code.toUpperCase().replaceAll('_', '-'), at), code).toBe(row);
    }
  });

  it.each<[string, readonly string[], number]>([
    ['retired_model', words.RETIRED_WORDS.map((phrase) => `this model is ${phrase}`), 404],
    ['quota_exhausted', words.QUOTA_WORDS, 400],
    ['overloaded', words.OVERLOAD_WORDS, 503],
    ['context_length', words.CONTEXT_WORDS, 400],
    ['content_policy', words.POLICY_WORDS, 400],
    ['incompatible_history', [...words.STATE_WORDS, ...words.FOREIGN_ITEM_WORDS], 400],
    ['bad_generation', words.BAD_GENERATION_WORDS, 400],
    ['bad_key', words.KEY_WORDS, 403],
    ['model_not_found', words.MODEL_WORDS, 400],
    ['model_unavailable', words.UNAVAILABLE_WORDS, 503],
    ['bad_request', words.ITEM_WORDS, 404],
    ['unsupported_capability', words.FEATURE_REFUSALS.flatMap((entry) => entry.words), 400],
  ])('all words of %s', (row, phrases, at) => {
    for (const phrase of phrases) expect(withWords(`Sorry: ${fill(phrase)}.`, at), phrase).toBe(row);
  });

  it('every refused parameter, in every sentence', () => {
    for (const { feature, params } of words.FEATURE_REFUSALS) {
      for (const param of params) {
        for (const sentence of words.REFUSED_PARAM_WORDS) {
          // A name is quoted as a name: what has three words could be anybody's sentence.
          const name = /^\w+ \w+ \w+$/.test(param) ? param : `'${param}'`;
          const message = `Sorry, ${sentence.replace(' * ', ' of this ').replace('{}', name)}.`;
          expect(withWords(message, 400), message).toBe('unsupported_capability');
          const told = classify({
            ...BLANK,
            status: 400,
            error: { status: null, code: null, type: null, param: null, message },
          });
          expect([feature, null], message).toContain(told.feature);
        }
      }
    }
  });
});

describe('parsers of strangers', () => {
  it('innermostError is total and bounded', () => {
    assertProperty(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.object({
            key: fc.constantFrom(
              'error',
              'errors',
              'detail',
              'message',
              'code',
              'type',
              'metadata',
              'raw',
              'details',
              '__proto__',
              'constructor',
            ),
          }),
        ),
        fc.option(fc.integer({ min: 100, max: 599 })),
        (value, at) => {
          const found = innermostError(value, at);
          if (found === null) return;
          expect(found.message.length).toBeLessThanOrEqual(4000);
          for (const word of [found.code, found.type, found.param])
            expect(word === null || typeof word === 'string').toBe(true);
        },
      ),
    );
  });

  it('finds the same error in any envelope', () => {
    const wraps: readonly ((inner: unknown) => unknown)[] = [
      (inner) => ({ error: inner }),
      (inner) => [{ error: inner }],
      (inner) => ({ errors: [inner] }),
      (inner) => ({ detail: inner }),
      (inner) => ({
        error: { message: 'Provider returned error', metadata: { raw: JSON.stringify({ error: inner }) } },
      }),
      (inner) => ({ message: `502: ${JSON.stringify({ error: inner })}` }),
    ];
    assertProperty(
      fc.property(fc.array(fc.constantFrom(...wraps), { minLength: 1, maxLength: 3 }), (chain) => {
        const inner = { message: 'the inner words', code: 'inner_code' };
        const wrapped = chain.reduce<unknown>((value, wrap) => wrap(value), inner);
        expect(innermostError(wrapped, 500)).toMatchObject({ message: 'the inner words', code: 'inner_code' });
      }),
    );
  });

  it('readToldDelay gives a positive number or nothing', () => {
    assertProperty(
      fc.property(headers, fc.option(error), fc.nat(), (given, of, at) => {
        const delay = readToldDelay(given, of, at);
        expect(delay === null || (Number.isFinite(delay) && delay > 0)).toBe(true);
      }),
    );
  });
});
