import { expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { makeObservation } from '../../test/kit/health-fixtures.ts';
import { createMemoryHealthStore, type MemoryHealthStoreOptions } from '../adapter/store-memory/health-store.ts';
import { resolveModel } from '../config/resolve.ts';
import type { HealthState } from '../core/health/state.ts';
import type { HealthStore } from '../port/health-store.ts';
import { wireGateway } from './wire.ts';

const textOf = (listed: string) => `
store: { kind: memory }
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9/v1", apiKey: key-of-a-123456, pinned: any }
models:
  main: { targets: [a/${listed}] }
`;

function wire(first?: HealthState) {
  let health: HealthStore | undefined;
  const openHealth = (options: MemoryHealthStoreOptions): HealthStore => {
    health = createMemoryHealthStore({ ...options, ...(first === undefined ? {} : { first }) });
    return health;
  };
  const gateway = wireGateway(configOf(textOf('one')), { version: '0.0.0-test', log: { level: 'silent' }, openHealth });
  return { gateway, health: health ?? expect.fail('none was opened') };
}

it('knows after a reload and a restart what an operator said of a route that a client named', async () => {
  const { gateway, health } = wire();
  const route = resolveModel(gateway.config(), 'a/named')?.targets[0]?.routes[0] ?? expect.fail();
  health.observe(makeObservation(route, 1, 'success'));
  expect(health.operate('disable', route.id, 2)).toBe(true);
  gateway.swap(configOf(textOf('two')));
  expect(health.snapshot().scopes.route[route.id]).toMatchObject({ disabledAt: 2, last: { at: 1 } });
  expect(Object.keys(health.snapshot().known)).toEqual(['a/two#default', route.id]);
  await gateway.close();

  const { scopes } = health.snapshot();
  const again = wire({ known: {}, scopes });
  expect(again.health.snapshot().scopes.route[route.id]).toMatchObject({ disabledAt: 2, last: { at: 1 } });
  await again.gateway.close();
});
