import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { HEALTH, makeObservation } from '../../test/kit/health-fixtures.ts';
import { observe } from '../core/health/observe.ts';
import { operate } from '../core/health/operate.ts';
import { retainRoutes } from '../core/health/retain-routes.ts';
import { createHealthState, type HealthState } from '../core/health/state.ts';
import { listKeptRoutes, listSeenRoutes } from './list-routes.ts';
import { resolveModel } from './resolve.ts';

const textOf = ({ key = 'key-of-a-123456', pinned = 'any' } = {}) => `
store: { kind: memory }
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9/v1", apiKey: ${key}, pinned: ${pinned} }
models:
  main: { targets: [a/listed] }
`;
const config = configOf(textOf());
const routeOf = (name: string) => resolveModel(config, name)?.targets[0]?.routes[0] ?? expect.fail(name);
const ids = (routes: readonly { readonly id: string }[]) => routes.map(({ id }) => id);

/** Clients have named these: each answered well, in this order. */
function seen(
  names: readonly string[],
  first = retainRoutes(createHealthState(), listKeptRoutes(config, createHealthState())),
) {
  return names.reduce((state, name) => observe(state, makeObservation(routeOf(name), 1, 'success'), HEALTH), first);
}
const disabled = (state: HealthState, id: string) => operate(state, 'disable', id, 2) ?? expect.fail(id);
const reload = (state: HealthState, to = config) => retainRoutes(state, listKeptRoutes(to, state));

const [LISTED, NAMED] = [routeOf('a/listed').id, routeOf('a/named').id];

describe('the routes of which another configuration keeps what is known', () => {
  it('has what clients named themselves, and what an operator said of it', () => {
    const state = reload(reload(disabled(seen(['a/named', 'a/listed']), NAMED)));
    expect(ids(listSeenRoutes(config, state))).toEqual([LISTED, NAMED]);
    expect(state.scopes.route[NAMED]).toMatchObject({ disabledAt: 2, last: { at: 1 } });
  });

  it('has of a route with another key that an operator took it out of service, and nothing else', () => {
    const other = configOf(textOf({ key: 'key-of-a-654321' }));
    const state = reload(reload(disabled(seen(['a/named', 'a/told']), NAMED), other), other);
    expect(ids(listSeenRoutes(other, state))).toEqual([LISTED, NAMED]);
    expect(state.scopes.route[NAMED]).toMatchObject({ disabledAt: 2, last: null });
  });

  it('has nothing that nobody can name any more', () => {
    const state = reload(disabled(seen(['a/named', 'a/listed']), NAMED), configOf(textOf({ pinned: 'listed' })));
    expect(Object.keys(state.scopes.route)).toEqual([LISTED]);
  });

  it('does not grow with reloads, and lets go of the oldest, but not of an operator’s word', () => {
    const names = (round: number) => Array.from({ length: 256 }, (_, n) => `a/named-${round}-${n}`);
    let state = disabled(seen(['a/named']), NAMED);
    for (let round = 0; round < 4; round++) state = reload(seen(names(round), reload(state)));
    const kept = Object.keys(state.scopes.route);
    expect(kept).toHaveLength(256);
    expect(kept).toContain(NAMED);
    expect(kept).not.toContain(routeOf('a/named-3-0').id);
    expect(kept).toContain(routeOf('a/named-3-255').id);
  });
});
