import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RuntimeConfig } from '../config/runtime.ts';
import { createAdmission } from './admission.ts';
import type { ServerContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { withAdmission } from './hand-over.ts';

/** A gateway for two requests and a hundred bytes. */
function gateway() {
  const admission = createAdmission({ buffered: () => 0 });
  const config = { server: { maxInFlight: 2, maxBuffered: 100 } } as unknown as RuntimeConfig;
  const context = { admission, phase: () => 'open' } as unknown as ServerContext;
  const serve = async (res: object) => {
    const exchange = { config, res } as unknown as Exchange;
    return (await withAdmission(exchange, context, async () => null)) === null;
  };
  return { serve };
}

const response = (writableLength: number, closed = false) =>
  Object.assign(new EventEmitter(), { closed, destroyed: false, writableLength });

describe('a request whose answer was handed over', () => {
  it('counts until its client has taken all of it', async () => {
    const { serve } = gateway();
    const [first, second] = [response(0), response(0)];
    expect([await serve(first), await serve(second), await serve(response(0))]).toEqual([true, true, false]);
    first.emit('close');
    expect(await serve(response(0, true))).toBe(true);
    second.emit('close');
    expect([await serve(response(0)), await serve(response(0)), await serve(response(0))]).toEqual([true, true, false]);
  });

  it('holds what its client has not taken', async () => {
    const { serve } = gateway();
    const slow = response(101);
    expect([await serve(slow), await serve(response(0))]).toEqual([true, false]);
    slow.emit('close');
    expect(await serve(response(0))).toBe(true);
  });
});
