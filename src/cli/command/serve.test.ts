import { expect, it } from 'vitest';
import { createTerminal } from '../terminal.ts';
import { tellWaiting } from './serve.ts';

function told(waiting: Parameters<typeof tellWaiting>[1], isTTY = true): string {
  const written: string[] = [];
  const side = { write: (text: string) => written.push(text), isTTY, columns: 80 };
  tellWaiting(createTerminal(side, side, { NO_COLOR: '1' }), waiting);
  return written.join('');
}

it('says on a terminal what a stop waits for, and what would end it', () => {
  expect(told({ inFlight: 1, drainMs: 30_000 })).toMatch(/waiting for 1 request, 30 s at most; Ctrl-C again ends it/);
  expect(told({ inFlight: 2, drainMs: 500 })).toContain('waiting for 2 requests, 500 ms at most');
  expect(told(null)).toBe('');
  expect(told({ inFlight: 1, drainMs: 30_000 }, false)).toBe('');
});
