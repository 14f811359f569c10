import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { type Asked, createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { HEALTH } from '../../test/kit/health-fixtures.ts';
import { fails, SILENCE, says, streams, text } from '../../test/kit/plays.ts';
import type { Play } from '../simulate/world/network.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

const targets = (): readonly string[] => bench.http.sends.map(({ request }) => request.origin.slice(8, 9));
const limited = (seconds: number): Play =>
  fails(429, {}, { headers: { 'content-type': 'application/json', 'retry-after': String(seconds) } });
const MCP = { tools: [{ type: 'mcp', server_url: 'https://x.test' }] };

describe('a stale socket', () => {
  const STALE: Play = { reused: true, status: null, end: 'reset' };

  it('is replayed once on a fresh one, at no charge and with no blame', async () => {
    open({ settings: { retry: { maxAttempts: 1 } } }).play('a', STALE, says('x'));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['stale_socket', 'ok']);
    expect(targets()).toEqual(['a', 'a']);
    expect(bench.http.sends.map(({ request }) => request.freshSocket)).toEqual([false, true]);
    expect(asked.attempts.map(({ charged, failure }) => [charged, failure])).toEqual([
      [true, null],
      [false, null],
    ]);
    expect(bench.word('a')).toBe('ready');
  });

  it('on a fresh socket the same is a connection error', async () => {
    open().play('a', { ...STALE, reused: false });
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['connect_error', 'ok']);
    expect(asked.attempts[0]?.failure?.scope).toBe('endpoint');
  });

  it('is replayed once: what fails again is a failure', async () => {
    open().play('a', STALE);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['stale_socket', 'connect_error', 'ok']);
  });

  it('before the request was sent it is a connection error', async () => {
    open().play('a', { reused: true, refuse: 'reset' });
    expect((await bench.run()).outcomes).toEqual(['connect_error', 'ok']);
  });

  it('behind a head it is a cut', async () => {
    open().play('a', { reused: true, body: [], end: 'reset' });
    expect((await bench.run()).outcomes).toEqual(['incomplete_stream', 'ok']);
  });

  it('is not replayed for a request that runs something outside; no health is touched', async () => {
    open().play('a', STALE);
    for (let n = 0; n < 4; n++) {
      const asked = await bench.run({ body: MCP });
      expect(asked.outcomes).toEqual(['stale_socket']);
      expect(asked.client.status).toBe(502);
      expect(asked.error).toMatchObject({ code: 'outcome_unknown', understudy: { component: 'target' } });
      expect(asked.client.headers['x-should-retry']).toBe('false');
      expect(asked.outcome).toBe('outcome_unknown');
    }
    expect(bench.word('a')).toBe('ready');
  });

  it.each([
    ['always', 'ok'],
    ['safe', 'outcome_unknown'],
  ] as const)('with replay: %s the request ends %s', async (replay, outcome) => {
    open({ settings: { replay } }).play('a', STALE, says('x'));
    expect((await bench.run({ body: replay === 'always' ? MCP : {} })).outcome).toBe(outcome);
  });

  it('with the failover off it is replayed all the same', async () => {
    open().play('a', STALE, says('x'));
    expect((await bench.run({ failover: false })).outcomes).toEqual(['stale_socket', 'ok']);
  });
});

describe('replay safety', () => {
  it.each([
    ['a timeout', SILENCE],
    ['a cut', streams([], { end: 'reset' })],
    ['a 500', fails(500)],
    ['a 502', fails(502)],
  ])('%s of a request with effects has an unknown outcome', async (_, play) => {
    open().play('a', play);
    const asked = await bench.run({ body: MCP });
    expect(asked.attempts).toHaveLength(1);
    expect(asked.attempts[0]?.outcome).not.toBe('outcome_unknown');
    expect(asked.error).toMatchObject({
      code: 'outcome_unknown',
      understudy: { component: 'target', should_retry: false },
    });
  });

  it.each([
    ['a 429', fails(429)],
    ['a 503', fails(503)],
    ['a refused connection', { refuse: 'refused' }],
    ['no connection', { connectMs: null }],
    ['an error event before any item', streams(['data: {"error":{"message":"x","code":"server_error"}}\n\n'])],
  ] as [string, Play][])('%s does not', async (_, play) => {
    open().play('a', play);
    expect((await bench.run({ body: MCP })).outcome).toBe('ok');
  });
});

