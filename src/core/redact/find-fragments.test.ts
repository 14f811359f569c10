import { property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { createFragmentFinder, FRAGMENT } from './find-fragments.ts';
import { cutOut } from './reading.ts';

const KEY = 'sk-fake-Abcd1234Efgh5678Ijkl';
const hideWith = (keys: readonly string[]): ((text: string) => string) => {
  const find = createFragmentFinder(keys);
  return (text) => cutOut(text, find(text), '[secret]');
};
const hide = hideWith([KEY]);

describe('createFragmentFinder', () => {
  it('finds a piece of twelve characters at every place, and none of eleven', () => {
    for (let pad = 0; pad < 13; pad++) {
      for (let from = 0; from + FRAGMENT <= KEY.length; from++) {
        const front = '.'.repeat(pad);
        expect(hide(`${front}${KEY.slice(from, from + FRAGMENT)}!`)).toBe(`${front}[secret]!`);
        const short = `${front}${KEY.slice(from, from + FRAGMENT - 1)}!`;
        expect(hide(short)).toBe(short);
      }
    }
  });

  it('takes the whole of a longer piece, in either case', () => {
    expect(hide(`a ${KEY.toUpperCase()} b ${KEY.slice(3)}`)).toBe('a [secret] b [secret]');
  });

  it('finds a short key as a whole', () => {
    expect(hideWith(['hunter2.x', KEY])('a HUNTER2.X b hunter2x')).toBe('a [secret] b hunter2x');
  });

  it('leaves every other text as it is', () => {
    assertProperty(
      property(tuple(string({ maxLength: 80 }), string({ maxLength: 80 })), ([before, behind]) => {
        expect(hide(before)).toBe(before);
        expect(hide(`${before}${KEY}${behind}`)).not.toContain(KEY.slice(4, 20));
      }),
    );
  });
});
