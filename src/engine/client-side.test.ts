import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says, streams, tells, text } from '../../test/kit/plays.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

const words = (count: number, ms: number, size = 100) => ({ bytes: text('x'.repeat(size)), ms, times: count });

describe('a slow client', () => {
  it('pauses the provider, and gets everything in the end', async () => {
    open().play('a', streams([words(20, 10), STOP, DONE]));
    const asked = bench.ask({ client: { window: 500, drainMs: 10 * SECOND } });
    await bench.pass(SECOND);
    expect(bench.http.sends[0]?.isPaused).toBe(true);
    expect(asked.client.size).toBeLessThan(1000);
    await bench.pass(10 * MINUTE);
    expect(asked.outcomes).toEqual(['ok']);
    expect(asked.data.filter((data) => data.includes('xxx'))).toHaveLength(20);
    expect(asked.client.text.endsWith(DONE)).toBe(true);
  });

  it('what was read already still goes out', async () => {
    open().play('a', streams([words(5, 0), STOP, DONE], { readAhead: 3 }));
    const asked = bench.ask({ client: { window: 1, drainMs: null } });
    await bench.pass(SECOND);
    expect(asked.client.writes).toHaveLength(4);
    asked.client.drain();
    await bench.pass(SECOND);
    asked.client.drain();
    await bench.pass(2 * SECOND);
    expect(asked.outcomes).toEqual(['ok']);
    expect(asked.data).toHaveLength(7);
  });

  it('stops every clock: idle, progress and total', async () => {
    open({
      settings: { timeouts: { idleMs: 5 * SECOND, progressMs: 6 * SECOND, totalMs: 30 * SECOND } },
      engine: { clientStallMs: 50 * SECOND },
    });
    bench.play(
      'a',
      streams([text('one'), { bytes: text('two'), ms: 4 * SECOND }, { bytes: STOP, ms: 4 * SECOND }, DONE]),
    );
    const asked = bench.ask();
    await bench.pass(SECOND);
    asked.client.block();
    // Blocked from 4 s on, by the second word; the third comes when it is asked for.
    await bench.pass(52 * SECOND);
    expect(bench.http.sends[0]?.isPaused).toBe(true);
    expect(asked.isDone).toBe(false);
    asked.client.drain();
    await bench.pass(SECOND);
    expect(asked.outcomes).toEqual(['ok']);
  });

  it('moves them on by the time that it took, and no more', async () => {
    open({ settings: { timeouts: { idleMs: 10 * SECOND, totalMs: MINUTE / 2 } } });
    bench.play('a', streams([text('one'), { bytes: text('two'), ms: 2 * SECOND }], { end: 'hang' }));
    const asked = bench.ask();
    await bench.pass(SECOND);
    asked.client.block();
    await bench.pass(41 * SECOND);
    asked.client.drain();
    await bench.pass(9 * SECOND);
    expect(asked.isDone).toBe(false);
    await bench.pass(SECOND);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'interrupted', reason: 'timeout_idle' });
    expect(asked.client.endedAt).toBe(asked.at + 52 * SECOND);
  });

  it('bytes that come while it is paused do not lend time to the clock', async () => {
    open({ settings: { timeouts: { idleMs: 10 * SECOND } } });
    bench.play(
      'a',
      streams([text('one'), { bytes: text('two'), ms: 2 * SECOND }, { bytes: text('three'), ms: 20 * SECOND }], {
        end: 'hang',
        readAhead: 1,
      }),
    );
    const asked = bench.ask();
    await bench.pass(SECOND);
    asked.client.block();
    await bench.pass(49 * SECOND);
    asked.client.drain();
    await bench.pass(10 * SECOND);
    expect(asked.client.endedAt).toBe(asked.at + MINUTE);
  });

  it('total moves on too', async () => {
    open({ settings: { timeouts: { totalMs: 20 * SECOND } } });
    bench.play('a', streams([words(100, SECOND)]));
    const asked = bench.ask();
    await bench.pass(10 * SECOND);
    asked.client.block();
    await bench.pass(31 * SECOND);
    asked.client.drain();
    await bench.pass(30 * SECOND);
    // Blocked from 11 s to 41 s.
    expect(asked.client.endedAt).toBe(asked.at + 50 * SECOND);
    expect(asked.ledger.ended?.reason).toBe('timeout_total');
  });

  it('that drains nothing for clientStall is ended, and is at fault itself', async () => {
    open({ engine: { clientStallMs: 20 * SECOND } });
    bench.play('a', streams([words(100, SECOND)]));
    const asked = await bench.run({ client: { window: 1000 } });
    const blockedAt = asked.client.writes.at(-1)?.at ?? 0;
    expect(asked.client.endedAt).toBe(blockedAt + 20 * SECOND);
    expect(asked.client.ending).toBe('destroy');
    expect(bench.http.sends[0]?.abortedAt).toBe(blockedAt + 20 * SECOND);
    expect(asked.outcomes).toEqual(['client_closed']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'client_closed', component: 'client', servedBy: 'a/m' });
    expect(asked.ledger.ended?.reason).toContain('clientStall');
    expect(bench.word('a')).toBe('ready');
  });

  it('that reads a little, again and again, is not ended', async () => {
    open({ engine: { clientStallMs: 20 * SECOND }, settings: { timeouts: { totalMs: 60 * MINUTE } } });
    bench.play('a', streams([words(30, SECOND), STOP, DONE]));
    expect((await bench.run({ client: { window: 100, drainMs: 19 * SECOND } })).outcomes).toEqual(['ok']);
  });

  it('a JSON answer that streams through is held back too', async () => {
    open({ settings: { preflight: { maxJson: 100 } } });
    bench.play('a', {
      headers: { 'content-type': 'application/json' },
      body: ['{"a":"', { bytes: 'x'.repeat(100), ms: 1, times: 50 }, '"}'],
    });
    const asked = bench.ask({ stream: false, client: { window: 500, drainMs: 4 * MINUTE } });
    await bench.pass(MINUTE / 2);
    expect(bench.http.sends[0]?.isPaused).toBe(true);
    await bench.pass(60 * MINUTE);
    expect(asked.client.ending).toBe('destroy');
    expect(asked.outcome).toBe('client_closed');
    const second = await bench.run({ stream: false, client: { window: 500, drainMs: SECOND } });
    expect(second.outcome).toBe('ok');
    expect(second.client.size).toBe(5008);
  });

  it('whose answer is complete while it is blocked leaves no socket behind', async () => {
    open().play('a', streams([text('one'), STOP, { bytes: DONE }], { readAhead: 5, endMs: 100 }));
    const asked = await bench.run({ client: { window: 1 } });
    expect(asked.outcomes).toEqual(['ok']);
    await bench.pass(SECOND / 2);
    expect(bench.http.sends[0]).toMatchObject({ abortedAt: null, isOver: true });
  });
});

