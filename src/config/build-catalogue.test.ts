import { describe, expect, it } from 'vitest';
import { complaintOf, configOf } from '../../test/kit/config-text.ts';

const PROVIDERS = `
providers:
  nim: { preset: nvidia-nim, apiKey: k1 }
  router: { preset: openrouter, apiKey: k2, discover: true }
  shut: { preset: groq, apiKey: k3, discover: false }
`;
/** A configuration whose model \`main\` has this in line 8, and the complaint about it. */
const inTarget = (target: string): string =>
  complaintOf(`${PROVIDERS}models:\n  main: { targets: [nim/a, ${target}] }\n`);

describe('what is wrong with a selector is told with path, line, column and hint', () => {
  const table: readonly (readonly [what: string, target: string, wanted: string])[] = [
    [
      'unknown provider that is close to a known one',
      '{ discover: { providers: [router, nimm] } }',
      'understudy.yaml:7:62  models.main.targets[1].discover.providers[1]  unknown provider "nimm"\n    → did you mean "nim"?',
    ],
    [
      'unknown provider',
      '{ discover: { providers: [zzz] } }',
      'understudy.yaml:7:54  models.main.targets[1].discover.providers[0]  unknown provider "zzz"\n    → providers: nim, router, shut',
    ],
    [
      'one provider twice',
      '{ discover: { providers: [nim, nim] } }',
      'understudy.yaml:7:59  models.main.targets[1].discover.providers[1]  the provider "nim" stands twice\n    → remove one',
    ],
    [
      'a provider that says no',
      '{ discover: { providers: [shut] } }',
      'understudy.yaml:7:54  models.main.targets[1].discover.providers[0]  the provider "shut" says "discover: false"\n    → remove that, or the provider here',
    ],
    [
      'no provider',
      '{ discover: { providers: [] } }',
      'understudy.yaml:7:53  models.main.targets[1].discover.providers  is empty\n    → add a provider, or remove the key',
    ],
    [
      'max of nothing',
      '{ discover: { max: 0 } }',
      'understudy.yaml:7:47  models.main.targets[1].discover.max  must be an integer from 1 to 1000 (not 0)',
    ],
    [
      'max of too much',
      '{ discover: { max: 1001 } }',
      'understudy.yaml:7:47  models.main.targets[1].discover.max  must be an integer from 1 to 1000 (not 1001)',
    ],
    [
      'a price that is none',
      '{ discover: { price: fre } }',
      'understudy.yaml:7:49  models.main.targets[1].discover.price  must be free | any (not "fre")\n    → did you mean "free"?',
    ],
    [
      'a capability that nobody has',
      '{ discover: { capabilities: { tool: true } } }',
      'understudy.yaml:7:58  models.main.targets[1].discover.capabilities.tool  unknown key "tool"\n    → did you mean "tools"?',
    ],
    [
      'a capability that is no switch',
      '{ discover: { capabilities: { tools: yes } } }',
      'understudy.yaml:7:65  models.main.targets[1].discover.capabilities.tools  must be true | false (not "yes")\n    → write true or false without quotes',
    ],
    [
      'a window that is none',
      '{ discover: { capabilities: { contextWindow: 128k } } }',
      'understudy.yaml:7:73  models.main.targets[1].discover.capabilities.contextWindow  must be an integer from 1 to 1000000000 (not "128k")',
    ],
    [
      'no pattern',
      '{ discover: { match: [] } }',
      'understudy.yaml:7:49  models.main.targets[1].discover.match  is empty\n    → add a pattern, or remove the key',
    ],
    [
      'an empty pattern',
      '{ discover: { match: [a, ""] } }',
      'understudy.yaml:7:53  models.main.targets[1].discover.match[1]  is empty\n    → give it a value, or remove the key',
    ],
    [
      'a key that does not exist',
      '{ discover: { provider: nim } }',
      'understudy.yaml:7:42  models.main.targets[1].discover.provider  unknown key "provider"\n    → did you mean "providers"?',
    ],
    [
      'a provider beside it',
      '{ provider: nim, discover: { match: "a*" } }',
      'understudy.yaml:7:40  models.main.targets[1].provider  stands beside "discover"\n    → remove it: "providers: […]" within discover says which are taken',
    ],
    [
      'a model beside it',
      '{ model: a, discover: {} }',
      'understudy.yaml:7:37  models.main.targets[1].model  stands beside "discover"\n    → remove it: "match" within discover says which are taken',
    ],
    [
      'clocks that can not be kept',
      '{ discover: {}, timeouts: { firstOutput: 2h } }',
      'understudy.yaml:7:69  models.main.targets[1].timeouts.firstOutput  is longer than "total" (3600s)\n    → shorten it, or give timeouts.total at least as much',
    ],
  ];

  it.each(table)('%s', (_, target, wanted) => expect(inTarget(target)).toBe(wanted));

  it('no provider that would be searched', () => {
    expect(
      complaintOf(
        'providers: { a: { preset: ollama } }\nmodels:\n  main: { targets: [{ discover: { match: "x*" } }] }\n',
      ),
    ).toBe(
      'understudy.yaml:3:33  models.main.targets[0].discover  has no list to search\n    → add "providers: […]", or "discover: true" at a provider',
    );
  });

  it('discover of a provider that is no switch', () => {
    expect(complaintOf('providers:\n  a: { preset: ollama, discover: all }\nmodels: { m: { targets: [a/x] } }\n')).toBe(
      'understudy.yaml:2:34  providers.a.discover  must be true | false (not "all")\n    → write true or false without quotes',
    );
  });
});

