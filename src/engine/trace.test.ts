import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { completion, fails, says, tells } from '../../test/kit/plays.ts';
import type { Play } from '../simulate/world/network.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const PLACE = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'a=b' };
const STALE: Play = { reused: true, status: null, end: 'reset' };

let bench: EngineBench;
const open = (options: BenchOptions = {}, ratio: number | null = 1): EngineBench => {
  bench = createEngineBench({ ...options, ...(ratio === null ? {} : { ports: () => ({ sampling: { ratio } }) }) });
  return bench;
};
afterEach(() => bench.quiet());

const headerOf = (n: number): string | undefined => bench.http.sends[n]?.request.headers['traceparent'];

describe('where somebody traces', () => {
  it('each attempt is a span of its own, which its provider is told of', async () => {
    open().play('a', STALE, fails(429));
    const asked = await bench.run({ forward: { ...PLACE, 'openai-beta': 'x' } });
    expect(asked.outcomes).toEqual(['stale_socket', 'rate_limited', 'ok']);
    const { trace } = asked.ledger.started;
    expect(trace).toEqual({ traceId: TRACE, parentId: SPAN, spanId: trace?.spanId, isSampled: true });
    const spans = asked.attempts.map(({ span }) => span);
    expect(new Set([SPAN, trace?.spanId, ...spans]).size).toBe(5);
    expect([0, 1, 2].map(headerOf)).toEqual(spans.map((span) => `00-${TRACE}-${span}-01`));
    expect(bench.http.sends[2]?.request.headers).toMatchObject({ tracestate: 'a=b', 'openai-beta': 'x' });
  });

  it('ids are of its chance alone', async () => {
    const runs: unknown[] = [];
    for (const seed of [5, 5, 6]) {
      open({ seed }).play('a', fails(500), says('hello'));
      const { ledger, attempts } = await bench.run();
      runs.push([ledger.started.trace, attempts.map(({ span }) => span)]);
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).not.toEqual(runs[0]);
  });

  it('is told to providers also where it is not recorded', async () => {
    open({}, 0);
    const asked = await bench.run();
    expect(asked.ledger.started.trace?.isSampled).toBe(false);
    expect(headerOf(0)).toBe(`00-${asked.ledger.started.trace?.traceId}-${asked.attempts[0]?.span}-00`);
  });

  it.each<[string, { readonly stream: boolean; readonly play: Play }]>([
    ['of a stream', { stream: true, play: says('hello') }],
    ['of JSON', { stream: false, play: tells('hello') }],
    ['of JSON for a stream', { stream: true, play: tells('hello') }],
    ['of a stream for JSON', { stream: false, play: says('hello') }],
  ])('what the provider said of its answer is on record, %s', async (_name, { stream, play }) => {
    open().play('a', play);
    const { attempts } = await bench.run({ stream });
    expect(attempts[0]?.answer).toEqual({ finish: 'stop', model: 'm' });
  });

  it('a name that answers are to carry is not what the provider said', async () => {
    const settings = { responseModel: 'virtual' } as const;
    open({ settings }).play('a', tells('', { body: [completion('x', { model: 'm-2026' })] }));
    const asked = await bench.run({ stream: false });
    expect(asked.attempts[0]?.answer?.model).toBe('m-2026');
    expect(asked.client.text).toContain('"model":"main"');
  });

  it.each(['two words', 'x'.repeat(161), 'line\nbreak', 'secret-1234'])('%j is no name of a model', async (model) => {
    const clean = (text: string): string => text.replaceAll('secret-1234', '[secret]');
    bench = createEngineBench({ ports: () => ({ sampling: { ratio: 1 }, clean }) });
    bench.play('a', tells('', { body: [completion('x', { model })] }));
    const asked = await bench.run({ stream: false });
    expect(asked.attempts[0]?.answer).toEqual({ finish: 'stop', model: null });
  });

  it('a request that is refused has a place, too', () => {
    open();
    const rejection = {
      id: 'r',
      receivedAt: 0,
      protocol: 'openai-chat',
      model: 'x',
      stream: false,
      key: null,
    } as const;
    const why = { clientRequestId: null, status: 404, component: 'client', reason: 'x' } as const;
    bench.engine.reject({ ...rejection, ...why, forward: PLACE });
    expect(bench.ended[0]?.started.trace).toMatchObject({ traceId: TRACE, parentId: SPAN });
    bench.engine.reject({ ...rejection, ...why });
    expect(bench.ended[1]?.started.trace).toMatchObject({ parentId: null, isSampled: true });
  });
});

it('where nobody traces, nothing of it is on record, and chance is left alone', async () => {
  const draws = { count: 0 };
  bench = createEngineBench({
    ports: ({ random }) => ({
      random: {
        next() {
          draws.count += 1;
          return random.next();
        },
      },
    }),
  });
  bench.play('a', fails(500), says('hello'));
  const asked = await bench.run({ forward: PLACE });
  expect(asked.facts.filter((fact) => 'trace' in fact || 'span' in fact || 'answer' in fact)).toEqual([]);
  expect(bench.http.sends.map(({ request }) => request.headers['traceparent'])).toEqual([
    PLACE.traceparent,
    PLACE.traceparent,
  ]);
  // One for the request, one behind each attempt.
  expect(draws.count).toBe(1 + asked.attempts.length);
});
