import type { Protocol } from '../../core/model/protocol.ts';
import type { Chance } from '../world/chance.ts';
import { between, choose, times, type Weighted, weigh } from './dice.ts';
import {
  drawAttemptSettings,
  drawGateway,
  drawLimits,
  drawModelSettings,
  type Limits,
  PATIENT,
} from './draw-settings.ts';
import type { LaidModel, LaidProvider, Layout } from './layout.ts';

type Data = Readonly<Record<string, unknown>>;

export type DrawnConfig = { readonly config: Data; readonly layout: Layout };

export const PROTOCOLS: Weighted<Protocol> = [
  [4, 'openai-chat'],
  [3, 'openai-responses'],
  [3, 'anthropic-messages'],
  [3, 'gemini'],
];

/** Vendors whose own rows of failures and habits count, by the protocol that they speak. */
const PRESETS: Readonly<Partial<Record<Protocol, readonly string[]>>> = {
  'openai-chat': ['openai', 'openrouter', 'groq', 'mistral', 'deepseek', 'nvidia-nim'],
  'openai-responses': ['openai-responses'],
  'anthropic-messages': ['anthropic'],
  gemini: ['gemini'],
};

/** What stands at the end of a base URL. */
const VERSIONS: Readonly<Partial<Record<Protocol, string>>> = { 'anthropic-messages': '', gemini: '/v1beta' };

const UPSTREAM = ['m1', 'm2', 'm3'];
const CREDENTIALS = ['main', 'second', 'third'];

/**
 * A configuration that loads, and what it has. `recoversMs`: circuits open for a small part of that, and there is time
 * enough for all that comes behind; null: as it comes.
 */
export function drawConfig(chance: Chance, recoversMs: number | null = null): DrawnConfig {
  const limits = recoversMs === null ? drawLimits(chance) : PATIENT;
  const protocol = weigh(chance, PROTOCOLS);
  const isMixed = chance.happens(0.3);
  const count = weigh<number>(chance, [
    [2, 1],
    [5, 2],
    [4, 3],
    [2, 4],
  ]);
  const names = ['a', 'b', 'c', 'd'].slice(0, count);
  const laid = names.map((name) => layProvider(chance, name, isMixed ? weigh(chance, PROTOCOLS) : protocol));
  const models = drawModels(chance, laid, limits);
  const keys = times(weigh<number>(chance, KEY_COUNTS), (n) => `client-${n + 1}`);
  const listed = models.flatMap(({ laid: { targets } }) => targets);
  const config = {
    ...drawGateway(chance, recoversMs),
    ...(keys.length === 0 ? {} : { auth: { keys: keys.map((name) => ({ name, key: `ck-sim-${name}-77d0c1b2` })) } }),
    providers: Object.fromEntries(laid.map((provider) => [provider.name, drawProvider(chance, provider, limits)])),
    ...modelDefaults(limits, chance),
    models: Object.fromEntries(models.map(({ name, data }) => [name, data])),
  };
  const isListed = (provider: string, model: string): boolean => listed.includes(`${provider}/${model}`);
  return {
    config,
    layout: {
      providers: laid.map((provider) => ({
        ...provider,
        models: provider.models.filter((model) => isListed(provider.name, model)),
      })),
      models: models.map((model) => model.laid),
      keys,
      totalMs: limits.totalMs,
    },
  };
}

const KEY_COUNTS: Weighted<number> = [
  [6, 0],
  [2, 1],
  [2, 2],
];

function modelDefaults(limits: Limits, chance: Chance): Data {
  const drawn = chance.happens(0.1) ? drawModelSettings(chance, limits) : {};
  const { timeouts = {} } = drawn as { readonly timeouts?: Data };
  const merged = { ...drawn, timeouts: { ...timeouts, ...limits.timeouts } };
  return Object.keys(merged.timeouts).length === 0 ? {} : { modelDefaults: merged };
}

/** Some live on one host with others. */
function layProvider(chance: Chance, name: string, protocol: Protocol): LaidProvider {
  const host = chance.happens(0.2) ? 'shared.test' : `${name}.test`;
  const credentials = CREDENTIALS.slice(
    0,
    weigh<number>(chance, [
      [5, 1],
      [3, 2],
      [2, 3],
    ]),
  );
  return {
    name,
    protocol,
    endpoint: `${host}:443`,
    credentials,
    models: choose(chance, UPSTREAM, between(chance, 1, 3)),
  };
}

