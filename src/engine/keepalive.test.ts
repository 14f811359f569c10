import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says, streams, text } from '../../test/kit/plays.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options: BenchOptions = {}): EngineBench => {
  const keepalive = { afterMs: 10 * SECOND, everyMs: 5 * SECOND };
  bench = createEngineBench({ ...options, settings: { keepalive, ...options.settings } });
  return bench;
};
afterEach(() => bench.quiet());

const KEEPALIVE = ': keepalive\n\n';

describe('keep-alive', () => {
  it('says nothing until `after`, then the head and a comment each `every`', async () => {
    open().play('a', streams([{ bytes: text('one'), ms: 22 * SECOND }, STOP, DONE]));
    const asked = bench.ask();
    await bench.pass(10 * SECOND - 1);
    expect(asked.client.status).toBeNull();
    await bench.pass(1);
    expect(asked.client.status).toBe(200);
    expect(asked.client.headers).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-understudy-model': 'main',
    });
    expect(asked.client.text).toBe(KEEPALIVE);
    await bench.pass(11 * SECOND);
    expect(asked.client.text).toBe(KEEPALIVE.repeat(3));
    expect(asked.client.writes.map(({ at }) => at - asked.at)).toEqual([10 * SECOND, 15 * SECOND, 20 * SECOND]);
  });

  it('the head fixes the status, not the answer: failover goes on, and a comment names who answers', async () => {
    open().play('a', SILENCE);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['timeout_headers', 'ok']);
    const [comments, answer] = asked.client.text.split(': understudy ');
    expect(comments).toBe(KEEPALIVE.repeat(11));
    expect(answer).toBe(`target=b/m attempts=2\n\n${text('hello')}${STOP}${DONE}`);
    expect(asked.client.headers['x-understudy-target']).toBeUndefined();
  });

  it('a head without keep-alive carries target and attempts, and no comment', async () => {
    open().play('a', fails(500));
    const asked = await bench.run();
    expect(asked.client.headers).toMatchObject({
      'x-understudy-target': 'b/m',
      'x-understudy-attempts': '2',
      'x-understudy-model': 'main',
    });
    expect(asked.client.text).toBe(`${text('hello')}${STOP}${DONE}`);
  });

  it('goes on behind the commit, in silence only', async () => {
    open().play(
      'a',
      streams([
        text('one'),
        { bytes: text('two'), ms: 4 * SECOND },
        { bytes: text('three'), ms: 11 * SECOND },
        STOP,
        DONE,
      ]),
    );
    const asked = await bench.run();
    const kept = asked.client.writes.filter(({ bytes }) => new TextDecoder().decode(bytes) === KEEPALIVE);
    expect(kept.map(({ at }) => at - asked.at)).toEqual([9 * SECOND, 14 * SECOND]);
    expect(asked.outcomes).toEqual(['ok']);
  });

  it('a total failure behind it is told in the stream, with the code of the table', async () => {
    open({ targets: ['a'] }).play(
      'a',
      fails(429, {}, { headMs: 12 * SECOND, headers: { 'retry-after': '30', 'content-type': 'application/json' } }),
    );
    const asked = await bench.run();
    expect(asked.client.status).toBe(200);
    expect(asked.client.ending).toBe('end');
    expect(asked.client.text).not.toContain('[DONE]');
    expect(asked.error).toMatchObject({ code: 'rate_limit_exceeded', understudy: { component: 'credential' } });
    expect(asked.error?.understudy.retry_after_ms).toBeGreaterThanOrEqual(30 * SECOND);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'rate_limited', status: 200 });
  });

  it('says whether a repeat helps, in the stream too', async () => {
    open().play('a', fails(500, {}, { headMs: 12 * SECOND }));
    bench.play('b', fails(500));
    expect((await bench.run()).error).toMatchObject({ code: 'upstream_error', understudy: { should_retry: false } });
  });

  it('a total failure before it is a status', async () => {
    open().play('a', fails(500));
    bench.play('b', fails(500));
    const asked = await bench.run();
    expect(asked.client.status).toBe(502);
    expect(asked.client.headers['content-type']).toContain('application/json');
  });

  it('runs while the request waits for a place', async () => {
    open({ targets: ['a'], limits: { a: { concurrency: 1, queueMs: 30 * SECOND } } });
    bench.play('a', streams([text('one')], { end: 'hang' }), says('two'));
    const first = bench.ask();
    await bench.now();
    const second = bench.ask();
    await bench.pass(16 * SECOND);
    expect(second.client.text).toBe(KEEPALIVE.repeat(2));
    first.client.close();
    await bench.pass(2 * SECOND);
    expect(second.outcomes).toEqual(['ok']);
  });

  it('a JSON client gets none', async () => {
    open().play('a', SILENCE);
    bench.play('b', fails(500));
    const asked = await bench.run({ stream: false });
    expect(asked.client.status).toBe(504);
    expect(asked.client.writes).toHaveLength(1);
  });

  it('may be off', async () => {
    open({ settings: { keepalive: null } }).play('a', SILENCE);
    const asked = await bench.run();
    expect(asked.client.text).not.toContain('keepalive');
  });

  it('a client that does not even read keep-alives is ended', async () => {
    open({ engine: { clientStallMs: 20 * SECOND }, settings: { timeouts: { headersMs: 100 * SECOND } } }).play(
      'a',
      SILENCE,
    );
    const asked = await bench.run({ client: { window: 1 } });
    expect(asked.client.endedAt).toBe(asked.at + 30 * SECOND);
    expect(asked.outcome).toBe('client_closed');
    expect(asked.client.text).toBe(KEEPALIVE);
  });

  it('no two comments share a frame with an answer: every chunk is whole', async () => {
    open({ settings: { keepalive: { afterMs: 1, everyMs: 1 } } });
    const whole = text('one');
    bench.play(
      'a',
      streams([
        whole.slice(0, 10),
        { bytes: whole.slice(10), ms: 5 },
        { bytes: STOP.slice(0, 9), ms: 5 },
        { bytes: STOP.slice(9), ms: 5 },
        DONE,
      ]),
    );
    const asked = await bench.run();
    expect(asked.client.text.replaceAll(KEEPALIVE, '')).toBe(
      `: understudy target=a/m attempts=1\n\n${whole}${STOP}${DONE}`,
    );
  });
});