describe('a client that leaves', () => {
  const stages: [string, Parameters<EngineBench['play']>[1], number][] = [
    ['while connecting', { connectMs: null }, 100],
    ['before the head', SILENCE, 100],
    ['in preflight', streams([': ping\n\n'], { end: 'hang' }), 100],
    ['behind output', streams([text('one')], { end: 'hang' }), 100],
    ['while an error body is read', fails(500, {}, { end: 'hang' }), 100],
  ];
  it.each(stages)('%s: the provider is cut off in the same tick', async (_, play, after) => {
    open().play('a', play);
    const asked = bench.ask({ client: { leaveMs: after } });
    await bench.pass(after);
    expect(bench.http.sends[0]?.abortedAt).toBe(asked.at + after);
    expect(asked.isDone).toBe(true);
    expect(asked.outcomes).toEqual(['client_closed']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'client_closed', component: 'client' });
    expect(bench.http.sends).toHaveLength(1);
    expect(bench.word('a')).toBe('ready');
  });

  it('while it waits for a repeat: nothing more is sent', async () => {
    open({ targets: ['a'], settings: { retry: { sameTarget: 3 } }, seed: 5 }).play('a', fails(500));
    const asked = bench.ask();
    await bench.now();
    asked.client.close();
    await bench.now();
    expect(asked.isDone).toBe(true);
    expect(bench.http.sends).toHaveLength(1);
    expect(asked.outcome).toBe('client_closed');
  });

  it('while it waits for a place: it is out at once', async () => {
    open({ targets: ['a'], limits: { a: { concurrency: 1, queueMs: MINUTE } } });
    bench.play('a', streams([text('one')], { end: 'hang' }), says('two'));
    const first = bench.ask();
    await bench.now();
    const second = bench.ask();
    await bench.now();
    second.client.close();
    await bench.now();
    expect(second.isDone).toBe(true);
    expect(second.attempts).toEqual([]);
    expect(second.ledger.ended).toMatchObject({ outcome: 'client_closed', status: null, skipped: [] });
    first.client.close();
  });

  it('before the first send: nothing is sent', async () => {
    open();
    const asked = bench.ask();
    asked.client.close();
    await bench.now();
    expect(asked.outcome).toBe('client_closed');
    expect(bench.http.sends).toHaveLength(0);
  });

  it.each([
    ['longer than 10 s', {}, 10 * SECOND + 1, 'slow'],
    ['10 s and no more', {}, 10 * SECOND, 'ready'],
    ['longer than a quarter of firstOutput', { timeouts: { firstOutputMs: 8 * SECOND } }, 2 * SECOND + 1, 'slow'],
    ['a quarter of firstOutput and no more', { timeouts: { firstOutputMs: 8 * SECOND } }, 2 * SECOND, 'ready'],
  ])('after a silence of %s: %s', async (_, settings, leaveMs, word) => {
    open({ settings }).play('a', SILENCE);
    await bench.run({ client: { leaveMs } });
    expect(bench.word('a')).toBe(word);
  });

  it('silence is counted from the last byte', async () => {
    open().play('a', streams([{ bytes: ': ping\n\n', ms: 9 * SECOND }], { end: 'hang' }));
    await bench.run({ client: { leaveMs: 18 * SECOND } });
    expect(bench.word('a')).toBe('ready');
  });

  it('behind output a silence says nothing of the route', async () => {
    open().play('a', streams([text('one')], { end: 'hang' }));
    await bench.run({ client: { leaveMs: MINUTE } });
    expect(bench.word('a')).toBe('ready');
  });

  it('a silence that the client itself kept up says nothing either', async () => {
    open({ settings: { keepalive: { afterMs: SECOND, everyMs: SECOND } } }).play('a', SILENCE);
    await bench.run({ client: { window: 1, leaveMs: 30 * SECOND } });
    expect(bench.word('a')).toBe('ready');
  });

  it('behind the terminal it has succeeded', async () => {
    open().play('a', streams([text('one'), STOP], { end: 'hang' }));
    const asked = await bench.run({ client: { leaveMs: SECOND } });
    expect(asked.outcomes).toEqual(['ok']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'ok', component: null, status: 200, servedBy: 'a/m' });
    expect(bench.http.sends[0]?.abortedAt).toBe(asked.at + SECOND);
  });

  it('usage so far is kept', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    open().play(
      'a',
      streams([`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }], usage })}\n\n`], {
        end: 'hang',
      }),
    );
    const asked = await bench.run({ client: { leaveMs: SECOND } });
    expect(asked.outcomes).toEqual(['client_closed']);
    expect(asked.attempts[0]?.usage).toMatchObject({ inputTokens: 7, outputTokens: 3, source: 'reported' });
  });

  it('a JSON client that leaves while its answer is read', async () => {
    open().play('a', tells('x', { end: 'hang' }));
    const asked = await bench.run({ stream: false, client: { leaveMs: SECOND } });
    expect(asked.outcomes).toEqual(['client_closed']);
    expect(asked.ledger.ended?.status).toBeNull();
  });
});
