import { expect, it } from 'vitest';
import { readableBody } from './readable-body.ts';

const read = (body: Uint8Array): string => readableBody(body)();

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('reads a body as a person does', () => {
  const text = read(bytes('{"content":"one \\"two\\"\\nthree   f\\u00fcr \\u0066our"}'));
  expect(text).toBe('{"content":"one "two" three für four"}');
});

it('reads the beginning and the end of a huge one', () => {
  const text = read(bytes(`the beginning ${'x'.repeat(3 << 20)} the end`));
  expect([text.slice(0, 13), text.slice(-7), text.length]).toEqual(['the beginning', 'the end', (2 << 20) + 1]);
});

it('is done soon, whatever a client has sent', () => {
  const at = performance.now();
  for (const piece of ['\\', '%', '%4', '&#1', ' ', '\\u00']) read(bytes(piece.repeat((1 << 20) / piece.length)));
  expect(performance.now() - at).toBeLessThan(3_000);
});
