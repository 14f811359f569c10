import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HealthStore } from '../../src/port/health-store.ts';
import { createFakeProvider, type FakeProvider } from '../kit/fake-provider.ts';
import { SPOKEN } from '../kit/wire-scripts.ts';
import { openEngineGateway } from './engine-gateway.ts';
import { type Counted, countConfig, FAILURE_ROWS, findMiscounts } from './failure-count.ts';
import { cleanUp, type RunningGateway, startGateway } from './gateway-process.ts';

/** All cases run at once, and each waits for timeouts. */
const PATIENCE_MS = 60_000;

const CASES = SPOKEN.flatMap((protocol) => FAILURE_ROWS.map((row) => ({ protocol, row })));

const providers: FakeProvider[] = [];
const close = (): Promise<unknown> => Promise.all(providers.splice(0).map((provider) => provider.close()));

/** Each case has a provider of its own: an endpoint that fails for one must not count for another. */
const open = (cases: typeof CASES): Promise<Counted[]> =>
  Promise.all(
    cases.map(async (each) => {
      const provider = await createFakeProvider();
      providers.push(provider);
      return { ...each, provider };
    }),
  );

describe('a failure counts once, and the circuit opens at exactly the one that must open it', () => {
  let cases: Counted[] = [];
  let gateway: RunningGateway;
  beforeAll(async () => {
    cases = await open(CASES);
    gateway = await startGateway(countConfig(cases));
  }, PATIENCE_MS);
  afterAll(async () => {
    cleanUp();
    await close();
  });

  it.concurrent.each(CASES.map(({ protocol, row }, index) => [protocol, row.name, index] as const))(
    '%s: %s',
    async (_protocol, _name, index) => {
      expect(await findMiscounts(gateway.url, cases[index] as Counted, index)).toEqual([]);
    },
    PATIENCE_MS,
  );
});

describe('the count itself', () => {
  afterEach(close);

  const watch = async (wrap?: (health: HealthStore) => HealthStore): Promise<string[][]> => {
    const cases = await open(CASES);
    const gateway = await openEngineGateway(countConfig(cases), wrap);
    const found = await Promise.all(cases.map((each, index) => findMiscounts(gateway.url, each, index)));
    await gateway.close();
    return found;
  };

  it('finds nothing where every end is told once', { timeout: PATIENCE_MS }, async () => {
    expect((await watch()).flat()).toEqual([]);
  });

  it.each<[string, (observe: HealthStore['observe']) => HealthStore['observe']]>([
    [
      'twice',
      (observe) => (seen) => {
        observe(seen);
        if (seen.kind === 'failure') observe(seen);
      },
    ],
    [
      'never',
      (observe) => (seen) => {
        if (seen.kind !== 'failure') observe(seen);
      },
    ],
  ])('finds every case where an end is told %s', { timeout: PATIENCE_MS }, async (_often, change) => {
    const found = await watch((health) => ({ ...health, observe: change((seen) => health.observe(seen)) }));
    expect(CASES.filter((_, index) => found[index]?.length === 0)).toEqual([]);
  });
});
