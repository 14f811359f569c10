import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says, streams, tells, text } from '../../test/kit/plays.ts';
import { openaiChat } from '../protocol/openai-chat/index.ts';
import type { ProtocolCodec, StreamDecoder } from '../protocol/types.ts';
import type { EnginePorts } from './index.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

const boom = (): never => {
  throw new Error('broken, with key of a_default in it');
};

type Served = Awaited<ReturnType<EngineBench['run']>>;

/** What the client was told and what stands on record; no secret is in either. */
function told({ client, error, ledger }: Served) {
  const texts = `${client.text} ${JSON.stringify(bench.notices)}`;
  const [noted] = bench.notices.slice(-1);
  return {
    status: client.status,
    code: error?.code,
    component: error?.understudy.component,
    ended: ledger.ended?.outcome,
    reason: ledger.ended?.reason,
    isNoted: noted?.message === 'request failed inside the gateway: Error',
    hasSecret: texts.includes('key of') || texts.includes('broken'),
    ends: bench.ended.length,
  };
}

const CRASHED = {
  status: 500,
  code: 'internal_error',
  component: 'gateway',
  ended: 'server_error',
  reason: 'internal_error',
  isNoted: true,
  hasSecret: false,
  ends: 1,
};

describe('a port that only has to be told something', () => {
  const ports: [string, (real: EnginePorts) => Partial<EnginePorts>][] = [
    ['ledger.append', () => ({ ledger: { append: boom } })],
    [
      'health.observe',
      ({ health }) => ({ health: { snapshot: () => health.snapshot(), claimTrial: () => true, observe: boom } }),
    ],
    ['telemetry.attemptEnded', ({ telemetry }) => ({ telemetry: { ...telemetry, attemptEnded: boom } })],
    ['telemetry.requestEnded', ({ telemetry }) => ({ telemetry: { ...telemetry, requestEnded: boom } })],
    ['telemetry.notice', ({ telemetry }) => ({ telemetry: { ...telemetry, notice: boom }, ledger: { append: boom } })],
  ];
  it.each(ports)('%s may be broken: the client has its answer', async (_, change) => {
    open({ ports: change }).play('a', fails(500));
    const asked = await bench.run();
    expect(asked.client.text).toContain('hello');
    expect(asked.client.ending).toBe('end');
    expect(asked.error).toBeNull();
    expect(JSON.stringify(bench.notices)).not.toContain('key of');
  });

  it('the operator is told of it', async () => {
    open({ ports: () => ({ ledger: { append: boom } }) });
    await bench.run();
    expect(bench.notices[0]).toMatchObject({
      level: 'error',
      message: 'the ledger failed: Error',
    });
  });
});

