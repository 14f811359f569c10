import { describe, expect, it } from 'vitest';
import type { Behaviour, ProviderRow } from '../scenario/scenario.ts';
import { createChance } from '../world/chance.ts';
import { createProviders, type RouteView } from './index.ts';

const route = (text: string): RouteView => {
  const [, provider = '', model = '', credential = ''] = /^([^/]+)\/([^#]+)#(.+)$/.exec(text) ?? [];
  return { provider, model, credential };
};
const A = route('a/m#one');

const DOWN: Behaviour = { status: 503 };
const row = (change: Partial<ProviderRow> = {}): ProviderRow => ({
  fromMs: 0,
  untilMs: null,
  routes: 'a/*',
  does: DOWN,
  ...change,
});

const providersOf = (...rows: readonly ProviderRow[]) => createProviders(rows, createChance(5));

describe('createProviders', () => {
  it.each<[pattern: string, name: string, fits: boolean]>([
    ['a/m', 'a/m#one', true],
    ['a/m#two', 'a/m#one', false],
    ['a/m#t*', 'a/m#two', true],
    ['*', 'b/x/y#one', true],
    ['b/*', 'b/x/y#one', true],
    ['*#one', 'a/m#one', true],
    ['a/m', 'a/mm#one', false],
  ])('%s is for %s: %s', (routes, name, fits) => {
    expect(providersOf(row({ routes })).behave(route(name), 0)).toEqual(fits ? DOWN : {});
  });

  it('the first row that applies decides; without one the answer is good', () => {
    const slow: Behaviour = { headMs: 9 };
    const providers = providersOf(row({ fromMs: 10, untilMs: 20 }), row({ fromMs: 15, untilMs: 30, does: slow }));
    expect([9, 10, 19, 20, 29, 30].map((at) => providers.behave(A, at))).toEqual([{}, DOWN, DOWN, slow, slow, {}]);
  });

  it('flaps from its beginning on', () => {
    const providers = providersOf(row({ fromMs: 100, flap: { onMs: 10, offMs: 30 } }));
    expect([99, 100, 109, 110, 139, 140, 150].map((at) => providers.behave(A, at) === DOWN)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('counts sends of each route on its own', () => {
    const providers = providersOf(row({ sends: { from: 1, to: 3 } }));
    const seen = (name: string): boolean => providers.behave(route(name), 0) === DOWN;
    expect(Array.from({ length: 5 }, () => seen('a/m#one'))).toEqual([false, true, true, false, false]);
    expect([seen('a/m#two'), seen('a/m#two')]).toEqual([false, true]);
    const open = providersOf(row({ sends: { from: 1, to: null } }));
    expect(Array.from({ length: 3 }, () => open.behave(A, 0) === DOWN)).toEqual([false, true, true]);
  });

  it('a row that has not taken a send leaves it, uncounted, to nobody but those behind it', () => {
    const slow: Behaviour = { headMs: 9 };
    const providers = providersOf(row({ sends: { from: 0, to: 1 } }), row({ sends: { from: 0, to: 1 }, does: slow }));
    expect([0, 1, 2].map((at) => providers.behave(A, at))).toEqual([DOWN, slow, {}]);
  });

  it('takes a share, the same in every run', () => {
    const draw = (): string => {
      const providers = providersOf(row({ share: 0.3 }));
      return Array.from({ length: 400 }, () => (providers.behave(A, 0) === DOWN ? 'x' : '.')).join('');
    };
    const drawn = draw();
    expect(draw()).toBe(drawn);
    const share = drawn.replaceAll('.', '').length / drawn.length;
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.38);
  });

  it('a peek tells what one more send would have met at a moment, and changes nothing', () => {
    const providers = providersOf(row({ sends: { from: 0, to: 2 }, share: 0.5 }), row({ sends: { from: 1, to: 3 } }));
    const met = Array.from({ length: 8 }, (_, i) => {
      const peeked = providers.peek(A, 10 + i * 10);
      const again = providers.peek(A, 10 + i * 10);
      const behaved = providers.behave(A, 10 + i * 10);
      expect([peeked, again]).toEqual([behaved, behaved]);
      return behaved;
    });
    // One that came right before each send that was made.
    expect(met.map((_, i) => providers.peek(A, i * 10 + 9))).toEqual(met);
  });
});
