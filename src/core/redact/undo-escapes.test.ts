import { describe, expect, it } from 'vitest';
import { writtenRange } from './reading.ts';
import { readingsOf, undoEscapes } from './undo-escapes.ts';

it.each<[string, string]>([
  ['\\u0073k', 'sk'],
  ['\\\\u0073k', 'sk'],
  ['\\x73k \\x{73}k', 'sk sk'],
  ['\\u{73}\\u{0000073}k', 'ssk'],
  ['\\U00000073\\U0001F600k', 's😀k'],
  ['\\163\\0163\\55k', 'ss-k'],
  ['\\N{U+73}\\\\N{U+006b}', 'sk'],
  ['U+0073 U+006B, U+2D x', 'sk- x'],
  ['USA U+ U+00zz U+110000', 'USA U+ U+00zz U+110000'],
  ['ｓｋ－𝐚𝕓𝟙ⓒ²', 'sk-ab1c2'],
  ['\\ud83d\\ude00', '😀'],
  ['\\xc3\\xa9 \\303\\251 \\xc3x', 'é é Ãx'],
  ['%73%6B', 'sk'],
  ['%2573k', 'sk'],
  ['%25252573 %u0073', 's s'],
  ['%c3%a9 %ff%73', 'é \u00ffs'],
  ['&#115;k &#x73;k', 'sk sk'],
  ['&#0000115;k &#000000000000115;k &#X00000000073;k', 'sk sk sk'],
  ['&#115k &#x73k', 'sk sk'],
  ['&amp;#115;k &amp;amp;#x73;k &amp#115;k', 'sk sk sk'],
  ['sk&lowbar;a&hyphen;b&sol;c &lt;&quot', 'sk_a-b/c <"'],
  ['%5Cu0073 &#92;u0073 %26%23115; \\u0026#115;', 's s s s'],
  ['a\\/b \\"c\\"', 'a/b "c"'],
  ['s\u200bk\u2060\ufeff\u00ad\u202ek\ufe0f', 'skk'],
  ['a\tb\r\nc\u00a0d\\ne\\\\tf', 'a b  c d e f'],
  ['\\u00257eab \\u0041BCDEF', '~ab ABCDEF'],
  ['Tom & Jerry; AT&T &notit; &#9999999; \\u{110000}', 'Tom & Jerry; AT&T &notit; &#9999999; u{110000}'],
  ['100% of it & more \\ less', '100% of it & more  less'],
  ['', ''],
])('%j', (text, expected) => {
  expect(undoEscapes(text).text).toBe(expected);
});

describe('a reading', () => {
  it.each<[string, string, string]>([
    ['a &amp;#98;c d', 'bc', '&amp;#98;c'],
    ['a%25%36%32c', 'bc', '%25%36%32c'],
    ['{\\"b\\":\\"c\\"}', 'c', 'c'],
    ['x\u200bb\u200bc\u200by', 'bc', '\u200bb\u200bc'],
    ['a\\tb\\nc', 'b c', 'b\\nc'],
    ['b\\', 'b', 'b'],
  ])('knows where in %j %j stands', (text, part, written) => {
    const reading = undoEscapes(text);
    const at = reading.text.indexOf(part);
    expect(text.slice(...writtenRange(reading, [at, at + part.length]))).toBe(written);
  });

  it('is one, two or three texts', () => {
    const textsOf = (text: string) => readingsOf(text).map((reading) => reading.text);
    expect(textsOf('as it is')).toEqual(['as it is']);
    expect(textsOf('a%62')).toEqual(['a%62', 'ab']);
    expect(textsOf('a%2562')).toEqual(['a%2562', 'a%62', 'ab']);
  });
});

it('takes time by the length, whatever the text is made of', () => {
  const cost = (piece: string, length: number): number => {
    const text = piece.repeat(length / piece.length);
    const rounds = Array.from({ length: 3 }, () => {
      const at = performance.now();
      undoEscapes(text);
      return performance.now() - at;
    });
    return Math.min(...rounds);
  };
  // Four times the length; what grows by its square is sixteen times slower, and hundreds of times for a run of 64 KiB.
  for (const piece of ['\\', '&', '%', '&amp;', '%25', '\\u{0', '&#0', '\\x', '&#', ' \n', '\u200b']) {
    expect(cost(piece, 1 << 16), piece).toBeLessThan(cost(piece, 1 << 14) * 10 + 200);
  }
});