function drawProvider(chance: Chance, { name, protocol, endpoint, credentials }: LaidProvider, limits: Limits): Data {
  const host = endpoint.slice(0, endpoint.indexOf(':'));
  // Two providers on one host are sometimes one account under two names.
  const owner = host === 'shared.test' && chance.happens(0.2) ? 'shared' : name;
  const path = owner === 'shared' ? '' : `/${name}`;
  const preset = chance.happens(0.3) ? chance.pick(PRESETS[protocol] ?? []) : undefined;
  return {
    ...(preset === undefined ? { protocol } : { preset }),
    baseUrl: `https://${host}${path}${VERSIONS[protocol] ?? '/v1'}`,
    credentials: credentials.map((each) => ({ name: each, apiKey: `sk-planted-${owner}-${each}-4f1c9a2e7b3d` })),
    ...(chance.happens(0.3) ? { credentialStrategy: chance.pick(['order', 'round-robin']) } : {}),
    ...(chance.happens(0.18)
      ? {
          limits: {
            concurrency: chance.pick([1, 1, 2, 4, 10]),
            ...(chance.happens(0.75) ? { queue: chance.pick(['0s', '300ms', '2s', '20s']) } : {}),
          },
        }
      : {}),
    ...(chance.happens(0.15) ? { pinned: 'any' } : {}),
    ...(chance.happens(0.1) ? drawAttemptSettings(chance, limits) : {}),
  };
}

type DrawnModel = { readonly name: string; readonly data: Data; readonly laid: LaidModel };

function drawModels(chance: Chance, providers: readonly LaidProvider[], limits: Limits): readonly DrawnModel[] {
  const all = providers.flatMap((provider) => provider.models.map((model) => ({ provider, model })));
  return ['main', 'side'].slice(0, chance.happens(0.25) ? 2 : 1).map((name) => {
    const shuffled = choose(chance, all, chance.happens(0.5) ? all.length : between(chance, 1, all.length));
    const chosen = chance.happens(0.5) ? shuffled : [...shuffled].reverse();
    const strategy = weigh(chance, STRATEGIES);
    const tiers = chance.happens(0.35) ? between(chance, 2, 3) : 1;
    const aliases = chance.happens(0.2) ? [`gpt-${name}`] : [];
    const targets = chosen.map(({ provider, model }) => ({
      provider: provider.name,
      model,
      ...(tiers === 1 ? {} : { tier: chance.below(tiers) }),
      ...(strategy === 'failover' || chance.happens(0.4) ? {} : { weight: between(chance, 1, 5) }),
      ...drawCapabilities(chance),
      ...(chance.happens(0.08) ? drawAttemptSettings(chance, limits) : {}),
    }));
    const data = {
      ...(aliases.length === 0 ? {} : { aliases }),
      ...(chance.happens(0.3) ? { preset: chance.pick(['standard', 'resilient', 'strict']) } : {}),
      ...(strategy === 'failover' ? {} : { strategy }),
      ...(strategy === 'failover' || chance.happens(0.6) ? {} : { sticky: between(chance, 1, 4) }),
      ...(chance.happens(0.3) ? { affinity: 'off' } : {}),
      ...(chance.happens(0.4) ? { translate: weigh(chance, TRANSLATES) } : {}),
      targets,
      ...drawModelSettings(chance, limits),
    };
    const laid = {
      names: [name, ...aliases],
      targets: targets.map(({ provider, model }) => `${provider}/${model}`),
      protocols: [...new Set(chosen.map(({ provider }) => provider.protocol))],
    };
    return { name, data, laid };
  });
}

const TRANSLATES: Weighted<string> = [
  [2, 'in-order'],
  [3, 'last'],
  [1, 'never'],
];

const STRATEGIES: Weighted<string> = [
  [5, 'failover'],
  [3, 'round-robin'],
  [2, 'weighted'],
];

function drawCapabilities(chance: Chance): Data {
  const capabilities = {
    ...(chance.happens(0.1) ? { contextWindow: chance.pick([100, 1000, 8000, 131_072]) } : {}),
    ...(chance.happens(0.08) ? { tools: chance.happens(0.3) } : {}),
    ...(chance.happens(0.06) ? { parallelTools: false } : {}),
    ...(chance.happens(0.06) ? { streamUsage: chance.happens(0.5) } : {}),
  };
  return Object.keys(capabilities).length === 0 ? {} : { capabilities };
}
