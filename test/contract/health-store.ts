import { describe, expect, it } from 'vitest';
import { availability } from '../../src/core/health/availability-of.ts';
import type { HealthSettings } from '../../src/core/health/settings.ts';
import type { HealthStore } from '../../src/port/health-store.ts';
import type { Telemetry } from '../../src/port/telemetry.ts';
import { FAILURES, MINUTE, makeObservation, makeRoute, SECOND, withBreaker } from '../kit/health-fixtures.ts';

export type HealthStoreOptions = {
  readonly settings: () => HealthSettings;
  readonly telemetry: Pick<Telemetry, 'healthChanged'>;
};

type Change = Parameters<Telemetry['healthChanged']>[0];

const A = makeRoute('p/a');
const B = makeRoute('p/b');
const SETTINGS = withBreaker({ failures: 1 });

/** What every `HealthStore` must do, however many processes stand behind it. */
export function healthStoreContract(
  name: string,
  createStore: (options: HealthStoreOptions) => HealthStore | Promise<HealthStore>,
): void {
  describe(`HealthStore: ${name}`, () => {
    const changes: Change[] = [];
    const create = async (settings: () => HealthSettings = () => SETTINGS): Promise<HealthStore> => {
      changes.length = 0;
      const store = await createStore({ settings, telemetry: { healthChanged: (change) => changes.push(change) } });
      store.retain([A, B]);
      return store;
    };
    const fail = (store: HealthStore, at = 0) =>
      store.observe(makeObservation(A, at, 'failure', { failure: FAILURES.serverError() }));
    const word = (store: HealthStore, now: number, route = A) => availability(store.snapshot(), route, now).state;

    it('what was observed is in the next snapshot, and never in an earlier one', async () => {
      const store = await create();
      const before = store.snapshot();
      fail(store);
      expect(word(store, 0)).toBe('open');
      expect(word(store, 0, B)).toBe('ready');
      expect(availability(before, A, 0).state).toBe('ready');
      await store.close();
    });

    it('a snapshot survives JSON', async () => {
      const store = await create();
      fail(store);
      store.observe(makeObservation(B, 1, 'failure', { failure: FAILURES.rateLimited(7 * SECOND) }));
      await store.claimTrial(A, 11 * SECOND);
      expect(JSON.parse(JSON.stringify(store.snapshot()))).toEqual(store.snapshot());
      await store.close();
    });

    it('a half-open circuit lets one of sixteen in, and the next when that hands its slot on', async () => {
      const store = await create();
      fail(store);
      const now = 10 * SECOND;
      const granted = await Promise.all(Array.from({ length: 16 }, async () => store.claimTrial(A, now)));
      expect(granted.filter(Boolean)).toHaveLength(1);
      store.observe(makeObservation(A, now + 1, 'released', { trial: true }));
      expect(await store.claimTrial(A, now + 2)).toBe(true);
      store.observe(makeObservation(A, now + 3, 'success', { trial: true, startedAt: now + 2 }));
      expect(word(store, now + 3)).toBe('ready');
      expect(await store.claimTrial(A, now + 4)).toBe(true);
      await store.close();
    });

    it('follows settings that change', async () => {
      let settings = withBreaker({ failures: 2 });
      const store = await create(() => settings);
      fail(store, 1);
      expect(word(store, 1)).toBe('ready');
      settings = withBreaker({ failures: 2, openMs: MINUTE });
      fail(store, 2);
      expect(availability(store.snapshot(), A, 2).until).toBe(2 + MINUTE);
      await store.close();
    });

    it('does what an operator says of ids that exist', async () => {
      const store = await create();
      fail(store);
      expect(store.operate('reset', A.id, 1)).toBe(true);
      expect(word(store, 1)).toBe('ready');
      expect(store.operate('disable', 'p/default', 2)).toBe(true);
      expect(word(store, 2, B)).toBe('disabled');
      expect(store.operate('enable', 'p/default', 3)).toBe(true);
      expect(word(store, 3, B)).toBe('ready');
      expect(store.operate('disable', 'p/none#default', 4)).toBe(false);
      await store.close();
    });

    it('drops what is gone, and starts afresh where an identity changed', async () => {
      const store = await create();
      fail(store);
      store.retain([A]);
      expect(word(store, 0)).toBe('open');
      const repaired = { ...A, identity: 'another key' };
      store.retain([repaired]);
      expect(word(store, 0, repaired)).toBe('ready');
      await store.close();
    });

    it('tells of each change of a state word, and of nothing else', async () => {
      const store = await create();
      fail(store);
      fail(store, 1);
      store.observe(makeObservation(B, 2, 'success'));
      await store.claimTrial(A, 10 * SECOND);
      store.observe(makeObservation(A, 11 * SECOND, 'success', { trial: true, startedAt: 10 * SECOND }));
      store.operate('disable', 'p.test:443', 12 * SECOND);
      expect(changes.map(({ scope, id, from, to }) => `${scope} ${id}: ${from} → ${to}`)).toEqual([
        'route p/a#default: ready → open',
        'route p/a#default: open → half_open',
        'route p/a#default: half_open → ready',
        'endpoint p.test:443: ready → disabled',
      ]);
      expect(changes[0]).toMatchObject({ until: 10 * SECOND, reason: 'made up' });
      await store.close();
    });
  });
}
