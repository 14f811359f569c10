import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, delta, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says, streams, text } from '../../test/kit/plays.ts';
import type { Protocol } from '../core/model/protocol.ts';
import type { Probe, Probed } from './index.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

let count = 0;

function probe(change: Partial<Probe> = {}): { result: Probed | null } {
  const [target] = bench.model.targets;
  const [route] = target?.routes ?? [];
  if (target === undefined || route === undefined) throw new Error('the bench has no route');
  const { settings } = bench.callOf();
  const seen: { result: Probed | null } = { result: null };
  const given = { id: `probe_${++count}`, model: 'main', target, route, tokens: 16, limitMs: 60 * SECOND, settings };
  void bench.engine.probe({ ...given, ...change }).then((result) => {
    seen.result = result;
  });
  return seen;
}

const sentBody = (n = 0): unknown =>
  JSON.parse(new TextDecoder().decode(Buffer.concat(bench.http.sends[n]?.request.body ?? [])));

describe('a probe', () => {
  it('is a request like any other: sent once, observed, on record as what it is', async () => {
    open().play('a', says('OK'));
    const seen = probe();
    await bench.pass(SECOND);
    expect(seen.result).toMatchObject({
      hasOutput: true,
      record: { started: { kind: 'probe', model: 'main', key: null } },
    });
    expect(seen.result?.record?.attempts).toMatchObject([{ route: 'a/m#default', outcome: 'ok' }]);
    expect(bench.health.snapshot().scopes.route['a/m#default']?.provedAt).not.toBeNull();
    expect(sentBody()).toMatchObject({ model: 'm', stream: true, max_tokens: 16 });
    expect(bench.facts.map(({ type }) => type).filter((type) => type.startsWith('attempt'))).toEqual([
      'attempt_started',
      'attempt_ended',
    ]);
  });

  it.each<[Protocol, string, object]>([
    ['openai-chat', '/v1/chat/completions', { max_tokens: 16, stream: true }],
    ['openai-responses', '/v1/responses', { max_output_tokens: 16, stream: true, store: false }],
    ['anthropic-messages', '/v1/messages', { max_tokens: 16, stream: true }],
    ['gemini', '/v1/models/m:streamGenerateContent?alt=sse', { generationConfig: { maxOutputTokens: 16 } }],
  ])('in %s is as small as can be', async (protocol, path, body) => {
    open({ targets: [{ id: 'a', protocol }] }).play('a', fails(503));
    probe();
    await bench.pass(SECOND);
    expect(bench.http.sends[0]?.request.path).toBe(path);
    expect(sentBody()).toMatchObject(body);
    expect(JSON.stringify(sentBody()).length).toBeLessThan(250);
  });

  it('spells the limit as a model wants it', async () => {
    open({ targets: [{ id: 'a/gpt-5.6', model: 'gpt-5.6' }] }).play('a', says('OK'));
    probe();
    await bench.pass(SECOND);
    expect(sentBody()).toMatchObject({ max_completion_tokens: 16 });
  });

  it('is never repeated and goes nowhere else', async () => {
    open().play('a', fails(500));
    const seen = probe();
    await bench.pass(60 * SECOND);
    expect(bench.http.sends).toHaveLength(1);
    expect(seen.result?.record?.attempts).toMatchObject([{ outcome: 'server_error' }]);
    expect(bench.word('a')).toBe('half_open');
  });

  it('opens the circuit at once, and makes the trial when it is half-open', async () => {
    open().play('a', fails(500), says('back'));
    probe();
    await bench.pass(SECOND);
    expect(bench.word('a')).toBe('open');
    await bench.pass(10 * SECOND);
    const seen = probe();
    await bench.pass(SECOND);
    expect(seen.result?.record?.attempts).toMatchObject([{ trial: true, outcome: 'ok' }]);
    expect(bench.word('a')).toBe('ready');
  });

  it.each([
    ['an open circuit', fails(500), 5],
    ['a told hold', fails(429, {}, { headers: { 'content-type': 'application/json', 'retry-after': '30' } }), 29],
    ['a rejected key', fails(401), 200],
  ] as const)('sends nothing into %s', async (_name, play, seconds) => {
    open({ targets: ['a'] }).play('a', play, says('OK'));
    probe();
    await bench.pass(seconds * SECOND);
    const seen = probe();
    await bench.pass(SECOND / 2);
    expect(seen.result?.record?.attempts).toEqual([]);
    expect(bench.http.sends).toHaveLength(1);
  });

  it('has an end: what is silent for its limit is a timeout that counts, and no client waits for it', async () => {
    open().play('a', SILENCE);
    const seen = probe({ limitMs: 60 * SECOND });
    await bench.pass(59 * SECOND);
    expect(seen.result).toBeNull();
    await bench.pass(2 * SECOND);
    expect(seen.result?.record?.attempts).toMatchObject([{ outcome: 'timeout_headers' }]);
    expect(bench.word('a')).toBe('open');
  });

  it('can be stopped, and nobody is blamed', async () => {
    open().play('a', SILENCE);
    let stop = (): void => {};
    const seen = probe({ onStart: (given) => (stop = given) });
    await bench.pass(SECOND);
    stop();
    await bench.now();
    expect(seen.result?.record?.attempts).toMatchObject([{ outcome: 'client_closed' }]);
    expect(bench.word('a')).toBe('ready');
  });

  it('takes no turn of the wheel', async () => {
    open({ model: { strategy: 'round-robin' } }).play('a', says('OK'));
    bench.play('b', says('OK'));
    const before = (await bench.run()).attempts[0]?.target;
    probe();
    await bench.pass(SECOND);
    expect((await bench.run()).attempts[0]?.target).not.toBe(before);
  });

  it('an answer that its limit cut off has no output to show', async () => {
    open().play('a', streams([delta({ content: '' }, 'length'), DONE]));
    const seen = probe();
    await bench.pass(SECOND);
    expect(seen.result).toMatchObject({ hasOutput: false, record: { attempts: [{ outcome: 'ok_truncated' }] } });
    expect(bench.health.snapshot().scopes.route['a/m#default']?.provedAt ?? null).toBeNull();
  });
});

