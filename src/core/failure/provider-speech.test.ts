import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { hideEcho } from '../redact/hide-echo.ts';
import { foldWords } from '../redact/index.ts';
import { hasPhrase, normaliseMessage } from './phrase.ts';
import { findProviderSpeech } from './provider-speech.ts';
import * as tables from './words/index.ts';

const toldOf = (message: string): readonly string[] =>
  findProviderSpeech(message).map((range) => message.slice(...range));

it.each<[string, readonly string[]]>([
  ['The request failed: rate limit reached for x9/y in this region', ['The request failed: rate limit reached for']],
  ['rate limit reached', []],
  ['the rate limit of my aunt', []],
  ['please see the file with the name of the user', []],
  ['My PIN is 4711081 and the rate limit is exceeded', ['rate limit is exceeded']],
  ['the rate limit of 4711081 tokens is exceeded', ['the rate limit of 4711081 tokens is exceeded']],
  ['It said “the rate limit is exceeded now” to me', []],
  ["It said 'the rate limit is exceeded now", []],
  ['Invalid value for messages[0].content: &#77;&#121;&#32;&#103;', ['Invalid value for messages[0].content:']],
  ['Invalid value for messages[0].content: &#77; &#121; limit &#32;', ['Invalid value for messages[0].content:']],
  ['Invalid value for messages[0].content: \\115\\171\\040\\147', ['Invalid value for messages[0].content:']],
  [
    'Invalid value for messages[0].content: 4111 1111 1234 5678 valid 09 27',
    ['Invalid value for messages[0].content:'],
  ],
  ['Invalid value for messages[0].content: 4711', ['Invalid value for messages[0].content:']],
  ['the rate limit is exceeded, code 123 and content:123', ['the rate limit is exceeded, code']],
  ['Rate limit reached on tokens: limit 4111-1111-1234', ['Rate limit reached on tokens: limit']],
  ['Rate limit reached on tokens: limit 0171', ['Rate limit reached on tokens: limit']],
  ['Rate limit reached on tokens: limit 5553 4422', ['Rate limit reached on tokens: limit']],
  ...[
    'Rate limit reached on tokens per min (TPM): Limit 30,000, Used 29000, Requested 1500. Please try again in 6m0s.',
    'The request failed with status code 429: rate limit reached',
    'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens',
    'at most 100 images are allowed per request, which is the maximum',
    'the limit is 20 requests per minute; try again in 1m 2s',
  ].map((text): [string, string[]] => [text, [text]]),
  ['', []],
])('is what errors say in words of errors: %s', (message, told) => {
  expect(toldOf(message)).toEqual(told);
});

const PHRASES = Object.entries(tables).flatMap(([name, table]): readonly string[] =>
  name.endsWith('_WORDS') ? (table as readonly string[]).filter((phrase) => !/[{}]/.test(phrase)) : [],
);

it.each(PHRASES.filter((phrase) => phrase.includes(' ')))('holds the phrase of the failure table: %s', (phrase) => {
  const said = phrase
    .replaceAll('#', '8192')
    .replaceAll('*', 'llama4x')
    .replace('~', "'x1/y'")
    .replaceAll('~', "'tool'");
  const message = `The last request failed: ${said}`;
  const hidden = hideEcho(message, foldWords(`it said ${message}. What now?`), { keep: findProviderSpeech });
  expect(hidden.startsWith('The last request failed: ')).toBe(true);
  // A name in the middle of a phrase may go, as it may say anything.
  const isTold = hasPhrase(normaliseMessage(hidden.replaceAll('[…]', "'x'")), [
    phrase,
    phrase.replace('~', "'x'").replaceAll('~', "'tool'"),
  ]);
  expect(isTold, hidden).toBe(true);
});

it('never tells a number of a row, or one that is escaped, behind whatever words', () => {
  const number = fc.stringMatching(/^[1-9]\d{3}$/);
  const lead = fc.constantFrom(
    'Invalid value for messages[0].content:',
    'the rate limit is exceeded, limit',
    'prompt is too long: maximum tokens',
    'error in the request: status code',
  );
  const write = fc.constantFrom<(digits: string) => string>(
    (digits) => `${digits} ${digits}`,
    (digits) => Array.from(digits, (digit) => `&#${digit.charCodeAt(0)};`).join(''),
    (digits) => Array.from(digits, (digit) => `\\${digit.charCodeAt(0).toString(8).padStart(3, '0')}`).join(''),
    (digits) => Array.from(digits, (digit) => `&#${digit.charCodeAt(0)};`).join(' '),
    (digits) => `${digits}-${digits}`,
    (digits) => `${digits}/${digits} ${digits}`,
  );
  assertProperty(
    fc.property(
      number,
      lead,
      write,
      fc.constantFrom('', 'is invalid', 'and the limit is'),
      (digits, before, as, behind) => {
        const told = toldOf(`${before} ${as(digits)} ${behind}`).join(' ');
        expect(told.replace('messages[0]', '')).not.toMatch(/\d/);
      },
    ),
  );
});

it('never holds a word that errors are not made of', () => {
  const private_ = fc.stringMatching(/^[a-z]{3,8}zq$/);
  const speech = fc.constantFrom(
    'the rate limit is exceeded',
    'please try again in 20s',
    'of the',
    'and',
    'this model',
  );
  assertProperty(
    fc.property(fc.array(fc.oneof(private_, speech), { minLength: 1, maxLength: 12 }), (parts) => {
      const message = parts.join(' ');
      expect(toldOf(message).join(' ')).not.toMatch(/zq/);
    }),
  );
});