describe('drain', () => {
  const word = { code: 'gateway_overloaded', understudy: { component: 'gateway', retry_after_ms: 1000 } };

  it.each([
    ['while connecting', { connectMs: null }],
    ['before the head', SILENCE],
    ['in preflight', streams([': ping\n\n'], { end: 'hang' })],
    ['while an error body is read', fails(500, {}, { end: 'hang' })],
  ])('%s: told by a status, component gateway, no health', async (_, play) => {
    open().play('a', play);
    const asked = bench.ask();
    await bench.now();
    bench.engine.abandonAll();
    await bench.now();
    expect(asked.isDone).toBe(true);
    expect(asked.client.status).toBe(503);
    expect(asked.client.headers['retry-after']).toBe('1');
    expect(asked.error).toMatchObject(word);
    expect(asked.outcomes).toEqual(['abandoned']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'abandoned', component: 'gateway' });
    expect(bench.http.sends[0]?.abortedAt).toBe(asked.at);
    expect(bench.word('a')).toBe('ready');
  });

  it('behind a keep-alive: told in the stream', async () => {
    open().play('a', SILENCE);
    const asked = bench.ask();
    await bench.pass(12 * SECOND);
    bench.engine.abandonAll();
    await bench.now();
    expect(asked.client.status).toBe(200);
    expect(asked.error).toMatchObject(word);
  });

  it("behind output: the protocol's error, and no success marker", async () => {
    open().play('a', streams([text('one')], { end: 'hang' }));
    const asked = bench.ask();
    await bench.now();
    bench.engine.abandonAll();
    await bench.now();
    expect(asked.error).toMatchObject({ code: 'stream_interrupted', understudy: { component: 'gateway' } });
    expect(asked.error?.understudy.should_retry).not.toBe(false);
    expect(asked.client.text).not.toContain('[DONE]');
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'interrupted', component: 'gateway' });
    expect(bench.word('a')).toBe('ready');
  });

  it('behind the terminal: the answer is whole', async () => {
    open().play('a', streams([text('one'), STOP], { end: 'hang' }));
    const asked = bench.ask();
    await bench.now();
    bench.engine.abandonAll();
    await bench.now();
    expect(asked.outcome).toBe('ok');
    expect(asked.client.text.endsWith(DONE)).toBe(true);
  });

  it('while it waits for a repeat, for a place', async () => {
    open({
      targets: ['a'],
      settings: { retry: { sameTarget: 3 } },
      seed: 5,
      limits: { a: { concurrency: 1, queueMs: 60 * SECOND } },
    });
    bench.play('a', fails(500), SILENCE);
    const first = bench.ask();
    await bench.now();
    expect(first.outcomes).toEqual(['server_error']);
    const second = bench.ask();
    const third = bench.ask();
    await bench.now();
    bench.engine.abandonAll();
    await bench.now();
    for (const asked of [first, second, third]) {
      expect(asked.isDone).toBe(true);
      expect(asked.error).toMatchObject(word);
      expect(asked.outcome).toBe('abandoned');
    }
    expect(third.ledger.ended?.skipped).toEqual([]);
    expect(bench.engine.inFlight()).toBe(0);
  });

  it('while the client is blocked', async () => {
    open().play('a', streams([{ bytes: text('x'), ms: 1, times: 50 }]));
    const asked = bench.ask({ client: { window: 300 } });
    await bench.pass(100);
    bench.engine.abandonAll();
    await bench.now();
    expect(asked.isDone).toBe(true);
    expect(asked.error?.code).toBe('stream_interrupted');
  });

  it('a JSON answer that is half out can only be cut', async () => {
    open({ settings: { preflight: { maxJson: 10 } } }).play('a', { body: ['{"a":"bcdefghijkl'], end: 'hang' });
    const asked = bench.ask({ stream: false });
    await bench.now();
    bench.engine.abandonAll();
    await bench.now();
    expect(asked.client.ending).toBe('destroy');
    expect(asked.outcome).toBe('interrupted');
  });
});
