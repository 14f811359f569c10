import { expect, test } from 'vitest';
import { parseExact, stringifyExact } from './exact.ts';

test.each([
  ['{"id":12345678901234567890}', '{"id":12345678901234567890}'],
  ['[1.0,1e3,0.10,-0.0]', '[1,1000,0.1,0]'],
  ['[123456789012345678901234567890.5,1e400,2.5e-7]', '[123456789012345678901234567890.5,1e400,2.5e-7]'],
  ['[9007199254740993,9007199254740992]', '[9007199254740993,9007199254740992]'],
  ['{"__proto__":{"a":1},"n":1234567890123456789}', '{"__proto__":{"a":1},"n":1234567890123456789}'],
  ['"\\ud800 1234567890123456"', '"\\ud800 1234567890123456"'],
  [`[${'1'.repeat(500)}]`, `[${'1'.repeat(500)}]`],
  ['[0.1000000000000000055511151231257827]', '[0.1000000000000000055511151231257827]'],
])('numbers of %s keep their value', (text, written) => {
  expect(stringifyExact(parseExact(text))).toBe(written);
});

test('what is no JSON throws', () => {
  expect(() => parseExact('{')).toThrow(SyntaxError);
  expect(() => parseExact('{"a":1234567890123456789')).toThrow(SyntaxError);
});