describe('the same target again', () => {
  it('auto: once if no other route is left, after a pause', async () => {
    open({ targets: ['a'] }).play('a', fails(500), says('x'));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['server_error', 'ok']);
    const [first, second] = asked.attempts;
    const pause = (second?.startedAt ?? 0) - (first?.endedAt ?? 0);
    expect(pause).toBeGreaterThan(0);
    expect(pause).toBeLessThanOrEqual(250);
    expect(second?.why).toBe('again after server_error');
    expect(second?.charged).toBe(true);
  });

  it('auto: not while another route is left', async () => {
    open().play('a', fails(500));
    expect((await bench.run()).outcomes).toEqual(['server_error', 'ok']);
    expect(targets()).toEqual(['a', 'b']);
  });

  it('n: up to n repeats at once, before moving on', async () => {
    open({
      settings: { retry: { sameTarget: 2 } },
      health: { ...HEALTH, breaker: { ...HEALTH.breaker, failures: 9 } },
    });
    bench.play('a', fails(500));
    await bench.run();
    expect(targets()).toEqual(['a', 'a', 'a', 'b']);
  });

  it('a told delay is the floor of the pause', async () => {
    open({ targets: ['a'] }).play(
      'a',
      fails(503, {}, { headers: { 'content-type': 'application/json', 'retry-after': '3' } }),
      says('x'),
    );
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['server_error', 'ok']);
    expect(asked.attempts[1]?.startedAt).toBe(asked.at + 3 * SECOND);
  });

  it('not where the table does not say so', async () => {
    open({ targets: ['a'], settings: { retry: { sameTarget: 3 } } }).play('a', fails(404, { code: 'model_not_found' }));
    expect((await bench.run()).attempts).toHaveLength(1);
  });

  it('the budget counts: maxAttempts ends it and is named', async () => {
    open({ targets: ['a', 'b', 'c'], settings: { retry: { maxAttempts: 2 } } });
    for (const name of ['a', 'b', 'c']) bench.play(name, fails(500));
    const asked = await bench.run();
    expect(targets()).toEqual(['a', 'b']);
    expect(asked.error?.message).toContain('retry.maxAttempts');
  });

  it('x-understudy-failover: off is one attempt', async () => {
    open().play('a', fails(500));
    const asked = await bench.run({ failover: false });
    expect(asked.outcomes).toEqual(['server_error']);
    expect(asked.client.status).toBe(502);
    expect(asked.client.headers['x-should-retry']).toBeUndefined();
  });
});

describe('waits', () => {
  it('waitForCooldown: until the soonest told return, when nothing else is eligible', async () => {
    open({ settings: { retry: { waitForCooldownMs: 10 * SECOND } } });
    bench.play('a', limited(8), says('x'));
    bench.play('b', limited(6), says('y'));
    const asked = await bench.run();
    expect(asked.attempts.map(({ target, startedAt }) => [target, startedAt - asked.at])).toEqual([
      ['a/m', 0],
      ['b/m', 0],
      ['b/m', 6 * SECOND],
    ]);
    expect(asked.outcome).toBe('ok');
  });

  it('not when something else is eligible', async () => {
    open({ settings: { retry: { waitForCooldownMs: 10 * SECOND } } }).play('a', limited(2));
    const asked = await bench.run();
    expect(asked.client.endedAt).toBe(asked.at);
  });

  it('not longer than allowed', async () => {
    open({ targets: ['a'], settings: { retry: { waitForCooldownMs: 5 * SECOND } } }).play('a', limited(6));
    const asked = await bench.run();
    expect(asked.client.endedAt).toBe(asked.at);
    expect(asked.client.status).toBe(429);
  });

  it.each([
    ['commit', { timeouts: { commitMs: 4 * SECOND } }, {}],
    ['total', { timeouts: { totalMs: 4 * SECOND } }, {}],
    ['x-understudy-timeout', {}, { timeoutMs: 4 * SECOND }],
  ])('not beyond the deadline (%s)', async (_, settings, ask) => {
    open({ targets: ['a'], settings: { ...settings, retry: { waitForCooldownMs: MINUTE } } }).play('a', limited(5));
    const asked = await bench.run(ask);
    expect(asked.client.endedAt).toBe(asked.at);
    expect(asked.client.status).toBe(429);
  });

  it('preferSameTarget: also for a told hold of a target that stands earlier', async () => {
    open({ settings: { retry: { waitForCooldownMs: 5 * SECOND, preferSameTarget: true } } });
    bench.play('a', limited(3), says('x'));
    const asked = await bench.run();
    expect(targets()).toEqual(['a', 'a']);
    expect(asked.attempts[1]?.startedAt).toBe(asked.at + 3 * SECOND);
  });

  it('all that wait for a told moment go at once: whoever named it can serve then', async () => {
    open({ targets: ['a'], settings: { retry: { waitForCooldownMs: 10 * SECOND } } });
    bench.play('a', limited(6), says('x'));
    const first = bench.ask();
    await bench.pass(SECOND);
    const others = Array.from({ length: 19 }, () => bench.ask());
    await bench.pass(5 * SECOND - 1);
    expect(bench.http.sends).toHaveLength(1);
    await bench.pass(1);
    expect(bench.http.sends).toHaveLength(21);
    await bench.quiet();
    expect([first, ...others].map(({ outcomes }) => outcomes.at(-1))).toEqual(Array(20).fill('ok'));
  });

  it('whoever has elsewhere to go comes back later: as long after its end as the hold was, or when it has proved itself', async () => {
    open().play('a', limited(30), says('x'));
    await bench.run();
    await bench.pass(30 * SECOND);
    const early = Array.from({ length: 20 }, () => bench.ask());
    await bench.pass(29 * SECOND);
    expect(new Set(early.map(({ attempts }) => attempts[0]?.target))).toEqual(new Set(['b/m']));
    await bench.pass(SECOND);
    expect((await bench.run()).attempts[0]?.target).toBe('a/m');
  });

  it('a told hold is never sent into', async () => {
    open().play('a', limited(30));
    await bench.run();
    await bench.run();
    expect(targets()).toEqual(['a', 'b', 'b']);
  });
});

