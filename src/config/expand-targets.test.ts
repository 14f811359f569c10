import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  boolean,
  constantFrom,
  integer,
  nat,
  option,
  property,
  record,
  shuffledSubarray,
  tuple,
  uniqueArray,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../test/kit/assert-property.ts';
import { configOf } from '../../test/kit/config-text.ts';
import { listFences } from '../../test/kit/page.ts';
import type { Catalogue, CatalogueEntry } from '../core/catalogue/catalogue.ts';
import type { ListedModel } from '../core/catalogue/listed-model.ts';
import { expandTargets } from './expand-targets.ts';
import { resolveModel } from './resolve.ts';
import type { RuntimeConfig } from './runtime.ts';

const PROVIDERS = `
providers:
  nim1: { protocol: openai-chat, baseUrl: "https://nim.test/v1", apiKey: key-1 }
  nim2: { protocol: openai-chat, baseUrl: "https://nim.test/v1", credentials: [{ name: a, apiKey: key-2 }, { name: b, apiKey: key-3 }] }
  twin: { protocol: openai-chat, baseUrl: "https://nim.test/v1", apiKey: key-1 }
  router: { protocol: openai-chat, baseUrl: "https://router.test/v1", apiKey: key-4, discover: true, timeouts: { idle: 7s } }
  other: { protocol: openai-chat, baseUrl: "https://other.test/v1", apiKey: key-5 }
`;
const withTargets = (targets: string, more = ''): RuntimeConfig =>
  configOf(`${PROVIDERS}models:\n  main: { targets: [${targets}]${more} }\n`);

const model = (id: string, more: Partial<ListedModel> = {}): ListedModel => ({ id, price: 'unknown', ...more });
const listed = (...models: readonly (string | ListedModel)[]): CatalogueEntry => ({
  listing: { models: models.map((each) => (typeof each === 'string' ? model(each) : each)), leftOut: 0, at: 1 },
  error: null,
});
const FAILED: CatalogueEntry = { listing: null, error: 'auth' };
const of = (entries: Readonly<Record<string, CatalogueEntry>>): Catalogue => new Map(Object.entries(entries));
const mainOf = (config: RuntimeConfig) => {
  const main = config.models.get('main');
  if (main === undefined) throw new Error('no model');
  return main;
};
const idsOf = (config: RuntimeConfig, catalogue: Catalogue): readonly string[] =>
  mainOf(expandTargets(config, catalogue)).targets.map(({ id }) => id);

