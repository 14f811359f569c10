import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { hideEcho } from '../redact/hide-echo.ts';
import { foldWords } from '../redact/index.ts';
import { hasPhrase, normaliseMessage, withoutQuotes } from './phrase.ts';
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

/** What a phrase is in an error, and what it is once names and strangers in it are hidden. */
const saidOf = (phrase: string): string =>
  phrase.replaceAll('#', '8192').replaceAll('*', 'llama4x').replace('~', "'x1/y'").replaceAll('~', "'tool'");

function isTold(phrase: string, message: string): boolean {
  const keep = findProviderSpeech(message);
  const hidden = hideEcho(message, foldWords(`it said ${message}. What now?`), { keep });
  // A name in the middle of a phrase may go, as it may say anything.
  const said = normaliseMessage(hidden.replaceAll('[…]', "'x'"));
  return hasPhrase(said, [phrase]) || hasPhrase(withoutQuotes(said), [phrase]);
}

const LONG_PHRASES = PHRASES.filter((phrase) => phrase.includes(' '));

it.each(LONG_PHRASES)('holds the phrase of the failure table: %s', (phrase) => {
  const message = `The last request failed: ${saidOf(phrase)}`;
  expect(message.slice(...(findProviderSpeech(message)[0] ?? [0, 0]))).toMatch(/^The last request failed:/);
  expect(isTold(phrase, message)).toBe(true);
});

it.each(LONG_PHRASES)('holds it between strangers too: %s', (phrase) => {
  const forms = [saidOf(phrase), phrase.replaceAll(' * ', ' ').replaceAll('#', '8192').replaceAll('~', "'tool'")];
  const around: readonly ((said: string) => string)[] = [
    (said) => `zq failed request: ${said} [zq, 129024] wilhelmina`,
    (said) => `zq request failed ${said} zq wilhelmina`,
    (said) => `wilhelmina zq ${said} request failed zq`,
    (said) => `[7, 8] ${said}: request failed (zq`,
    // Four words of it are enough alone.
    ...(phrase.split(' ').filter((word) => /^[a-z#]/.test(word)).length < 4
      ? []
      : [(said: string) => `wilhelmina zq ${said} zq wilhelmina`, (said: string) => `zq [${said}] [zq, 129024] zq`]),
  ];
  for (const said of forms) for (const write of around) expect(isTold(phrase, write(said)), write(said)).toBe(true);
});

it.each<[string, readonly string[]]>([
  ['zq of the range of input length should be in zq', ['range of input length should be']],
  [
    'zq it is a prompt token count of 8192 exceeds the limit of 8192 to zq',
    ['prompt token count of 8192 exceeds the limit of 8192'],
  ],
  ['zq you should be in the zq request', []],
  ['zq the rate limit of it zq', []],
])('tells no more glue beside a stranger than the phrase has: %s', (message, told) => {
  expect(toldOf(message)).toEqual(told);
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
