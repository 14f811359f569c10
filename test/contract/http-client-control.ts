import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { HttpBench, Sent } from '../kit/http-bench.ts';

/** The end from this side: at once, in every phase, and silent. */
export function abortContract(bench: HttpBench): void {
  const { send, settle } = bench;
  /** The moment at which the provider saw the end, in ms after the abort. */
  const closedAfter = async (abortedAt: number) => {
    for (let n = 0; n < 100 && (bench.provider.requests.at(-1)?.closedAt ?? null) === null; n++) await sleep(5);
    return (bench.provider.requests.at(-1)?.closedAt ?? Number.POSITIVE_INFINITY) - abortedAt;
  };

  it('before anything: nothing is written and nothing called', async () => {
    const { handler, exchange } = send();
    exchange.abort();
    await settle();
    expect(handler.events).toEqual([]);
    expect(bench.provider.receivedBytes).toBe(0);
    await vi.waitFor(() => expect(bench.provider.openSockets()).toBe(0));
  });

  it.each([false, true])('while connecting: nothing is written and nothing called (fresh: %s)', async (freshSocket) => {
    const { handler, exchange } = send({ freshSocket });
    await Promise.resolve();
    exchange.abort();
    await settle();
    expect(handler.events).toEqual([]);
    expect(bench.provider.receivedBytes).toBe(0);
    await vi.waitFor(() => expect(bench.provider.openSockets()).toBe(0));
  });

  it('while it waits for a reused socket: nothing is written and nothing called', async () => {
    bench.provider.play({ chunks: ['ok'] });
    await send().handler.over;
    await settle();
    const { handler, exchange } = send();
    await Promise.resolve();
    exchange.abort();
    await settle();
    expect(handler.events).toEqual([]);
    expect(bench.provider.requests).toHaveLength(1);
  });

  it('from inside onSent: nothing is written', async () => {
    const sent: Sent = send({}, (event) => {
      if (event === 'sent') sent.exchange.abort();
    });
    await settle();
    expect(sent.handler.events).toEqual(['sent']);
    expect(bench.provider.receivedBytes).toBe(0);
  });

  it('before the head: the provider knows within 100 ms', async () => {
    bench.provider.play({ status: null, end: 'hang' });
    const { handler, exchange } = send();
    await handler.until(() => handler.events.includes('sent'));
    await settle();
    const at = performance.now();
    exchange.abort();
    expect(await closedAfter(at)).toBeLessThan(100);
    await settle();
    expect(handler.events).toEqual(['sent']);
  });

  it.each(['head', 'data'] as const)(
    'from inside on%s: nothing follows, the provider knows within 100 ms',
    async (when) => {
      bench.provider.play({ chunks: ['ab', { bytes: 'cd', delayMs: 20 }], end: 'hang' });
      let at = 0;
      const sent: Sent = send({}, (event) => {
        if (event !== when) return;
        at = performance.now();
        sent.exchange.abort();
      });
      await sent.handler.until(() => sent.handler.events.includes(when));
      expect(await closedAfter(at)).toBeLessThan(100);
      await settle();
      expect(sent.handler.events.at(-1)).toBe(when);
    },
  );

  it('while paused: the provider knows within 100 ms', async () => {
    bench.provider.play({ chunks: [{ bytes: Buffer.alloc(64_000), times: 200 }] });
    const { handler, exchange } = send();
    await handler.until(() => handler.events.includes('head'));
    exchange.pause();
    await settle();
    const at = performance.now();
    const count = handler.events.length;
    exchange.abort();
    exchange.resume();
    expect(await closedAfter(at)).toBeLessThan(100);
    expect(handler.events).toHaveLength(count);
  });

  it('twice, or behind the end: nothing', async () => {
    const { handler, exchange } = send();
    bench.provider.play({ chunks: ['ok'] });
    await handler.over;
    exchange.abort();
    exchange.abort();
    exchange.pause();
    exchange.resume();
    await settle();
    expect(handler.events).toEqual(['sent', 'head', 'data', 'end']);
    // The socket was left alone.
    await send().handler.over;
    expect(bench.provider.connections).toBe(1);
  });

  it('during the upload of a large body: it stops', async () => {
    bench.provider.play({ status: null, end: 'hang' });
    const { exchange, handler } = send({ body: [Buffer.alloc(50_000_000), Buffer.alloc(10)] });
    await handler.until(() => handler.events.includes('sent'));
    exchange.abort();
    await settle();
    await vi.waitFor(() => expect(bench.provider.openSockets()).toBe(0));
    expect(bench.provider.requests).toHaveLength(0);
  });

  it('of one exchange leaves the others alone', async () => {
    bench.provider.play({ headDelayMs: 40, chunks: ['ok'] });
    const sent = Array.from({ length: 20 }, () => send());
    await sent[0]?.handler.until(() => bench.provider.requests.length === 20 || sent[0]?.handler.events.length === 1);
    for (const [n, { exchange }] of sent.entries()) if (n % 2 === 0) exchange.abort();
    const kept = sent.filter((_, n) => n % 2 === 1);
    await Promise.all(kept.map(({ handler }) => handler.over));
    expect(kept.every(({ handler }) => handler.text === 'ok')).toBe(true);
  });
}

