import { describe, expect, it } from 'vitest';
import { foldWords, readWords } from './fold-words.ts';
import { writtenRange } from './reading.ts';

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

describe('foldWords', () => {
  it.each<[string, string]>([
    ['{"content":"one \\"two\\"\\nthree   f\\u00fcr \\u0066our"}', ' content one two three für four '],
    ['a\\tb\\f\\u0001 \u00a0c\u2003d', 'a b c d'],
    ['“Quoted”, „so“ — and\u2026', ' quoted so and '],
    ['ÀÉ İ ΣΑΣ', 'àé i σασ'],
    ['a\u200bb\u2060c\ufeffd\u00ade\u061cf\u202eg\ufe0fh\u{e0100}i\\u200bj', 'abcdefghij'],
    ['\\\\\\\\u0041 \\\\x42 \\q \\', 'a b q '],
    ['\\u00G1 cut \\u12', ' u00g1 cut u12'],
    ['私の計画。「誰にも」😀', '私の計画 誰にも 😀'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(foldWords(text)).toBe(expected);
    expect(readWords(text).text).toBe(expected);
  });

  it('drops everything that nobody sees, as cleaned texts do', () => {
    const invisible = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter((char) =>
      INVISIBLE.test(char),
    );
    expect(invisible.filter((char) => foldWords(`a${char}b`) !== 'ab').map((char) => char.charCodeAt(0))).toEqual([]);
  });

  it('knows where its words stand', () => {
    const text = 'say:\\n\\u0066\u200bour\u00ad  “five”';
    const words = readWords(text);
    const at = words.text.indexOf('four five');
    expect(text.slice(...writtenRange(words, [at, at + 9]))).toBe('\\u0066\u200bour\u00ad  “five');
  });
});

it('looks at each unit of a text a bounded number of times, whatever it is made of', () => {
  const length = 1 << 16;
  for (const piece of ['a', 'ab', '\\', '\\u0', '\\u004', '\\n', '\\x4', '\u200b', '\udb40', ' ', 'é ']) {
    let reads = 0;
    const text = piece.repeat(length / piece.length);
    const counted = Object.assign(new String(text), {
      charCodeAt: (at: number) => {
        reads++;
        return text.charCodeAt(at);
      },
    }) as unknown as string;
    foldWords(counted);
    expect(reads, piece).toBeLessThanOrEqual(4 * length);
  }
});