describe('targets out of lists', () => {
  it('stand where their selector stands, and are what configured ones are', () => {
    const config = withTargets(
      'other/first, { discover: { providers: [router] }, tier: 2, weight: 3, timeouts: { whole: 9s } }, other/last',
    );
    const { targets } = mainOf(expandTargets(config, of({ router: listed('a', 'b') })));
    expect(targets.map(({ id }) => id)).toEqual(['other/first', 'router/a', 'router/b', 'other/last']);
    const [first, a] = targets;
    expect(first?.catalogue).toBeUndefined();
    expect(a).toMatchObject({
      id: 'router/a',
      provider: 'router',
      model: 'a',
      protocol: 'openai-chat',
      tier: 2,
      weight: 3,
      catalogue: { isFree: false },
      settings: { timeouts: { idleMs: 7000, wholeMs: 9000 } },
    });
    expect(a?.routes).toMatchObject([{ id: 'router/a#default', endpoint: 'router.test:443', target: 'router/a' }]);
    expect(Object.keys(a ?? {}).sort()).toEqual([...Object.keys(first ?? {}), 'catalogue'].sort());
  });

  it('are those that match, the best pattern first', () => {
    const config = withTargets('{ discover: { providers: [router], match: ["x-*", "*free"] } }');
    expect(idsOf(config, of({ router: listed('a:free', 'b', 'x-2', 'x-1:free', 'c:free') }))).toEqual([
      'router/x-2',
      'router/x-1:free',
      'router/a:free',
      'router/c:free',
    ]);
  });

  it('are free where that is asked for; unknown is not free', () => {
    const models = [
      model('a', { price: 'free' }),
      model('b', { price: 'priced' }),
      model('c'),
      model('d', { price: 'free' }),
    ];
    const catalogue = of({ router: listed(...models) });
    expect(idsOf(withTargets('{ discover: { providers: [router], price: free } }'), catalogue)).toEqual([
      'router/a',
      'router/d',
    ]);
    const any = mainOf(expandTargets(withTargets('{ discover: { providers: [router] } }'), catalogue)).targets;
    expect(any.map((target) => target.catalogue?.isFree)).toEqual([true, false, false, true]);
  });

  it('can what is asked for, unless nobody says; what is configured stands above the list', () => {
    const catalogue = of({
      router: listed(
        model('can', { capabilities: { tools: true, images: false, contextWindow: 200_000 } }),
        model('cannot', { capabilities: { tools: false } }),
        model('silent'),
        model('narrow', { capabilities: { tools: true, contextWindow: 8000 } }),
        model('sees', { capabilities: { tools: true, images: true } }),
      ),
    });
    const idsWith = (selector: string) =>
      idsOf(withTargets(`{ discover: { providers: [router], ${selector} } }`), catalogue);
    expect(idsWith('capabilities: { tools: true }')).toEqual(
      ['can', 'silent', 'narrow', 'sees'].map((id) => `router/${id}`),
    );
    expect(idsWith('capabilities: { tools: true, contextWindow: 100000 }')).toEqual(
      ['can', 'silent', 'sees'].map((id) => `router/${id}`),
    );
    expect(idsWith('capabilities: { images: false }')).not.toContain('router/sees');
    const said = withTargets(
      '{ discover: { providers: [router], capabilities: { tools: true } }, capabilities: { tools: true, n: false } }',
    );
    const { targets } = mainOf(expandTargets(said, catalogue));
    expect(targets.map((target) => target.model)).toContain('cannot');
    expect(targets[0]?.capabilities).toMatchObject({ tools: true, images: false, contextWindow: 200_000, n: false });
  });

  it('are shared among endpoints, then among accounts, one after the other', () => {
    const four = listed('a', 'b', 'c', 'd');
    const config = withTargets('{ discover: { providers: [nim1, nim2, router], max: 6 } }');
    expect(idsOf(config, of({ nim1: four, nim2: four, router: four }))).toEqual([
      'nim1/a',
      'router/a',
      'nim2/a',
      'router/b',
      'nim1/b',
      'router/c',
    ]);
    // Two providers with one key are one account.
    const twins = withTargets('{ discover: { providers: [nim1, twin, nim2], max: 4 } }');
    expect(idsOf(twins, of({ nim1: four, twin: four, nim2: four }))).toEqual(['nim1/a', 'nim2/a', 'nim1/b', 'nim2/b']);
  });

  it('leave their turns to others where they have no more', () => {
    const config = withTargets('{ discover: { providers: [nim1, router], max: 4 } }');
    const catalogue = of({ nim1: listed('a', 'b', 'c', 'd', 'e'), router: listed('a') });
    expect(idsOf(config, catalogue)).toEqual(['nim1/a', 'router/a', 'nim1/b', 'nim1/c']);
  });

  it('are not those that the configuration, or an earlier selector, names', () => {
    const config = withTargets(
      '{ discover: { providers: [router], price: free }, tier: 0 }, router/b, { discover: { providers: [router] }, tier: 1 }',
    );
    const catalogue = of({ router: listed(model('a', { price: 'free' }), model('b', { price: 'free' }), model('c')) });
    const { targets } = mainOf(expandTargets(config, catalogue));
    expect(targets.map(({ id, tier }) => `${id} ${tier}`)).toEqual(['router/a 0', 'router/b 0', 'router/c 1']);
    expect(targets[1]?.catalogue).toBeUndefined();
  });

  it('are as many as attempts where a preset says so', () => {
    const strict = withTargets('{ discover: { providers: [router] } }, other/x', ', preset: strict');
    const three = of({ router: listed('a', 'b') });
    expect(mainOf(expandTargets(strict, three)).settings.retry.maxAttempts).toBe(3);
    expect(mainOf(expandTargets(strict, of({}))).settings.retry.maxAttempts).toBe(1);
    const told = withTargets('{ discover: { providers: [router] } }', ', preset: strict, retry: { maxAttempts: 5 }');
    expect(mainOf(expandTargets(told, three)).settings.retry.maxAttempts).toBe(5);
  });
});

