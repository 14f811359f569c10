import { expect, it } from 'vitest';
import { readRequestText } from './request-text.ts';

const read = (text: string) => readRequestText(new TextEncoder().encode(text));

it('reads the words of a body', () => {
  const written = '{"content":"one \\"two\\"\\nthree   f\\u00fcr \\u0066our"}';
  expect(read(written)).toEqual({
    text: ' content one two three für four ',
    written,
    isWhole: true,
  });
  expect(read('')).toEqual({ text: '', written: '', isWhole: true });
});

it('reads the beginning and the end of a huge one, and says so', () => {
  const { text, isWhole } = read(`the beginning ${'x'.repeat(3 << 20)} the end`);
  expect([text.slice(0, 13), text.slice(-7), text.length]).toEqual(['the beginning', 'the end', (2 << 20) + 1]);
  expect(isWhole).toBe(false);
});

it('costs no more for a body of escapes than for a plain one', () => {
  const cost = (piece: string): number => {
    const body = new TextEncoder().encode(piece.repeat((1 << 20) / piece.length));
    const rounds = Array.from({ length: 3 }, () => {
      const at = performance.now();
      readRequestText(body);
      return performance.now() - at;
    });
    return Math.min(...rounds);
  };
  const plain = cost('\\n say');
  // Escapes are one by one a little slower; what grows faster than the body is hundreds of times slower.
  for (const piece of ['\\', '\\u00', '%', '&#1', ' ', '"']) expect(cost(piece)).toBeLessThan(plain * 20 + 50);
});
