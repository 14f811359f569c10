import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { type Asked, createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says, streams, text } from '../../test/kit/plays.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

const served = async (count: number): Promise<string> => {
  const names: (string | undefined)[] = [];
  for (let n = 0; n < count; n++) names.push((await bench.run()).attempts.at(-1)?.target[0]);
  return names.join('');
};

describe('the record', () => {
  it('facts come in order, each at its moment', async () => {
    open().play('a', fails(500, {}, { connectMs: 10, headMs: 20, endMs: 5 }));
    bench.play(
      'b',
      streams(
        [
          { bytes: text('x'), ms: 30 },
          { bytes: 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n', ms: 40 },
        ],
        { connectMs: 10, headMs: 10 },
      ),
    );
    const asked = await bench.run();
    expect(asked.facts.map(({ type, at }) => [type, at - asked.at])).toEqual([
      ['request_started', 0],
      ['attempt_started', 0],
      ['head', 30],
      ['attempt_ended', 35],
      ['attempt_started', 35],
      ['head', 55],
      ['committed', 85],
      ['attempt_ended', 125],
      ['request_ended', 125],
    ]);
    expect(asked.ledger).toMatchObject({
      committed: 2,
      ended: { outcome: 'ok', servedBy: 'b/m', status: 200, component: null },
    });
    expect(asked.attempts).toMatchObject([
      {
        n: 1,
        route: 'a/m#default',
        endpoint: 'a.test:443',
        why: 'first in plan',
        status: 500,
        phase: 'preflight',
        charged: true,
      },
      { n: 2, route: 'b/m#default', why: 'failover after server_error', status: 200, phase: 'done' },
    ]);
    expect(bench.ended).toEqual([asked.ledger]);
  });

  it('an attempt is on record before its bytes go out', async () => {
    const seen: number[] = [];
    const facts: string[] = [];
    open({
      ports: ({ http, ledger }) => ({
        ledger: {
          append: (fact) => {
            facts.push(fact.type);
            ledger.append(fact);
          },
        },
        http: {
          ...http,
          send: (request, handler) => {
            seen.push(facts.filter((type) => type === 'attempt_started').length);
            return http.send(request, handler);
          },
        },
      }),
    }).play('a', fails(500));
    await bench.run();
    expect(seen).toEqual([1, 2]);
  });

  it('each choice keeps the plan that it saw', async () => {
    open().play('a', fails(429, {}, { headers: { 'retry-after': '30' } }));
    const asked = await bench.run();
    const states = asked.ledger.plans.map(({ attempt, plan }) => [
      attempt,
      ...plan.candidates.map(({ route, use }) => `${route.provider} ${use}`),
    ]);
    expect(states).toEqual([
      [null, 'a serve', 'b serve'],
      [2, 'b serve', 'a skip'],
    ]);
  });

  it.each([
    ['connecting', { connectMs: null }],
    ['sent', SILENCE],
    ['preflight', streams([': x\n\n'], { end: 'hang' })],
    ['streaming', streams([text('x')], { end: 'hang' })],
  ])('an attempt that ends while it is %s says so', async (phase, play) => {
    open().play('a', play);
    const asked = await bench.run({ client: { leaveMs: SECOND } });
    expect(asked.attempts[0]?.phase).toBe(phase);
  });

  it('a hold that an end caused stands with it', async () => {
    open().play('a', fails(429, {}, { headers: { 'retry-after': '30' } }));
    const asked = await bench.run();
    expect(asked.attempts[0]?.cooldownUntil).toBe(asked.at + 30 * SECOND);
    expect(asked.attempts[1]?.cooldownUntil).toBeNull();
  });

  it('targets that were left out are named once each, with why and until when', async () => {
    open({
      targets: [{ id: 'a', credentials: ['one', 'two'] }, 'b', { id: 'c', capabilities: { images: false } }, 'd'],
    });
    bench.play('a', fails(429, {}, { headers: { 'retry-after': '30' } }));
    bench.health.operate('disable', 'b/m#default', bench.clock.now());
    const image = {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }],
    };
    const first = await bench.run({ body: image });
    expect(first.outcomes).toEqual(['rate_limited', 'rate_limited', 'ok']);
    expect(first.ledger.ended?.skipped).toEqual([
      { target: 'b/m', outcome: 'skipped_disabled', until: null },
      { target: 'c/m', outcome: 'skipped_capability', until: null },
    ]);
    const second = await bench.run({ body: image });
    expect(second.ledger.ended?.skipped).toContainEqual({
      target: 'a/m',
      outcome: 'skipped_cooldown',
      until: first.at + 30 * SECOND,
    });
  });

  it('a request that nobody could serve is rejected, with the status that it got', async () => {
    open({ targets: ['a'] });
    bench.health.operate('disable', 'a/m#default', bench.clock.now());
    const asked = await bench.run();
    expect(asked.client.status).toBe(503);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'rejected', rejected: true, status: 503, servedBy: null });
    expect(asked.client.headers['x-should-retry']).toBe('false');
  });

  it('a request that the server refused is on record too', async () => {
    open();
    bench.engine.reject({
      id: 'req_x',
      receivedAt: bench.clock.now() - 5,
      protocol: 'openai-chat',
      model: 'nope',
      stream: false,
      key: null,
      clientRequestId: 'c1',
      status: 404,
      component: 'client',
      reason: 'model_not_found',
    });
    expect(bench.ended).toMatchObject([
      { id: 'req_x', attempts: [], ended: { outcome: 'rejected', status: 404, rejected: true } },
    ]);
  });

  it('a failed request is called by what decided its answer', async () => {
    open().play('a', fails(429));
    bench.play('b', fails(500));
    const asked = await bench.run();
    expect(asked.client.status).toBe(429);
    expect(asked.outcome).toBe('rate_limited');
  });

  it('a plan that is only looked at sends nothing and turns no wheel', async () => {
    open({ model: { strategy: 'round-robin' } });
    for (let n = 0; n < 5; n++) expect(bench.word('a')).toBe('ready');
    expect(bench.http.sends).toHaveLength(0);
    expect(await served(2)).toBe('ab');
  });
});