describe('the sample of docs/catalogue.md', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'catalogue.md'), 'utf8');
  const [sample] = listFences(page).filter(({ lang }) => lang === 'yaml');
  const env = { OPENROUTER_API_KEY: 'made-up-1', NIM_KEY_TEAM: 'made-up-2', NIM_KEY_SPARE: 'made-up-3' };

  it('does what the page says: free ones first, then those of NIM, then the one that is paid for', () => {
    const free = (id: string, tools: boolean) => model(id, { price: 'free', capabilities: { tools } });
    const catalogue = of({
      router: listed(
        free('qwen/qwen3-coder:free', true),
        free('deepseek/deepseek-chat:free', true),
        free('deepseek/deepseek-r1:free', false),
        model('deepseek/deepseek-v3', { price: 'priced' }),
        free('meta/llama:free', true),
      ),
      nim: listed('deepseek-ai/deepseek-r1', 'meta/llama'),
    });
    const coder = expandTargets(configOf(sample?.text ?? '', { env }), catalogue).models.get('coder');
    expect(coder?.targets.map(({ id, tier, routes }) => `${id} ${tier} ${routes.length}`)).toEqual([
      'router/deepseek/deepseek-chat:free 0 1',
      'router/qwen/qwen3-coder:free 0 1',
      'nim/deepseek-ai/deepseek-r1 1 2',
      'router/deepseek/deepseek-v3 2 1',
    ]);
  });
});

describe('a model without a target', () => {
  const config = withTargets('{ discover: { providers: [router, nim1] } }');

  it('is awaited until every list has been read, or failed', () => {
    expect(mainOf(expandTargets(config, of({})))).toMatchObject({ targets: [], isAwaited: true });
    expect(mainOf(expandTargets(config, of({ router: FAILED })))).toMatchObject({ targets: [], isAwaited: true });
    const empty = expandTargets(config, of({ router: FAILED, nim1: listed() }));
    expect(mainOf(empty).targets).toEqual([]);
    expect(mainOf(empty).isAwaited).toBeUndefined();
    expect(mainOf(expandTargets(config, of({ nim1: listed('a') }))).isAwaited).toBeUndefined();
  });

  it('gets them when they come, and loses them when they go', () => {
    const before = expandTargets(config, of({}));
    const with2 = expandTargets(before, of({ router: listed('a'), nim1: FAILED }));
    expect(mainOf(with2)).toMatchObject({ targets: [{ id: 'router/a' }] });
    expect(mainOf(with2).isAwaited).toBeUndefined();
    expect(idsOf(with2, of({ router: listed('b'), nim1: FAILED }))).toEqual(['router/b']);
    expect(mainOf(config).targets).toEqual([]);
  });
});

describe('a listed model', () => {
  const config = configOf(`${PROVIDERS}
  shut: { protocol: openai-chat, baseUrl: "https://shut.test/v1", discover: true, pinned: off }
models: { main: { targets: [other/x, { discover: { providers: [nim1] } }] } }
`);
  const catalogue = of({
    router: listed(model('x/y', { capabilities: { tools: true } })),
    nim1: listed('a'),
    shut: listed('a'),
  });
  const expanded = expandTargets(config, catalogue);
  const targetOf = (name: string) => resolveModel(expanded, name)?.targets[0];

  it('can be named where its provider says so, or a model lists it', () => {
    expect(targetOf('router/x/y')).toMatchObject({ id: 'router/x/y', capabilities: { tools: true } });
    expect(targetOf('nim1/a')).toMatchObject({ id: 'nim1/a' });
    expect(targetOf('nim1/b')).toBeUndefined();
    expect(targetOf('router/z')).toBeUndefined();
    expect(targetOf('router/constructor')).toBeUndefined();
    expect(targetOf('shut/a')).toBeUndefined();
  });

  it('can not be named before it was listed, or when it is gone', () => {
    expect(resolveModel(config, 'router/x/y')).toBeUndefined();
    expect(resolveModel(expandTargets(expanded, of({})), 'router/x/y')).toBeUndefined();
  });
});