describe('a repeat without', () => {
  it('stream_options: refused once, taught, and left out from then on', async () => {
    const refusal = fails(400, {
      message: 'Unknown parameter: stream_options',
      param: 'stream_options',
      code: 'unknown_parameter',
    });
    open().play('a', refusal, says('x'));
    const asked = await bench.run();
    expect(targets()).toEqual(['a', 'a']);
    expect(asked.attempts[1]?.why).toBe('again without stream_options');
    expect(bench.http.sends.map(({ body }) => body.includes('stream_options'))).toEqual([true, false]);
    await bench.run();
    expect(bench.http.sends[2]?.body).not.toContain('stream_options');
  });

  it('state of another issuer: the same target once without it, then the next', async () => {
    const refusal = fails(400, { message: 'Invalid signature in thinking block', code: 'invalid_signature' });
    open().play('a', refusal);
    const asked = await bench.run();
    expect(targets()).toEqual(['a', 'a', 'b']);
    expect(asked.outcomes).toEqual(['incompatible_history', 'incompatible_history', 'ok']);
  });
});

describe('places under limits.concurrency', () => {
  const slow = streams([{ bytes: text('x'), ms: SECOND }], { end: 'hang' });

  it('nobody waits while there is another target, once the queue is over', async () => {
    open({ limits: { a: { concurrency: 1, queueMs: 2 * SECOND } } }).play('a', slow);
    const first = bench.ask();
    await bench.now();
    const second = await bench.run();
    expect(second.attempts.map(({ target, startedAt }) => [target, startedAt - second.at])).toEqual([
      ['b/m', 2 * SECOND],
    ]);
    expect(second.ledger.ended?.skipped).toEqual([{ target: 'a/m', outcome: 'skipped_busy', until: null }]);
    first.client.close();
  });

  it.each([
    ['told to wait', fails(429, {}, { headers: { 'retry-after': '60' }, headMs: SECOND })],
    ['refused its key', fails(401, {}, { headMs: SECOND })],
  ])('who waited for a place while the target was %s asks the next one', async (_, failure) => {
    open({ limits: { a: { concurrency: 1, queueMs: MINUTE } } }).play('a', failure, says('x'));
    const asked = [bench.ask(), bench.ask(), bench.ask()];
    await bench.pass(10 * SECOND);
    expect(bench.sendsTo('a')).toHaveLength(1);
    expect(asked.map(({ attempts }) => attempts.map(({ target }) => target))).toEqual([
      ['a/m', 'b/m'],
      ['b/m'],
      ['b/m'],
    ]);
  });

  const twoKeys = { id: 'a', credentials: ['k1', 'k2'] };
  const startsOf = (asked: readonly Asked[]) => asked.map(({ attempts, at }) => attempts.map((a) => a.startedAt - at));

  it('who waited for one key and is to take another keeps the place, and waits once', async () => {
    open({ targets: [twoKeys, 'b'], limits: { a: { concurrency: 1, queueMs: 3 * SECOND } } });
    bench.play('a', fails(401, {}, { headMs: 2 * SECOND }), says('x', { headMs: 2 * SECOND }));
    const first = bench.ask();
    await bench.pass(500);
    const others = [bench.ask(), bench.ask(), bench.ask()];
    await bench.pass(20 * SECOND);
    expect(startsOf(others)).toEqual([[1500], [3 * SECOND], [3 * SECOND]]);
    expect(others.map(({ attempts }) => attempts.map(({ route }) => route))).toEqual([
      ['a/m#k2'],
      ['b/m#default'],
      ['b/m#default'],
    ]);
    expect(first.outcome).toBe('ok');
  });

  it.each([
    ['auto', [twoKeys], ['a/m#k1', 'a/m#k1']],
    [2, [twoKeys], ['a/m#k1', 'a/m#k1', 'a/m#k1']],
    ['auto', [twoKeys, 'b'], ['a/m#k1', 'b/m#default', 'b/m#default']],
  ] as const)('a dead target is not asked with its other key: sameTarget %s', async (sameTarget, targets, expected) => {
    open({ targets, settings: { retry: { sameTarget } } });
    for (const id of ['a', 'b'] as const) bench.play(id, fails(503), fails(503), fails(503), says('x'));
    const { attempts, client } = await bench.run();
    expect(attempts.map(({ route }) => route)).toEqual(expected);
    expect(client.status).toBe(502);
  });

  it('who found no place waits for none for another key', async () => {
    open({ targets: [twoKeys, 'b'], limits: { a: { concurrency: 1, queueMs: 3 * SECOND } } }).play('a', slow);
    const first = bench.ask();
    await bench.now();
    const second = await bench.run();
    expect(second.attempts.map(({ target }) => target)).toEqual(['b/m']);
    expect(startsOf([second])).toEqual([[3 * SECOND]]);
    first.client.close();
  });

  it('who waited for a place and has nobody else gets the answer that is true by then', async () => {
    const failure = fails(429, {}, { headers: { 'retry-after': '60' }, headMs: SECOND });
    open({ targets: ['a'], limits: { a: { concurrency: 1, queueMs: MINUTE } } }).play('a', failure, says('x'));
    const [, second] = [bench.ask(), bench.ask()];
    await bench.pass(10 * SECOND);
    expect(bench.sendsTo('a')).toHaveLength(1);
    expect(second?.client.status).toBe(429);
    expect(second?.client.headers['retry-after']).toBe('60');
  });

  it('a place that comes free is taken in order', async () => {
    open({ targets: ['a'], limits: { a: { concurrency: 2, queueMs: MINUTE } } });
    bench.play('a', says('x', { headMs: SECOND }));
    const asked = Array.from({ length: 6 }, () => bench.ask());
    await bench.pass(3 * SECOND);
    expect(asked.map(({ attempts, at }) => (attempts[0]?.startedAt ?? 0) - at)).toEqual(
      [0, 0, 1, 1, 2, 2].map((n) => n * SECOND),
    );
    expect(asked.every(({ outcome }) => outcome === 'ok')).toBe(true);
  });

  it('busy everywhere: 503 and come back in a second', async () => {
    open({ targets: ['a'], limits: { a: { concurrency: 1, queueMs: 0 } } }).play('a', slow);
    const first = bench.ask();
    await bench.now();
    const second = await bench.run();
    expect(second.client.status).toBe(503);
    expect(second.client.headers['retry-after']).toBe('1');
    expect(second.error).toMatchObject({ code: 'no_target_available', understudy: { component: 'gateway' } });
    expect(second.outcome).toBe('rejected');
    first.client.close();
  });

  it('a repeat that finds no place goes elsewhere, and never in circles', async () => {
    const refusal = fails(400, { message: 'Unknown parameter: stream_options', param: 'stream_options' });
    open({ limits: { a: { concurrency: 1, queueMs: SECOND } } });
    bench.play('a', { ...refusal, headMs: 100 }, slow);
    const first = bench.ask();
    const second = bench.ask();
    await bench.pass(5 * SECOND);
    expect(first.attempts.map(({ target }) => target)).toEqual(['a/m', 'b/m']);
    second.client.close();
  });
});
