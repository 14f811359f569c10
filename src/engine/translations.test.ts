import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { words } from '../../test/kit/large-request.ts';
import { STOP, said, start, stop } from '../../test/kit/messages-stream.ts';
import { says } from '../../test/kit/plays.ts';
import type { Clock } from '../port/clock.ts';
import type { PooledRequest, Translated, TranslationPool, TranslationTrouble } from '../port/translation-pool.ts';
import { messagesCount } from '../protocol/anthropic-messages/index.ts';
import { concatBytes, decodeUtf8 } from '../protocol/json/index.ts';
import { openaiResponses } from '../protocol/openai-responses/index.ts';
import type { Play } from '../simulate/world/network.ts';
import { createTranslationsHere } from './translate-here.ts';
import { MAX_HERE } from './translations.ts';

// Requests that are too large to be translated on the spot.

const TAKES_MS = 40;

type What = 'lacks' | 'write' | 'estimate';

type Slow = {
  /** What was asked of the pool, in order. */
  readonly asks: What[];
  readonly closed: number;
  /** What becomes of asks from now on; null: they are answered. */
  trouble: { readonly of: What; readonly word: TranslationTrouble } | null;
};

/** A pool whose answers take their time, in virtual time. */
function createSlowPool(clock: Clock): { readonly pool: TranslationPool; readonly slow: Slow } {
  const here = createTranslationsHere();
  const slow = { asks: [] as What[], closed: 0, trouble: null as Slow['trouble'] };
  const later = async <T>(what: What, ask: () => Promise<Translated<T>>): Promise<Translated<T>> => {
    slow.asks.push(what);
    await new Promise<void>((resolve) => void clock.setTimer(TAKES_MS, resolve));
    const { trouble } = slow;
    if (trouble?.of !== what) return await ask();
    return { ok: false, trouble: trouble.word, fault: { name: 'Error', code: 'ERR_MADE_UP', at: '' } };
  };
  const open = (pooled: PooledRequest): PooledRequest => ({
    findLacks: (to) => later('lacks', () => pooled.findLacks(to)),
    write: (to, egress) => later('write', () => pooled.write(to, egress)),
    estimate: () => later('estimate', () => pooled.estimate()),
    get heldBytes() {
      return pooled.heldBytes;
    },
    close() {
      slow.closed += 1;
      pooled.close();
    },
  });
  return { pool: { open: (request) => open(here.open(request)), close: () => here.close() }, slow };
}

let bench: EngineBench;
let slow: Slow;
afterEach(() => bench.quiet());

const foreign = (id: string) => ({ id, protocol: 'anthropic-messages' as const });

function open(targets: BenchOptions['targets'], options: BenchOptions = {}): EngineBench {
  bench = createEngineBench({
    ...options,
    ...(targets === undefined ? {} : { targets }),
    ports({ clock }) {
      const made = createSlowPool(clock);
      slow = made.slow;
      return { translation: made.pool };
    },
  });
  return bench;
}

const answers = (text: string): Play => ({ body: [start() + said(text), stop() + STOP] });
const large = (more: object = {}) => ({
  body: { messages: [{ role: 'user', content: words(MAX_HERE) }], ...more },
});
const sent = (n: number): string => decodeUtf8(concatBytes(bench.http.sends[n]?.request.body ?? []));

