import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says } from '../../test/kit/plays.ts';
import type { Play } from '../simulate/world/network.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

describe('a half-open circuit', () => {
  const broken = async (options: BenchOptions = {}): Promise<void> => {
    open(options).play('a', fails(500));
    for (let n = 0; n < 3; n++) await bench.run();
    expect(bench.word('a')).toBe('open');
    await bench.pass(11 * SECOND);
    expect(bench.word('a')).toBe('half_open');
  };

  it('lets one request make the trial; the others go elsewhere', async () => {
    await broken();
    bench.play('a', says('back', { headMs: SECOND }));
    const [first, second] = [bench.ask(), bench.ask()];
    await bench.pass(2 * SECOND);
    expect(first.attempts).toMatchObject([{ target: 'a/m', trial: true, outcome: 'ok' }]);
    expect(second.attempts).toMatchObject([{ target: 'b/m', trial: false }]);
    expect(bench.word('a')).toBe('ready');
  });

  it.each<[string, { readonly play: Play; readonly leaveMs: number | null }]>([
    ['a client that leaves', { play: SILENCE, leaveMs: 100 }],
    ['a drain', { play: SILENCE, leaveMs: null }],
    ['a stale socket', { play: { reused: true, status: null, end: 'reset' }, leaveMs: null }],
    ['a crash', { play: { crash: new Error('x') }, leaveMs: null }],
    ['429', { play: fails(429), leaveMs: null }],
  ])('%s hands the slot on', async (name, { play, leaveMs }) => {
    await broken();
    bench.play('a', play, says('back'));
    const first = bench.ask({ client: { leaveMs } });
    await bench.now();
    if (name === 'a drain') bench.engine.abandonAll();
    await bench.pass(SECOND);
    expect(first.isDone).toBe(true);
    expect(first.attempts[0]).toMatchObject({ target: 'a/m', trial: true });
    expect(['half_open', 'ready', 'deferred']).toContain(bench.word('a'));
    if (name === '429') return;
    const second = await bench.run();
    expect(second.attempts[0]?.target).toBe('a/m');
  });

  it('a request that can not be written takes no slot with it', async () => {
    const { openaiChat } = await import('../protocol/openai-chat/index.ts');
    let isBroken = false;
    const codec: BenchOptions['codec'] = {
      ...openaiChat,
      encodeRequest(request, egress) {
        if (isBroken) throw new Error('cannot write');
        return openaiChat.encodeRequest(request, egress);
      },
    };
    await broken({ codec });
    isBroken = true;
    const first = await bench.run();
    expect(first.client.status).toBe(500);
    isBroken = false;
    bench.play('a', says('back'));
    expect((await bench.run()).attempts).toMatchObject([{ target: 'a/m', trial: true }]);
  });

  const claims = (answer: (granted: boolean | Promise<boolean>) => boolean | Promise<boolean>): BenchOptions => ({
    ports: ({ health }) => ({
      health: {
        snapshot: () => health.snapshot(),
        observe: (observation) => health.observe(observation),
        claimTrial: (route, now) => answer(health.claimTrial(route, now)),
      },
    }),
  });

  it('a claim that other instances grant is waited for', async () => {
    await broken(claims(async (granted) => await granted));
    bench.play('a', says('back'));
    expect((await bench.run()).attempts).toMatchObject([{ target: 'a/m', trial: true }]);
  });

  it('a claim that is refused means: elsewhere', async () => {
    await broken(claims(() => false));
    const asked = await bench.run();
    expect(asked.attempts).toMatchObject([{ target: 'b/m' }]);
    expect(asked.ledger.ended?.skipped).toMatchObject([{ target: 'a/m', outcome: 'skipped_circuit' }]);
  });

  it('a claim that does not come within 50 ms means: elsewhere; a late grant is handed on', async () => {
    let grant: (value: boolean) => void = () => {};
    let isLate = true;
    await broken(
      claims((granted) =>
        isLate
          ? new Promise((resolve) => {
              grant = () => resolve(granted);
            })
          : granted,
      ),
    );
    const first = bench.ask();
    await bench.pass(49);
    expect(first.attempts).toHaveLength(0);
    await bench.pass(1);
    expect(first.attempts).toMatchObject([{ target: 'b/m' }]);
    grant(true);
    await bench.now();
    isLate = false;
    bench.play('a', says('back'));
    expect((await bench.run()).attempts).toMatchObject([{ target: 'a/m', trial: true }]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('store is gone'))],
    [
      'throws',
      () => {
        throw new Error('store is gone');
      },
    ],
  ])('a claim that %s means: elsewhere', async (_, answer) => {
    await broken(claims(answer));
    expect((await bench.run()).attempts).toMatchObject([{ target: 'b/m' }]);
  });

  it('a client that leaves during the claim takes nothing with it', async () => {
    let isLate = true;
    await broken(claims((granted) => (isLate ? new Promise(() => {}) : granted)));
    const first = bench.ask();
    await bench.now();
    first.client.close();
    await bench.now();
    expect(first.isDone).toBe(true);
    expect(first.attempts).toEqual([]);
    isLate = false;
  });
});
