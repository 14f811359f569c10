import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { DEFAULT_SETTINGS } from './defaults.ts';

const model = (text: string) => {
  const config = configOf(text);
  const main = config.models.get('main');
  if (main === undefined) throw new Error('no model');
  return { main, target: main.targets[0], provider: config.providers.get('a') };
};

const text = (parts: { target?: string; model?: string; provider?: string; defaults?: string }): string => `
providers: { a: { preset: ollama${parts.provider ? `, ${parts.provider}` : ''} } }
modelDefaults: { ${parts.defaults ?? ''} }
models: { main: { ${parts.model ? `${parts.model}, ` : ''}targets: [{ provider: a, model: x${parts.target ? `, ${parts.target}` : ''} }] } }
`;

const idle = (time: string): string => `timeouts: { idle: ${time} }`;

describe('settings are inherited', () => {
  it('from the nearest place that says them', () => {
    const all = { target: idle('1s'), model: idle('2s'), provider: idle('3s'), defaults: idle('4s') };
    const { target: _t, ...noTarget } = all;
    const { model: _m, ...noModel } = noTarget;
    const { provider: _p, ...onlyDefaults } = noModel;
    const idles = [all, noTarget, noModel, onlyDefaults, {}].map(
      (parts) => model(text(parts)).target?.settings.timeouts.idleMs,
    );
    expect(idles).toEqual([1000, 2000, 3000, 4000, 120_000]);
  });

  it('to a request from its model, and to a pinned target from its provider', () => {
    const { main, provider } = model(
      text({ target: idle('1s'), model: idle('2s'), provider: idle('3s'), defaults: idle('4s') }),
    );
    expect(main.settings.timeouts.idleMs).toBe(2000);
    expect(provider?.settings.timeouts.idleMs).toBe(3000);
    expect(model(text({ provider: idle('3s'), defaults: idle('4s') })).main.settings.timeouts.idleMs).toBe(4000);
  });

  it('key by key within a map', () => {
    const { target } = model(
      text({
        target: 'timeouts: { connect: 1s }, defaults: { reasoningEffort: low }',
        provider: 'timeouts: { headers: 2s }, defaults: { maxOutputTokens: 5 }',
      }),
    );
    expect(target?.settings.timeouts).toEqual({ ...DEFAULT_SETTINGS.timeouts, connectMs: 1000, headersMs: 2000 });
    expect(target?.settings.defaults).toEqual({ reasoningEffort: 'low', maxOutputTokens: 5 });
  });

  it('through an "off"', () => {
    const at = (model_: string, defaults: string) => model(text({ model: model_, defaults })).main.settings.keepalive;
    expect(at('keepalive: off', 'keepalive: { after: 1s }')).toBeNull();
    expect(at('keepalive: { every: 2s }', 'keepalive: off')).toEqual({ afterMs: 10_000, everyMs: 2000 });
    expect(at('keepalive: { every: 2s }', 'keepalive: { after: 1s }')).toEqual({ afterMs: 1000, everyMs: 2000 });
  });

  it('with strategy, sticky and affinity from modelDefaults too', () => {
    const defaults = 'strategy: round-robin, sticky: 3, affinity: off';
    expect(model(text({ defaults })).main).toMatchObject({ strategy: 'round-robin', sticky: 3, affinity: false });
    expect(model(text({ defaults, model: 'strategy: weighted, affinity: auto' })).main).toMatchObject({
      strategy: 'weighted',
      affinity: true,
    });
  });
});

describe('presets', () => {
  it('standard is what is built in', () => {
    expect(model(text({ model: 'preset: standard' })).main.settings).toEqual(DEFAULT_SETTINGS);
  });

  it('resilient', () => {
    const { settings } = model(text({ model: 'preset: resilient' })).main;
    expect(settings.retry).toEqual({ sameTarget: 1, maxAttempts: 8, waitForCooldownMs: 3000, preferSameTarget: true });
    expect(settings.timeouts).toMatchObject({ firstOutputMs: 10_000, idleMs: 30_000 });
    expect([settings.midStream, settings.keepalive]).toEqual(['error', { afterMs: 5000, everyMs: 10_000 }]);
  });

  it('strict has one attempt per target', () => {
    const config = configOf(
      'providers: { a: { preset: ollama } }\nmodels: { main: { preset: strict, targets: [a/x, a/y, a/z] } }',
    );
    const settings = config.models.get('main')?.settings;
    expect(settings).toMatchObject({ holdToolEnd: 'all', exhausted: 'status' });
    expect(settings?.retry).toMatchObject({ sameTarget: 0, maxAttempts: 3 });
  });

  it('stand below every explicit key', () => {
    const strict = model(text({ model: 'preset: strict', defaults: 'retry: { maxAttempts: 7 }' }));
    expect(strict.main.settings.retry).toMatchObject({ sameTarget: 0, maxAttempts: 7 });
    expect(model(text({ model: 'preset: strict, holdToolEnd: false' })).main.settings.holdToolEnd).toBe(false);
    expect(model(text({ defaults: 'preset: strict' })).main.settings.holdToolEnd).toBe('all');
    expect(model(text({ defaults: 'preset: strict', model: 'preset: standard' })).main.settings.holdToolEnd).toBe(true);
  });
});

describe('what a target can do', () => {
  it('is what the preset knows, unless the target says otherwise', () => {
    const capabilities = (target: string) =>
      configOf(
        `providers: { m: { preset: mistral, apiKey: k } }\nmodels: { x: { targets: [{ provider: m, model: y${target} }] } }`,
      ).models.get('x')?.targets[0]?.capabilities;
    expect(capabilities('')).toEqual({ developerRole: false, prefill: true, toolCallIds: 'alnum9' });
    expect(capabilities(', capabilities: { images: false, prefill: false }')).toEqual({
      developerRole: false,
      prefill: false,
      toolCallIds: 'alnum9',
      images: false,
    });
  });

  it('is unknown without a preset', () => {
    const config = configOf(
      'providers: { a: { protocol: openai-chat, baseUrl: "http://a/v1" } }\nmodels: { x: { targets: [a/y] } }',
    );
    expect(config.models.get('x')?.targets[0]?.capabilities).toEqual({});
    expect(config.providers.get('a')?.allowPrivateNetwork).toBe(true);
    expect(config.providers.get('a')?.credentials).toHaveLength(1);
  });
});

describe('health', () => {
  it('lets a longer first opening raise the longest', () => {
    const breaker = (lines: string) => configOf(`health: { breaker: { ${lines} } }${text({})}`).health.breaker;
    expect(breaker('open: 60s')).toMatchObject({ openMs: 60_000, maxOpenMs: 60_000 });
    expect(breaker('open: 1s')).toMatchObject({ openMs: 1000, maxOpenMs: 30_000 });
    expect(() => breaker('open: 60s, maxOpen: 30s')).toThrow('health.breaker.maxOpen  is shorter than "open"');
  });
});
