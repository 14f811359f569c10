import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { findNames } from './find-names.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it('finds just the names that stand in a text, one in the other or over each other', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '/'), minLength: 1, maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '_', '/', ' ', 'ü', '我', '\0'), maxLength: 60 });
  assertProperty(
    fc.property(fc.array(name, { maxLength: 30 }), fc.array(text, { maxLength: 3 }), (names, parts) => {
      const isThere = (each: string): boolean => parts.some((part) => part.includes(each));
      const found = findNames(new Set(names), parts.map(bytesOf));
      expect([...found]).toEqual([...new Set(names)].filter(isThere));
    }),
  );
});

it('finds one that stands in another alone', () => {
  const names = new Set(['a_b_c', 'b_c', 'c', '_b']);
  expect(findNames(names, [bytesOf('x a_b_c')])).toEqual(names);
  expect(findNames(names, [bytesOf('a_b_d')])).toEqual(new Set(['_b']));
});

it('joins no two parts', () => {
  expect(findNames(new Set(['a_b', 'a_', 'b']), [bytesOf('a_'), bytesOf('b')])).toEqual(new Set(['a_', 'b']));
  expect(findNames(new Set(), [bytesOf('a')])).toEqual(new Set());
});