describe('whatever is listed', () => {
  const NAMES = ['nim1', 'nim2', 'twin', 'router', 'other'] as const;
  const arbitraryModel = record({
    id: constantFrom(...'abcdefgh'.split('').map((letter) => `${letter}-1`), 'deep/seek', 'x:free'),
    price: constantFrom('free' as const, 'priced' as const, 'unknown' as const),
  });
  const arbitraryList = uniqueArray(arbitraryModel, { selector: ({ id }) => id, maxLength: 8 });
  const arbitraryCatalogue = record(Object.fromEntries(NAMES.map((name) => [name, option(arbitraryList)])), {
    noNullPrototype: true,
  }).map((lists) =>
    of(
      Object.fromEntries(
        Object.entries(lists).map(([name, models]) => [name, models === null ? FAILED : listed(...models)]),
      ),
    ),
  );
  const arbitrarySelector = record({
    providers: shuffledSubarray([...NAMES], { minLength: 1 }),
    match: constantFrom('*', '?-1', '*-1', 'deep*'),
    price: constantFrom('free', 'any'),
    max: integer({ min: 1, max: 12 }),
  }).map(({ providers, ...rest }) => ({ providers, ...rest }));
  const arbitraryConfig = tuple(arbitrarySelector, option(arbitrarySelector), boolean()).map(([one, two, hasOwn]) => ({
    selectors: two === null ? [one] : [one, two],
    config: withTargets(
      [
        JSON.stringify({ discover: one }),
        ...(hasOwn ? ['router/a-1'] : []),
        ...(two === null ? [] : [JSON.stringify({ discover: two })]),
      ].join(', '),
    ),
  }));

  it('the caps are kept, nothing stands twice, and nobody is short while another has more', () => {
    assertProperty(
      property(arbitraryConfig, arbitraryCatalogue, ({ selectors, config }, catalogue) => {
        const { targets } = mainOf(expandTargets(config, catalogue));
        const ids = targets.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const out = targets.filter((target) => target.catalogue !== undefined);
        expect(out.length).toBeLessThanOrEqual(selectors.reduce((sum, { max }) => sum + max, 0));
        const [only, second] = selectors;
        if (only === undefined || second !== undefined) return;
        // Of one selector: an endpoint that was cut off has at most one less than any other.
        const counts = new Map<string, number>();
        for (const { routes } of out) {
          const endpoint = routes[0]?.endpoint ?? '';
          counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
        }
        const all = idsOf(
          withTargets(
            [
              JSON.stringify({ discover: { ...only, max: 1000 } }),
              ...ids.filter((id) => !out.some((t) => t.id === id)),
            ].join(', '),
          ),
          catalogue,
        );
        const cut = all.filter((id) => !ids.includes(id));
        const most = Math.max(0, ...counts.values());
        for (const id of cut) {
          const endpoint = config.providers.get(id.split('/')[0] ?? '')?.endpoint ?? '';
          expect(counts.get(endpoint) ?? 0, id).toBeGreaterThanOrEqual(most - 1);
        }
      }),
    );
  });

  it('the same lists give the same targets, whatever was there before', () => {
    assertProperty(
      property(arbitraryConfig, arbitraryCatalogue, arbitraryCatalogue, ({ config }, before, now) => {
        const direct = expandTargets(config, now);
        const again = expandTargets(expandTargets(config, before), now);
        expect(mainOf(again)).toEqual(mainOf(direct));
        expect(again.listed).toEqual(direct.listed);
      }),
    );
  });

  it('one more model moves nobody past another', () => {
    assertProperty(
      property(arbitraryCatalogue, nat(), (catalogue, place) => {
        const config = withTargets('{ discover: { providers: [nim1, nim2, router], max: 1000 } }');
        const models = [...(catalogue.get('router')?.listing?.models ?? [])];
        models.splice(place % (models.length + 1), 0, model('new'));
        const before = idsOf(config, catalogue).filter((id) => id.startsWith('router/'));
        const after = idsOf(config, new Map([...catalogue, ['router', listed(...models)]]));
        expect(after.filter((id) => id.startsWith('router/') && id !== 'router/new')).toEqual(before);
      }),
    );
  });
});
