import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { findPieces } from './find-pieces.ts';

const packed = (pieces: readonly string[]): Uint16Array =>
  Uint16Array.from(pieces.flatMap((piece) => Array.from({ length: piece.length }, (_, at) => piece.charCodeAt(at))));

it('finds just the pieces that stand in a text between blanks', () => {
  for (const size of [1, 3, 5]) {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u6211'), minLength: size, maxLength: size });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u6211'), maxLength: 60 });
    assertProperty(
      fc.property(fc.array(piece, { maxLength: 40 }), text, (pieces, whole) => {
        const padded = ` ${whole} `;
        // What is longer than the text is compared with the blanks in front of it.
        const isThere = (each: string): boolean => padded.padStart(size + whole.length, ' ').includes(each);
        expect(Array.from(findPieces(packed(pieces), size, whole), (is) => is === 1)).toEqual(pieces.map(isThere));
      }),
    );
  }
});

it('reads a text as if it had no blanks', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\u6211'), minLength: 3, maxLength: 3 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u6211'), maxLength: 40 });
  assertProperty(
    fc.property(fc.array(piece, { maxLength: 20 }), text, (pieces, whole) => {
      const joined = whole.replaceAll(' ', '');
      const found = findPieces(packed(pieces), 3, whole, true);
      expect(Array.from(found, (is) => is === 1)).toEqual(pieces.map((each) => joined.includes(each)));
    }),
  );
});

it('finds pieces of a long text, and nothing that only has the hash of one', () => {
  let state = 1;
  const draw = (): string => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  };
  const size = 20;
  const whole = Array.from({ length: 500_000 }, draw).join('');
  const there = Array.from({ length: 1000 }, (_, n) => whole.slice(n * 499, n * 499 + size));
  // So many pieces in so long a text that some have the hash of others.
  const absent = Array.from({ length: 60_000 }, () => `${Array.from({ length: size - 1 }, draw).join('')}-`);
  const found = findPieces(packed([...there, ...absent]), size, whole);
  expect(found.subarray(0, there.length).every((is) => is === 1)).toBe(true);
  expect(found.subarray(there.length).every((is) => is === 0)).toBe(true);
});