describe('a selector', () => {
  const config = configOf(`${PROVIDERS}
models:
  main:
    targets:
      - { discover: {}, tier: 1 }
      - nim/a
      - discover: { providers: [nim, router], match: [a*, b*], price: free, capabilities: { tools: true, contextWindow: 9 }, max: 1000 }
        weight: 2
        capabilities: { images: false }
  plain: { targets: [nim/a] }
`);

  it('becomes what it says, and where it stands', () => {
    const { providers, named, models } = config.catalogue;
    expect(providers).toEqual(['nim', 'router']);
    expect(named).toEqual(['router']);
    expect([...models.keys()]).toEqual(['main']);
    const [open, full] = models.get('main')?.selectors ?? [];
    expect(open).toMatchObject({
      at: 0,
      providers: ['router'],
      match: ['*'],
      price: 'any',
      wants: {},
      minContextWindow: null,
      max: 24,
      tier: 1,
      weight: 1,
      capabilities: {},
    });
    expect(full).toMatchObject({
      at: 1,
      providers: ['nim', 'router'],
      match: ['a*', 'b*'],
      price: 'free',
      wants: { tools: true },
      minContextWindow: 9,
      max: 1000,
      tier: 0,
      weight: 2,
      capabilities: { images: false },
    });
    expect([...(full?.settings.keys() ?? [])]).toEqual(['nim', 'router']);
    expect(config.models.get('main')?.targets.map(({ id }) => id)).toEqual(['nim/a']);
  });

  it('alone makes a model that has no target yet', () => {
    const alone = configOf(`${PROVIDERS}models: { main: { targets: [{ discover: {} }] } }`);
    expect(alone.models.get('main')?.targets).toEqual([]);
    expect(alone.warnings).toEqual([]);
  });

  it('keeps silent about who else there is', () => {
    const text = `${PROVIDERS}models: { main: { targets: [nim/a, nim/b, { discover: {} }] } }`;
    expect(configOf(text).warnings).toEqual([]);
  });

  it('is not needed where a provider lists its models', () => {
    expect(configOf('providers: { r: { preset: openrouter, apiKey: k, discover: true } }').models.size).toBe(0);
    expect(complaintOf('providers: { r: { preset: openrouter, apiKey: k, discover: true, pinned: off } }')).toContain(
      'there is no model to serve',
    );
  });

  it('may be switched by a variable', () => {
    const text = `providers: { r: { preset: ollama, discover: "\${LIST:-true}" } }\nmodels: { m: { targets: [r/x] } }`;
    expect(configOf(text).catalogue.providers).toEqual(['r']);
    expect(configOf(text, { env: { LIST: 'false' } }).catalogue.providers).toEqual([]);
  });
});
