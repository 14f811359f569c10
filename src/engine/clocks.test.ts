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

/** Moment at which the first attempt ended, counted from the request. */
const endOfFirst = (asked: {
  readonly at: number;
  readonly attempts: readonly { readonly endedAt: number | null }[];
}) => (asked.attempts[0]?.endedAt ?? Number.NaN) - asked.at;

const PING = ': ping\n\n';
/** A comment each second, for ten minutes. */
const PINGS = { bytes: PING, ms: SECOND, times: 600 };

describe('clocks of an attempt', () => {
  it.each([
    ['connect', { connectMs: null }, 5 * SECOND, 'timeout_connect'],
    ['headers', SILENCE, MINUTE, 'timeout_headers'],
    ['firstOutput, fed by no ping', streams([PINGS]), 2 * MINUTE, 'timeout_first_output'],
  ])('%s', async (_, play, at, outcome) => {
    open().play('a', play);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual([outcome, 'ok']);
    expect(endOfFirst(asked)).toBe(at);
    expect(bench.http.sends[0]?.abortedAt).toBe(asked.at + at);
    expect(asked.client.text).toContain('hello');
  });

  it('idle: any byte feeds it, and nothing else', async () => {
    open({ settings: { timeouts: { idleMs: 3 * SECOND } } });
    bench.play('a', streams([{ bytes: ':', ms: 2 * SECOND, times: 5 }], { end: 'hang' }));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['timeout_idle', 'ok']);
    expect(endOfFirst(asked)).toBe(13 * SECOND);
  });

  it('idle runs from the head on', async () => {
    open({ settings: { timeouts: { idleMs: 3 * SECOND } } });
    bench.play('a', { headMs: 10 * SECOND, end: 'hang' });
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['timeout_idle', 'ok']);
    expect(endOfFirst(asked)).toBe(13 * SECOND);
  });

  it('headers stops with the head, firstOutput with the commit', async () => {
    open();
    bench.play(
      'a',
      streams([{ bytes: text('one'), ms: 50 * SECOND }, { bytes: text('two'), ms: 100 * SECOND }, STOP, DONE], {
        headMs: 59 * SECOND,
      }),
    );
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['ok']);
  });

  it('progress: output feeds it, pings behind the commit do not', async () => {
    open({ settings: { timeouts: { idleMs: 10 * MINUTE } } });
    bench.play('a', streams([text('one'), { bytes: text('two'), ms: 4 * MINUTE }, PINGS]));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(endOfFirst(asked)).toBe(9 * MINUTE);
    expect(asked.ledger.ended).toMatchObject({
      outcome: 'interrupted',
      reason: 'timeout_progress',
      component: 'target',
    });
    expect(asked.error).toMatchObject({ code: 'stream_interrupted', understudy: { reason: 'timeout_progress' } });
  });

  it('idle runs behind the commit too', async () => {
    open().play('a', streams([text('one')], { end: 'hang' }));
    const asked = await bench.run();
    expect(endOfFirst(asked)).toBe(2 * MINUTE);
    expect(asked.ledger.ended?.reason).toBe('timeout_idle');
  });

  it('a JSON answer has connect and whole alone', async () => {
    open();
    bench.play('a', tells('late', { headMs: 290 * SECOND }));
    expect((await bench.run({ stream: false })).outcomes).toEqual(['ok']);
    bench.play('a', tells('late', { headMs: 100 * SECOND, end: 'hang' }));
    const asked = await bench.run({ stream: false });
    expect(asked.outcomes).toEqual(['timeout_whole', 'ok']);
    expect(endOfFirst(asked)).toBe(5 * MINUTE);
    bench.play('b', { connectMs: null });
    const third = await bench.run({ stream: false });
    expect(third.outcomes[0]).toBe('timeout_connect');
  });

  it('a silent target is never repeated, whatever is asked for', async () => {
    open({ targets: ['a'], settings: { retry: { sameTarget: 3 } } }).play('a', SILENCE);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['timeout_headers']);
    expect(asked.client.status).toBe(504);
    expect(asked.error?.code).toBe('upstream_timeout');
  });

  it('a timeout demotes its route: the next request goes elsewhere at once', async () => {
    open().play('a', SILENCE);
    await bench.run();
    expect(bench.word('a')).toBe('slow');
    expect((await bench.run()).attempts.map(({ target }) => target)).toEqual(['b/m']);
  });

  it('an error status decides at once, even if its body never ends', async () => {
    open().play('a', fails(500, {}, { end: 'hang' }));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['server_error', 'ok']);
    expect(endOfFirst(asked)).toBeLessThanOrEqual(5 * SECOND);
  });
});