/** Backpressure that reaches the provider's socket. */
export function pauseContract(bench: HttpBench): void {
  const { send } = bench;
  const flood = { bytes: Buffer.alloc(64 * 1024, 'x'), times: 1000 };
  const total = flood.bytes.length * flood.times;
  const answered = () => bench.provider.requests[0]?.answeredBytes ?? 0;

  it('stops the provider, and resume loses nothing', async () => {
    bench.provider.play({ chunks: [flood] });
    const { handler, exchange } = send();
    await handler.until(() => handler.chunks.length > 3);
    exchange.pause();
    await sleep(200);
    const stoodAt = answered();
    const had = handler.body.length;
    await sleep(200);
    expect(answered()).toBe(stoodAt);
    expect(handler.body.length).toBe(had);
    expect(stoodAt).toBeLessThan(total / 2);
    exchange.resume();
    await handler.over;
    expect(handler.body.length).toBe(total);
    expect(handler.events.at(-1)).toBe('end');
  });

  it('works from the first moment, and from inside every call', async () => {
    bench.provider.play({ chunks: [flood] });
    const early = send();
    early.exchange.pause();
    await early.handler.until(() => early.handler.events.includes('head'));
    await sleep(150);
    expect(early.handler.body.length).toBeLessThan(1_000_000);
    const inside: Sent = send({ freshSocket: true }, (event) => {
      if (event !== 'data') return;
      inside.exchange.pause();
      setImmediate(() => inside.exchange.resume());
    });
    await inside.handler.over;
    expect(inside.handler.body.length).toBe(total);
    early.exchange.resume();
    await early.handler.over;
    expect(early.handler.body.length).toBe(total);
  });

  it('can be lifted from inside the calls of another exchange', async () => {
    bench.provider.play({ chunks: [flood] }, { chunks: ['a', { bytes: 'b', delayMs: 100 }] });
    const held = send();
    await held.handler.until(() => held.handler.chunks.length > 0);
    held.exchange.pause();
    const other = send({}, (event) => {
      if (event === 'data') held.exchange.resume();
    });
    await Promise.all([other.handler.over, held.handler.over]);
    expect(other.handler.text).toBe('ab');
    expect(held.handler.body.length).toBe(total);
  });

  it('and a resume in one breath change nothing', async () => {
    bench.provider.play({ chunks: ['a', { bytes: 'b', delayMs: 20 }] });
    const { handler, exchange } = send();
    exchange.pause();
    exchange.resume();
    await handler.until(() => handler.text === 'a');
    exchange.pause();
    exchange.resume();
    exchange.pause();
    exchange.resume();
    await handler.over;
    expect(handler.text).toBe('ab');
  });

  it('still shows a reset', async () => {
    bench.provider.play({ chunks: ['ab'], endDelayMs: 40, end: 'reset' });
    const { handler, exchange } = send();
    await handler.until(() => handler.text === 'ab');
    exchange.pause();
    onTestFinished(() => exchange.abort());
    await sleep(100);
    exchange.resume();
    await handler.over;
    expect(handler.failure?.error).toBe('reset');
  });
}