describe('a crash', () => {
  it('of http.send', async () => {
    open().play('a', { crash: new Error('broken') });
    const asked = await bench.run();
    expect(told(asked)).toEqual(CRASHED);
    expect(asked.outcomes).toEqual(['abandoned']);
    expect(bench.word('a')).toBe('ready');
  });

  it('of the failure rows', async () => {
    open({ ports: () => ({ failureRows: boom }) }).play('a', fails(500));
    expect(told(await bench.run())).toEqual(CRASHED);
  });

  it('of health.snapshot, before anything is planned', async () => {
    open({
      ports: ({ health }) => ({
        health: { observe: (seen) => health.observe(seen), claimTrial: () => true, snapshot: boom },
      }),
    });
    const asked = await bench.run();
    expect(told(asked)).toEqual(CRASHED);
    expect(asked.attempts).toEqual([]);
  });

  const codecs: [string, Partial<ProtocolCodec>, string][] = [
    ['encodeRequest', { encodeRequest: boom }, 'stream'],
    ['authHeaders', { authHeaders: boom }, 'stream'],
    ['createStreamDecoder', { createStreamDecoder: boom }, 'stream'],
    ['decodeResponse', { decodeResponse: boom }, 'json'],
    ['responseFromStream', { responseFromStream: boom }, 'stream for json'],
    ['streamFromResponse', { streamFromResponse: boom }, 'json for stream'],
    ['decodeError', { decodeError: boom }, 'error'],
  ];
  it.each(codecs)('of the codec: %s', async (_, change, kind) => {
    open({ codec: { ...openaiChat, ...change } });
    bench.play('a', kind === 'error' ? fails(500) : kind.startsWith('json') ? tells('x') : says('x'));
    expect(told(await bench.run({ stream: !kind.endsWith('json') }))).toEqual(CRASHED);
  });

  const decoders: [string, (real: StreamDecoder) => Partial<StreamDecoder>][] = [
    ['push', () => ({ push: boom })],
    ['end', () => ({ end: boom })],
    ['usage', () => ({ usage: boom })],
  ];
  it.each(decoders)('of the decoder: %s', async (_, change) => {
    const codec: ProtocolCodec = {
      ...openaiChat,
      createStreamDecoder(options) {
        const real = openaiChat.createStreamDecoder(options);
        return {
          relax: () => real.relax(),
          push: (chunk, onFrame) => real.push(chunk, onFrame),
          end: (clean) => real.end(clean),
          usage: () => real.usage(),
          heldBytes: 0,
          ...change(real),
        };
      },
    };
    open({ codec }).play('a', streams([': x\n\n']));
    expect(told(await bench.run())).toEqual(CRASHED);
  });

  it('of a clock that closes a stream', async () => {
    const codec: ProtocolCodec = {
      ...openaiChat,
      createStreamDecoder: (options) => Object.assign(openaiChat.createStreamDecoder(options), { end: boom }),
    };
    open({ codec }).play('a', streams([text('one'), STOP], { end: 'hang' }));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.error).toMatchObject({ code: 'stream_interrupted', understudy: { component: 'gateway' } });
    expect(bench.http.sends[0]?.abortedAt).not.toBeNull();
  });

  it('behind output is told in the stream', async () => {
    let pushes = 0;
    const codec: ProtocolCodec = {
      ...openaiChat,
      createStreamDecoder(options) {
        const real = openaiChat.createStreamDecoder(options);
        return Object.assign(Object.create(real), {
          relax: () => real.relax(),
          push: (...args: Parameters<StreamDecoder['push']>) => (++pushes > 1 ? boom() : real.push(...args)),
          end: boom,
          usage: () => real.usage(),
        }) as StreamDecoder;
      },
    };
    open({ codec }).play('a', streams([text('one'), { bytes: text('two'), ms: SECOND }]));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.error).toMatchObject({ code: 'stream_interrupted', understudy: { component: 'gateway' } });
    expect(asked.client.text).not.toContain('[DONE]');
  });

  it('of the error itself: the connection is cut, the record has its end', async () => {
    open({ codec: { ...openaiChat, encodeError: boom } }).play('a', fails(500));
    bench.play('b', fails(500));
    const asked = await bench.run();
    expect(asked.client.ending).toBe('destroy');
    expect(asked.outcome).toBe('server_error');
  });

  it.each([1, 2, 3, 4])('of the client side, at its call %i', async (crashAt) => {
    open().play('a', streams([text('one'), { bytes: text('two'), ms: 1 }, STOP]));
    const asked = await bench.run({ client: { crashAt } });
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.outcome).toBe('interrupted');
    expect(bench.http.open()).toBe(0);
  });

  it('of the client side, in a keep-alive that a timer sends', async () => {
    open({ settings: { keepalive: { afterMs: SECOND, everyMs: SECOND } } }).play('a', SILENCE);
    const asked = await bench.run({ client: { crashAt: 3 } });
    expect(asked.outcomes).toEqual(['abandoned']);
    expect(asked.outcome).toBe('server_error');
    expect(bench.http.sends[0]?.abortedAt).toBe(asked.at + 2 * SECOND);
  });

  it('while it waits for a repeat', async () => {
    open({ targets: ['a'], seed: 5, settings: { keepalive: { afterMs: 1, everyMs: 1 } } }).play('a', fails(500));
    const asked = await bench.run({ client: { crashAt: 2 } });
    expect(asked.outcome).toBe('server_error');
    expect(bench.http.sends).toHaveLength(1);
  });

  it('of one request leaves the others alone', async () => {
    open().play('a', { crash: new Error('broken') }, says('x'));
    const [first, second] = [bench.ask(), bench.ask()];
    await bench.pass(SECOND);
    expect([first.outcome, second.outcome]).toEqual(['server_error', 'ok']);
  });

  it('gives back its place and its turn', async () => {
    open({ model: { strategy: 'round-robin' }, limits: { a: { concurrency: 1, queueMs: 0 } } });
    bench.play('a', { crash: new Error('broken') }, says('x'));
    await bench.run();
    const asked = await bench.run();
    expect(asked.attempts).toMatchObject([{ target: 'a/m', outcome: 'ok' }]);
  });
});