describe('a large request', () => {
  it('on a target of another protocol is read before it is planned, written before it is sent, and answered', async () => {
    open([foreign('a')]).play('a', answers('Hello'));
    const asked = await bench.run(large({ seed: 7 }));
    expect(slow.asks).toEqual(['lacks', 'write']);
    expect(bench.http.sends[0]?.at).toBe(asked.at + 2 * TAKES_MS);
    expect(JSON.parse(sent(0))).toMatchObject({ model: 'm', messages: [{ role: 'user' }] });
    expect(asked.data.join('')).toContain('Hello');
    expect(asked.data.at(-1)).toBe('[DONE]');
    expect(asked.client.headers).toMatchObject({ 'x-understudy-dropped': 'seed', 'x-understudy-target': 'a/m' });
    expect(asked.outcomes).toEqual(['ok']);
    expect(slow.closed).toBe(1);
  });

  it('is left out by a target that lacks words for it, as a small one is', async () => {
    open([foreign('a'), 'b']);
    const asked = await bench.run(large({ n: 2 }));
    expect(asked.attempts.map(({ target }) => target)).toEqual(['b/m']);
    const { plan } = asked.ledger.started;
    expect(plan?.candidates.find(({ target }) => target.id === 'a/m')).toMatchObject({
      skip: 'skipped_capability',
      lacks: ['translation'],
    });
  });

  it('is handed to nobody where all targets speak the client’s protocol, nor is a small one anywhere', async () => {
    open(['a', foreign('b')]).play('b', answers('B'));
    await bench.run();
    expect(slow.asks).toEqual([]);
    open(['a', 'b']).play('a', { status: 503 });
    const asked = await bench.run(large());
    expect(bench.http.sends[0]?.at).toBe(asked.at);
    expect(slow.asks).toEqual([]);
  });

  it('counts with its trees until the commit', async () => {
    open([foreign('a')]).play('a', { body: [start() + said('A'), { bytes: stop() + STOP, ms: 1000 }], headMs: 10 });
    const asked = bench.ask(large());
    const body = bench.engine.buffered();
    await bench.pass(TAKES_MS);
    expect(bench.engine.buffered()).toBeGreaterThan(4 * body);
    await bench.pass(TAKES_MS + 10);
    expect([asked.isDone, slow.closed]).toEqual([false, 1]);
    expect(bench.engine.buffered()).toBeLessThan(body);
  });

  it('turns the wheels as a small one does: by what is known once it was read', async () => {
    const turns = async (ask: object): Promise<unknown[]> => {
      open([foreign('a'), 'b', 'c'], { model: { strategy: 'round-robin' } });
      const served: unknown[] = [];
      for (let n = 0; n < 6; n++) served.push((await bench.run(ask)).attempts[0]?.target);
      return served;
    };
    expect(await turns(large({ n: 2 }))).toEqual(await turns({ body: { n: 2 } }));
  });

  it('takes one turn of the wheel', async () => {
    open([foreign('a'), foreign('b')], { model: { strategy: 'round-robin' } });
    bench.playEach(() => answers('x'));
    const served: (string | undefined)[] = [];
    for (let n = 0; n < 4; n++) served.push((await bench.run(large())).attempts[0]?.target);
    expect(served).toEqual(['a/m', 'b/m', 'a/m', 'b/m']);
  });

  it('is written anew for each attempt', async () => {
    open([foreign('a'), foreign('b')]).play('a', { status: 503 });
    bench.play('b', answers('B'));
    const asked = await bench.run(large());
    expect(asked.outcomes).toEqual(['server_error', 'ok']);
    expect(slow.asks).toEqual(['lacks', 'write', 'write']);
  });
});

describe('while a large request is read or written', () => {
  for (const [what, ms] of [
    ['read', 10],
    ['written', TAKES_MS + 10],
  ] as const) {
    it(`its client may leave (${what})`, async () => {
      open([foreign('a')]);
      const asked = bench.ask(large());
      await bench.pass(ms);
      asked.client.close();
      await bench.now();
      expect([asked.isDone, asked.outcome]).toEqual([true, 'client_closed']);
      expect([bench.engine.buffered(), slow.closed, bench.http.sends.length]).toEqual([0, 1, 0]);
    });

    it(`its time may run out (${what})`, async () => {
      open([foreign('a')]);
      const asked = bench.ask({ ...large(), timeoutMs: ms });
      await bench.pass(ms);
      expect(asked.outcome).toBe('timeout_total');
      expect(asked.client.status).toBe(504);
      expect(asked.error?.understudy).toMatchObject({ component: 'deadline', reason: 'timeout_total' });
      expect(bench.http.sends).toEqual([]);
    });

    it(`the gateway may go down (${what})`, async () => {
      open([foreign('a')]);
      const asked = bench.ask(large());
      await bench.pass(ms);
      bench.engine.abandonAll();
      await bench.now();
      expect(asked.outcome).toBe('abandoned');
      expect(bench.http.sends).toEqual([]);
    });
  }
});

