import { describe, expect, it } from 'vitest';
import { drawScenario } from '../draw/index.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { loadWorldConfig } from '../world/world-config.ts';
import { partsLeft } from './cuts.ts';
import { shrinkScenario } from './index.ts';
import { plainerThan } from './numbers.ts';

const PLENTY = { maxRuns: 20_000 };

const row = (routes: string, does: Scenario['providers'][number]['does']): Scenario['providers'][number] => ({
  fromMs: 10,
  untilMs: 5000,
  routes,
  does,
});

const BASE: Scenario = {
  ...drawScenario(1),
  seed: 77,
  forMs: 123_456,
  providers: [
    row('a/*', { status: 503, retryAfterMs: 4321 }),
    row('b/m1', { words: 7, fault: { kind: 'stall', at: 'before_output' } }),
    row('*', { tools: 2, headMs: 330 }),
  ],
  accounts: [],
  acts: [{ atMs: 50, does: 'drain' }],
  stores: [{ port: 'claims', how: 'never', fromMs: 5, untilMs: 90 }],
};

const stallsAt = ({ providers }: Scenario): boolean => providers.some(({ does }) => does.fault?.kind === 'stall');

describe('shrinking', () => {
  it('keeps only the row that fails, and of it only what counts', async () => {
    const { scenario, isMinimal } = await shrinkScenario(BASE, stallsAt, PLENTY);
    expect(isMinimal).toBe(true);
    const { providers, asks, acts, stores, seed, forMs } = scenario;
    expect({ asks, acts, stores, seed, forMs }).toEqual({ asks: [], acts: [], stores: [], seed: 0, forMs: 0 });
    expect(providers).toEqual([
      { fromMs: 0, untilMs: null, routes: '*', does: { fault: { kind: 'stall', at: 'before_output' } } },
    ]);
  });

  it('keeps two rows that only fail together, and finds the smallest number that does', async () => {
    const fails = ({ providers, forMs }: Scenario): boolean =>
      forMs >= 3500 &&
      providers.some(({ does }) => does.tools !== undefined) &&
      providers.some(({ does }) => (does.retryAfterMs ?? 0) > 1000);
    const { scenario } = await shrinkScenario(BASE, fails, PLENTY);
    expect(scenario.providers).toHaveLength(2);
    expect(scenario.forMs).toBe(4000);
    expect(scenario.providers.map(({ does }) => does)).toEqual([{ retryAfterMs: 2000 }, { tools: 0 }]);
  });

  it('takes providers out with all that names them, so that what is left still loads', async () => {
    const seed = 4;
    const scenario = drawScenario(seed);
    let asked = 0;
    const shrunk = await shrinkScenario(
      scenario,
      ({ config, asks }) => {
        asked += 1;
        return loadWorldConfig(config ?? {}).ok && asks.length > 0;
      },
      { maxRuns: 3000 },
    );
    expect(shrunk.runs).toBe(asked);
    expect(shrunk.scenario.asks).toHaveLength(1);
    expect(shrunk.scenario.asks[0]).toMatchObject({ count: 0, perSecond: null, shape: {}, client: {} });
    const { config } = shrunk.scenario;
    expect(Object.keys(config ?? {})).toEqual(['providers', 'models']);
    expect(JSON.stringify(config).length).toBeLessThan(200);
  });

  it('leaves a status what it is, since no other means the same', async () => {
    const fails = ({ providers }: Scenario): boolean => providers.some(({ does }) => (does.status ?? 200) !== 200);
    const { scenario } = await shrinkScenario(BASE, fails, PLENTY);
    expect(scenario.providers.map(({ does }) => does)).toEqual([{ status: 500 }]);
    const isPlain = ({ providers }: Scenario): boolean => providers.some(({ does }) => does.status === 503);
    expect((await shrinkScenario(BASE, isPlain, PLENTY)).scenario.providers[0]?.does).toEqual({ status: 503 });
    const isOdd = ({ providers }: Scenario): boolean => providers.some(({ does }) => (does.status ?? 0) > 500);
    expect((await shrinkScenario(BASE, isOdd, PLENTY)).scenario.providers[0]?.does).toEqual({ status: 503 });
  });

  it('stops where it is told to, with what it has', async () => {
    const { scenario, runs, isMinimal } = await shrinkScenario(BASE, stallsAt, { maxRuns: 5 });
    expect([runs, isMinimal]).toEqual([5, false]);
    expect(stallsAt(scenario)).toBe(true);
    expect(JSON.stringify(scenario).length).toBeLessThan(JSON.stringify(BASE).length);
  });

  it('is the same each time', async () => {
    const once = await shrinkScenario(BASE, stallsAt, PLENTY);
    expect(await shrinkScenario(BASE, stallsAt, PLENTY)).toEqual(once);
  });

  it('gives back what it can make no smaller', async () => {
    const { scenario } = await shrinkScenario(BASE, () => false, PLENTY);
    expect(scenario).toBe(BASE);
  });
});

describe('the pieces', () => {
  it('go from all of a list to single ones', () => {
    expect([...partsLeft([1, 2, 3])]).toEqual([[], [3], [1, 2], [2, 3], [1, 3], [1, 2]]);
    expect([...partsLeft([])]).toEqual([]);
  });

  it.each([
    [0, []],
    [1, [0]],
    [57, [0, 1, 2, 10, 100, 50]],
    [0.25, [0]],
    ['250ms', ['1ms', '100ms', '1s']],
    ['1s', ['1ms', '100ms']],
    ['a', []],
    [true, [false]],
    [false, []],
  ])('plainer than %s', (value, first) => {
    const plainer = plainerThan(value);
    expect(plainer.slice(0, first.length)).toEqual(first);
    expect(plainer).not.toContain(value);
  });

  it('get plainer up to an end', () => {
    for (let start = 0.05; start < 1e7; start *= 1.7) {
      let steps = 0;
      for (let value: unknown = start; steps < 200; steps += 1) {
        const next = plainerThan(value).at(-1);
        if (next === undefined) break;
        value = next;
      }
      expect(steps).toBeLessThan(100);
    }
  });
});
