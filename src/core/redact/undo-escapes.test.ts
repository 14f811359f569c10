import { expect, it } from 'vitest';
import { undoEscapes } from './undo-escapes.ts';

it.each<[string, string]>([
  ['\\u0073k', 'sk'],
  ['\\\\u0073k', 'sk'],
  ['\\x73k', 'sk'],
  ['%73%6B', 'sk'],
  ['%2573k', 'sk'],
  ['%c3%a9 %ff%73', 'é \u00ffs'],
  ['&#115;k &#x73;k', 'sk sk'],
  ['a\\/b', 'a/b'],
  ['100% of it & more \\ less', '100% of it & more \\ less'],
  ['', ''],
])('%s', (text, expected) => {
  expect(undoEscapes(text)).toBe(expected);
});