describe('a trial by a probe', () => {
  const halfOpen = async (): Promise<void> => {
    open().play('a', fails(500));
    probe();
    await bench.pass(11 * SECOND);
    expect(bench.word('a')).toBe('half_open');
  };
  const circuit = () => bench.health.snapshot().scopes.route['a/m#default']?.circuit.open;

  it('starts the ramp with its first output', async () => {
    await halfOpen();
    bench.play('a', streams([text('O'), { bytes: text('K'), ms: SECOND }, STOP, DONE]));
    probe();
    await bench.pass(SECOND / 2);
    expect(circuit()?.rung).toBe(1);
    await bench.pass(SECOND);
    expect(circuit()).toBeNull();
  });

  it('that says nothing leaves the circuit as it was, for the next', async () => {
    await halfOpen();
    bench.play('a', streams([delta({ content: '' }, 'length'), DONE]));
    probe();
    await bench.pass(SECOND);
    expect(circuit()).toMatchObject({ rung: 0, claims: [] });
  });
});

describe('a client beside a prober', () => {
  it('never makes the trial while another target serves', async () => {
    open({ engine: { isProbing: true } }).play('a', fails(500));
    for (let n = 0; n < 3; n++) await bench.run();
    await bench.pass(11 * SECOND);
    expect(bench.word('a')).toBe('half_open');
    bench.play('a', says('back'));
    expect((await bench.run()).attempts).toMatchObject([{ target: 'b/m', trial: false }]);
    probe();
    await bench.pass(SECOND);
    expect((await bench.run()).attempts).toMatchObject([{ target: 'a/m', trial: false }]);
  });
});
