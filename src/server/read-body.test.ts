import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import { type BodyRules, readBody } from './read-body.ts';

function reading(headers: Readonly<Record<string, string>>, change: Partial<BodyRules> = {}) {
  const clock = createVirtualClock();
  const said: string[] = [];
  const stream = Object.assign(new PassThrough(), { headers });
  const rules = { clock, limit: 8, timeoutMs: 1000, reserve: () => true, goAhead: () => void said.push('go ahead') };
  const body = readBody(stream as unknown as IncomingMessage, { ...rules, ...change });
  return { stream, body, clock, said };
}

describe('a body', () => {
  it.each([
    ['12345678', true],
    ['123456789', false],
  ])('%s may be as long as the limit: %s', async (text, ok) => {
    const { stream, body } = reading({});
    stream.end(text);
    expect(await body).toEqual(ok ? { ok, bytes: Buffer.from(text) } : { ok, problem: 'too_large' });
  });

  it('that says that it is too long is not asked for', async () => {
    const { body, said } = reading({ 'content-length': '9' });
    expect([await body, said]).toEqual([{ ok: false, problem: 'too_large' }, []]);
    const fits = reading({ 'content-length': '8' });
    fits.stream.end('12345678');
    expect([(await fits.body).ok, fits.said]).toEqual([true, ['go ahead']]);
  });

  it('is counted piece by piece, and refused when no more may be held', async () => {
    const pieces: number[] = [];
    const { stream, body } = reading({}, { reserve: (bytes) => pieces.push(bytes) < 2 });
    stream.write('123');
    stream.end('45');
    expect([await body, pieces]).toEqual([{ ok: false, problem: 'full' }, [3, 2]]);
  });

  it('has to come in time', async () => {
    const { stream, body, clock } = reading({});
    stream.write('1');
    await clock.advanceAsync(1000);
    expect(await body).toEqual({ ok: false, problem: 'timeout' });
  });
});