describe('a large request that the pool is of no help for', () => {
  for (const of of ['lacks', 'write'] as const) {
    it(`is told that the gateway is too busy, and may come again (${of})`, async () => {
      open([foreign('a')]);
      slow.trouble = { of, word: 'busy' };
      const asked = await bench.run(large());
      expect(asked.client.status).toBe(503);
      expect(asked.error?.code).toBe('gateway_overloaded');
      expect(asked.error?.message).toContain('too many large requests wait');
      expect(asked.error?.understudy).toMatchObject({ component: 'gateway', reason: 'untranslated' });
      expect(asked.client.headers).toMatchObject({ 'retry-after': '1' });
      expect(asked.ledger.ended?.skipped).toMatchObject([{ target: 'a/m', outcome: 'skipped_busy' }]);
      expect([asked.attempts, bench.notices]).toEqual([[], []]);
    });

    it(`is served by who speaks its protocol, and the operator hears of a dead thread (${of})`, async () => {
      open([foreign('a'), 'b'], { settings: { translate: 'in-order' } }).play('b', says('B'));
      slow.trouble = { of, word: 'died' };
      const asked = await bench.run(large());
      expect(asked.outcomes).toEqual(['ok']);
      expect(asked.attempts[0]?.target).toBe('b/m');
      expect(bench.notices).toContainEqual({
        level: 'error',
        message: expect.stringMatching(/^the thread that translates .*: Error ERR_MADE_UP$/),
      });
    });
  }

  it('is told what failed, where others were tried first', async () => {
    open(['a', foreign('b')]).play('a', { status: 500 });
    slow.trouble = { of: 'write', word: 'failed' };
    const asked = await bench.run(large());
    expect(asked.error?.code).toBe('upstream_error');
    expect(asked.ledger.ended?.skipped).toMatchObject([{ target: 'b/m', outcome: 'skipped_busy' }]);
  });

  it('asks the pool no second time', async () => {
    open([foreign('a'), foreign('b')]);
    slow.trouble = { of: 'write', word: 'died' };
    await bench.run(large());
    expect(slow.asks).toEqual(['lacks', 'write']);
  });
});

describe('counting the tokens of a large request', () => {
  const ask = { stream: false, ...large({ max_tokens: 1 }) };

  it('is done in the pool where no provider counts', async () => {
    open(['a'], { codec: messagesCount });
    const asked = await bench.run(ask);
    expect(slow.asks).toEqual(['estimate']);
    expect(asked.client.headers).toMatchObject({ 'x-understudy-estimated': 'true' });
    expect(JSON.parse(asked.client.text).input_tokens).toBeGreaterThan(MAX_HERE / 8);
    expect(asked.outcome).toBe('ok');
  });

  it('takes the length for it where the pool is of no help', async () => {
    open(['a'], { codec: messagesCount });
    slow.trouble = { of: 'estimate', word: 'busy' };
    const { client } = await bench.run(ask);
    expect(JSON.parse(client.text).input_tokens).toBeGreaterThan(MAX_HERE / 3);
  });

  it('ends with its client', async () => {
    open(['a'], { codec: messagesCount });
    const asked = bench.ask(ask);
    await bench.pass(10);
    asked.client.close();
    await bench.now();
    expect([asked.isDone, asked.outcome]).toEqual([true, 'client_closed']);
  });
});

it('a conversation that is rebuilt counts by what it becomes: a small turn on a large one is read in the pool', async () => {
  open(['a'], { codec: openaiResponses, engine: { responses: { isOn: true, maxBytes: 1 << 22, keepMs: 60_000 } } });
  bench.playEach(() => says('Hello'));
  const first = await bench.run({ body: { input: words(MAX_HERE) }, stream: true });
  const [, id] = /"id":"(resp_\w+)"/.exec(first.data.join('')) ?? [];
  expect(slow.asks).toEqual(['lacks', 'write']);
  const second = await bench.run({ body: { input: 'And now?', previous_response_id: id } });
  expect(second.outcome).toBe('ok');
  expect(slow.asks).toEqual(['lacks', 'write', 'lacks', 'write']);
  expect(JSON.parse(sent(1)).messages).toHaveLength(3);
  expect(slow.closed).toBe(2);
});
