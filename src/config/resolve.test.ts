import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { isModelAllowed, listNames, nearestModels, resolveModel } from './resolve.ts';

const PROVIDERS = `
providers:
  a: { preset: mistral, credentials: [{ name: k1, apiKey: x }, { name: k2, apiKey: y }], timeouts: { idle: 7s } }
  any: { preset: ollama, pinned: any }
  off: { preset: ollama, pinned: off }
`;
const config = configOf(`${PROVIDERS}
models:
  main: { aliases: [gpt-main, "claude-*", "claude-*haiku*"], targets: [{ provider: a, model: x/1, capabilities: { images: false } }, off/x] }
  other: { aliases: ["claude-3*haiku*", "*-mini"], targets: [a/y] }
`);
const named = (name: string): string | undefined => resolveModel(config, name)?.name;

describe('a name means', () => {
  it('a model, by its name, by an alias, by the closest pattern', () => {
    expect(named('main')).toBe('main');
    expect(named('gpt-main')).toBe('main');
    expect(named('claude-opus')).toBe('main');
    expect(named('claude-9-haiku')).toBe('main');
    expect(named('claude-3-haiku')).toBe('other');
    expect(named('x-mini')).toBe('other');
  });

  it('a concrete target, if a model lists it', () => {
    const pinned = resolveModel(config, 'a/x/1');
    expect(pinned).toMatchObject({ name: 'a/x/1', pinned: true, aliases: [], strategy: 'failover' });
    expect(pinned?.targets).toHaveLength(1);
    expect(pinned?.targets[0]?.routes).toEqual(config.models.get('main')?.targets[0]?.routes);
    expect(pinned?.targets[0]?.capabilities).toMatchObject({ images: false, toolCallIds: 'alnum9' });
    expect(pinned?.settings.timeouts.idleMs).toBe(7000);
    expect(pinned?.targets[0]?.settings).toBe(pinned?.settings);
  });

  it('any target of a provider that allows it, none of one that does not', () => {
    expect(named('a/unlisted')).toBeUndefined();
    expect(named('off/x')).toBeUndefined();
    expect(resolveModel(config, 'any/what:7b')?.targets[0]?.routes[0]).toMatchObject({
      id: 'any/what:7b#default',
      endpoint: 'localhost:11434',
    });
    for (const name of ['any/', 'any/a b', `any/${'x'.repeat(300)}`, 'any/x\n', '/x', 'constructor/x', '__proto__', ''])
      expect(named(name)).toBeUndefined();
  });

  it('the default model, else nothing', () => {
    expect(named('who')).toBeUndefined();
    const open = configOf(`${PROVIDERS}models: { main: { default: true, targets: [a/x] } }`);
    expect(resolveModel(open, 'who')?.name).toBe('main');
    expect(resolveModel(open, 'a/x')?.pinned).toBe(true);
  });

  it('and is close to others', () => {
    expect(nearestModels(config, 'mian')[0]).toBe('main');
    expect(listNames(config)).toEqual(['main', 'other', 'gpt-main', 'a/x/1', 'a/y']);
  });
});

describe('a key', () => {
  it('may use what its entries match', () => {
    const key = { models: ['main', 'openai/*'] };
    expect(isModelAllowed(key, 'main')).toBe(true);
    expect(isModelAllowed(key, 'main2')).toBe(false);
    expect(isModelAllowed(key, 'openai/gpt-5')).toBe(true);
    expect(isModelAllowed(key, 'x', 'openai/gpt-5')).toBe(true);
    expect(isModelAllowed({ models: [] }, 'main')).toBe(false);
  });

  it('without entries may use everything', () => {
    expect(isModelAllowed({ models: null }, 'main')).toBe(true);
    expect(isModelAllowed(null, 'main')).toBe(true);
  });
});