describe('clocks of a request', () => {
  it('commit: waits and attempts until the commit; nobody is charged', async () => {
    open({ settings: { timeouts: { commitMs: 90 * SECOND } } });
    bench.play('a', SILENCE);
    bench.play('b', SILENCE);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['timeout_headers', 'timeout_commit']);
    expect(asked.client.endedAt).toBe(asked.at + 90 * SECOND);
    expect(asked.client.status).toBe(504);
    expect(asked.error).toMatchObject({
      code: 'upstream_timeout',
      understudy: { component: 'deadline', reason: 'timeout_commit' },
    });
    expect(asked.error?.message).toContain('timeouts.commit');
    expect(asked.outcome).toBe('timeout_commit');
    expect(bench.word('b')).toBe('ready');
  });

  it('commit ends with the commit', async () => {
    open({ settings: { timeouts: { commitMs: 20 * SECOND } } });
    bench.play('a', streams([text('one'), { bytes: text('two'), ms: MINUTE }, STOP, DONE]));
    expect((await bench.run()).outcomes).toEqual(['ok']);
  });

  it('total: before the commit', async () => {
    open({ settings: { timeouts: { totalMs: 30 * SECOND } } }).play('a', SILENCE);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['timeout_total']);
    expect(asked.client.endedAt).toBe(asked.at + 30 * SECOND);
    expect(asked.error?.message).toContain('timeouts.total');
    expect(asked.outcome).toBe('timeout_total');
    expect(bench.word('a')).toBe('ready');
  });

  it('total: behind the commit it is told in the stream', async () => {
    open({ settings: { timeouts: { totalMs: 30 * SECOND } } });
    bench.play('a', streams([text('one'), { bytes: text('more'), ms: SECOND, times: 100 }]));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.client.endedAt).toBe(asked.at + 30 * SECOND);
    expect(asked.error).toMatchObject({
      code: 'stream_interrupted',
      understudy: { component: 'deadline', reason: 'timeout_total' },
    });
    expect(asked.client.text).not.toContain('[DONE]');
    expect(bench.word('a')).toBe('ready');
  });

  it('total: an answer whose terminal is out is whole', async () => {
    open({ settings: { timeouts: { totalMs: 30 * SECOND } } });
    bench.play('a', streams([text('one'), STOP], { end: 'hang' }));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['ok']);
    expect(asked.client.endedAt).toBe(asked.at + 30 * SECOND);
    expect(asked.error).toBeNull();
    expect(asked.client.text).toContain('[DONE]');
  });

  it('x-understudy-timeout shortens total, never lengthens it, and touches no health', async () => {
    open({ settings: { timeouts: { totalMs: MINUTE / 2 } } }).play('a', SILENCE);
    const short = await bench.run({ timeoutMs: 10 * SECOND });
    expect(short.client.endedAt).toBe(short.at + 10 * SECOND);
    expect(short.outcomes).toEqual(['timeout_total']);
    const long = await bench.run({ timeoutMs: 60 * MINUTE });
    expect(long.client.endedAt).toBe(long.at + MINUTE / 2);
    expect(bench.word('a')).toBe('ready');
  });

  it('total of a JSON request whose answer is half out can only cut', async () => {
    open({ settings: { preflight: { maxJson: 100 }, timeouts: { totalMs: 30 * SECOND } } });
    bench.play('a', tells('x'.repeat(200), { end: 'hang' }));
    const asked = await bench.run({ stream: false });
    expect(asked.client.ending).toBe('destroy');
    expect(asked.outcome).toBe('interrupted');
  });

  it('deadlines end a wait for a place', async () => {
    open({ targets: ['a'], limits: { a: { concurrency: 1, queueMs: 10 * MINUTE } } });
    bench.play('a', streams([text('one')], { end: 'hang' }));
    const first = bench.ask();
    await bench.now();
    const second = await bench.run({ timeoutMs: 2 * SECOND });
    expect(second.client.endedAt).toBe(second.at + 2 * SECOND);
    expect(second.outcome).toBe('timeout_total');
    first.client.close();
  });

  it('a request that comes with no time left is told so without any attempt', async () => {
    open();
    const asked = await bench.run({ timeoutMs: 0 });
    expect(asked.attempts).toEqual([]);
    expect(asked.client.status).toBe(504);
    expect(asked.outcome).toBe('timeout_total');
  });

  it('each answer feeds only its own clocks', async () => {
    open().play('a', says('x'));
    const [one, two] = [bench.ask(), bench.ask()];
    await bench.now();
    expect([one.outcome, two.outcome]).toEqual(['ok', 'ok']);
  });
});
