import { expect, it } from 'vitest';
import { hideRequest, type RequestContext } from './request-context.ts';
import { readRequestText, sizeOfText } from './request-text.ts';

const read = (text: string) => readRequestText(new TextEncoder().encode(text));

it('reads the words of a body', () => {
  const written = '{"content":"one \\"two\\"\\nthree   f\\u00fcr \\u0066our"}';
  expect(read(written)).toEqual({
    text: ' content one two three für four ',
    written: [new TextEncoder().encode(written)],
    isWhole: true,
  });
  expect(read('')).toEqual({ text: '', written: [new Uint8Array(0)], isWhole: true });
});

it('reads the beginning and the end of a huge one, and says so', () => {
  const { text, written, isWhole } = read(`the beginning ${'x'.repeat(3 << 20)} the end`);
  expect([text.slice(0, 13), text.slice(-7), text.length]).toEqual(['the beginning', 'the end', (2 << 20) + 1]);
  expect(isWhole).toBe(false);
  expect(written.map(({ length }) => length)).toEqual([1 << 20, 1 << 20]);
});

it('keeps no copy of a body beside its words', () => {
  const body = new TextEncoder().encode(`the beginning ${'x'.repeat(3 << 20)} the end`);
  for (const bytes of [body, body.subarray(0, 100)]) {
    const request = readRequestText(bytes);
    expect(request.written.every((part) => (part as Uint8Array).buffer === body.buffer)).toBe(true);
    expect(sizeOfText(request)).toBe(2 * request.text.length);
  }
  expect(sizeOfText(null)).toBe(0);
});

it('is searched once for what several attempts say', () => {
  let reads = 0;
  const whole = ' our merger with the northern company '.repeat(100);
  const charCodeAt = (at: number): number => {
    reads++;
    return whole.charCodeAt(at);
  };
  const text = Object.assign(new String(whole), { charCodeAt }) as unknown as string;
  const requestText = { text, written: [], isWhole: true };
  const context = { told: new Map(), requestText, isCommitted: false } as Partial<RequestContext> as RequestContext;
  const words = 'Bad input: our merger with the northern company';
  expect(hideRequest(context, words)).toBe('Bad input: […]');
  expect(reads).toBeGreaterThanOrEqual(whole.length);
  reads = 0;
  expect(hideRequest(context, words)).toBe('Bad input: […]');
  expect(reads).toBe(0);
  expect(hideRequest(context, words.replace('input', 'value'))).toBe('Bad value: […]');
  expect(reads).toBeGreaterThanOrEqual(whole.length);
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
