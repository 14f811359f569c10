import { expect, it } from 'vitest';
import { isErrorCode, isMeasured, kindOf, type WordKind } from './error-words.ts';
import { GLUE, SPEECH } from './words/index.ts';

it.each<[string, WordKind]>([
  ['messages[0].content:', 'word'],
  ['tools\\/messages', 'word'],
  ['gpt-4.5', 'word'],
  ['limit:30000', 'word'],
  ['>', 'word'],
  ['30,000.', 'number'],
  ['4111-1111', 'number'],
  ['20s', 'amount'],
  ['1m2.3s,', 'amount'],
  ['Wilhelmina', 'other'],
  ['content:123', 'other'],
  ['content.77.121.32', 'other'],
  ['&#77;&#121;', 'other'],
  ['\\115\\171', 'other'],
  ['%6d%65', 'other'],
  ['U+0061', 'other'],
  ['=4D=79=20', 'other'],
  ['ｍessages', 'other'],
])('%s is a %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

it.each<[string, boolean]>([
  ['the limit |30000| now', true],
  ['a maximum of |100,| now', true],
  ['about a |20| seconds', true],
  ['it is |205000| > 3', true],
  ['3 > |200000| now', true],
  ['a status |429:| no', true],
  ['status code |429:| no', true],
  ['a status |4711| no', false],
  ['my code |123| no', false],
  ['limit, code |123| no', false],
  ['limit exceeded, |123| no', false],
  ['a content: |4711| no', false],
  ['a messages |4711| no', false],
  ['a limit |4711-4712| no', false],
  ['a limit |0171| no', false],
  ['a limit |12345678| no', false],
])('whether a number measures: %s', (text, expected) => {
  const [front = '', number = '', behind = ''] = text.split('|');
  const before = front.trim().split(' ');
  expect(isMeasured(number, [before.at(-2) ?? '', before.at(-1) ?? ''], behind.trim().split(' ')[0] ?? '')).toBe(
    expected,
  );
});

it.each<[string, boolean]>([
  ['invalid_request_error', true],
  ['exceeded_current_quota_error', true],
  ['ServiceUnavailableException', true],
  ['messages.12.content.0', true],
  ['my_aunt_wilhelmina', false],
  ['4711.4712', false],
])('%s is a code of errors: %s', (code, expected) => {
  expect(isErrorCode(code)).toBe(expected);
});

it('are listed once, each in one list', () => {
  const words = [...GLUE, ...SPEECH];
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual([]);
});