describe('rotation', () => {
  it('counts a selection when it is sent, so that bursts spread', async () => {
    open({ model: { strategy: 'round-robin' } });
    bench.play('a', says('x', { headMs: SECOND }));
    bench.play('b', says('x', { headMs: SECOND }));
    const asked: Asked[] = [];
    for (let n = 0; n < 6; n++) {
      asked.push(bench.ask());
      await bench.now();
    }
    expect(asked.map(({ attempts }) => attempts[0]?.target[0]).join('')).toBe('ababab');
  });

  it('a failed selection gives its turn back', async () => {
    open({
      targets: [
        { id: 'a', weight: 1 },
        { id: 'b', weight: 1 },
      ],
      model: { strategy: 'round-robin' },
    });
    bench.play('a', fails(400, { code: 'model_not_found' }, { status: 404 }), says('x'));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['model_not_found', 'ok']);
    await bench.pass(11 * 60 * SECOND);
    expect(await served(3)).toBe('aba');
  });

  it('a request that failed as a whole gives it back too', async () => {
    open({ model: { strategy: 'round-robin' } });
    bench.play('a', fails(400), says('x'));
    await bench.run();
    expect(await served(3)).toBe('aba');
  });

  it('a repeat of the same target keeps its turn', async () => {
    open({ model: { strategy: 'round-robin' }, settings: { retry: { sameTarget: 1 } } });
    bench.play('a', fails(500), says('x'));
    expect(await served(4)).toBe('abab');
  });

  it('so does the replay of a stale socket', async () => {
    open({ model: { strategy: 'round-robin' } });
    bench.play('a', { reused: true, status: null, end: 'reset' }, says('x'));
    expect(await served(4)).toBe('abab');
  });
});

describe('affinity', () => {
  const first = { headers: { 'x-session-id': 's1' } };

  it('a conversation stays on the route that answered it', async () => {
    open({ model: { affinity: true, strategy: 'round-robin' } });
    const one = await bench.run(first);
    const home = one.attempts[0]?.target;
    for (let n = 0; n < 3; n++) expect((await bench.run(first)).attempts[0]?.target).toBe(home);
  });

  it('moves with the answer, after a failover', async () => {
    open({ model: { affinity: true } }).play('a', fails(500), says('x'));
    await bench.run(first);
    expect((await bench.run(first)).attempts[0]?.target).toBe('b/m');
  });

  it('belongs to one key', async () => {
    open({ model: { affinity: true } }).play('a', fails(500), says('x'));
    await bench.run({ ...first, key: 'one' });
    expect((await bench.run({ ...first, key: 'two' })).attempts[0]?.target).toBe('a/m');
  });

  it('ends 30 minutes after the last use', async () => {
    open({ model: { affinity: true } }).play('a', fails(500), says('x'));
    await bench.run(first);
    await bench.pass(31 * 60 * SECOND);
    expect((await bench.run(first)).attempts[0]?.target).toBe('a/m');
  });
});

describe('credentials', () => {
  const pool = { id: 'a', credentials: ['one', 'two'] } as const;
  const keys = () => bench.http.sends.map(({ request }) => request.headers['authorization']);

  it('each is sent with its own key; a refused one is followed by its sibling', async () => {
    open({ targets: [pool, 'b'] }).play('a', fails(401), says('x'));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['auth', 'ok']);
    expect(keys()).toEqual(['Bearer key of a_one', 'Bearer key of a_two']);
  });

  it('a failure of the model skips the siblings', async () => {
    open({ targets: [pool, 'b'] }).play('a', fails(500));
    await bench.run();
    expect(keys()).toEqual(['Bearer key of a_one', 'Bearer key of b_default']);
  });
});
