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
  const hidden = hideEcho(message, foldWords(`it said ${message}. What now?`), findProviderSpeech);
  expect(hidden.startsWith('The last request failed: ')).toBe(true);
  // A name in the middle of a phrase may go, as it may say anything.
  const isTold = hasPhrase(normaliseMessage(hidden.replaceAll('[…]', "'x'")), [
    phrase,
    phrase.replace('~', "'x'").replaceAll('~', "'tool'"),
  ]);
  expect(isTold, hidden).toBe(true);
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
