import type { HealthSettings } from '../../src/core/health/settings.ts';
import type { CanonicalRequest } from '../../src/core/model/request.ts';
import type { ModelSettings } from '../../src/core/model/settings.ts';
import { Secret } from '../../src/core/redact/index.ts';
import type { Target, VirtualModel } from '../../src/core/routing/candidate.ts';
import type { ProviderRuntime } from '../../src/core/routing/provider.ts';
import type { Call, EnginePorts, EngineSettings } from '../../src/engine/index.ts';
import { encodeUtf8 } from '../../src/protocol/json/index.ts';
import { openaiChat } from '../../src/protocol/openai-chat/index.ts';
import type { ProtocolCodec } from '../../src/protocol/types.ts';
import type { ClientScript } from '../../src/simulate/world/simulated-client.ts';
import { HEALTH, makeTarget, SECOND } from './health-fixtures.ts';

// Targets, providers and calls for an engine under test, from what a test wants to say of them.

type Deep<T> = { readonly [K in keyof T]?: T[K] extends object | null ? Partial<T[K]> | T[K] : T[K] };

export type SettingsChange = Deep<ModelSettings>;

export type TargetPlan = Partial<Omit<Target, 'settings' | 'routes'>> & {
  /** `a` stands for `a/m`. */
  readonly id: string;
  readonly credentials?: readonly string[];
  readonly settings?: SettingsChange;
};

export type BenchOptions = {
  readonly targets?: readonly (string | TargetPlan)[];
  readonly settings?: SettingsChange;
  readonly model?: Partial<VirtualModel>;
  readonly limits?: Readonly<Record<string, ProviderRuntime['limits']>>;
  readonly health?: HealthSettings;
  readonly engine?: Partial<EngineSettings>;
  readonly codec?: ProtocolCodec;
  readonly seed?: number;
  /** Ports that a test makes misbehave, made of the real ones. */
  readonly ports?: (ports: EnginePorts) => Partial<EnginePorts>;
};

export type Ask = {
  readonly stream?: boolean;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the client that go on to providers. */
  readonly forward?: Readonly<Record<string, string>>;
  readonly failover?: boolean;
  readonly timeoutMs?: number | null;
  readonly turn?: string;
  readonly key?: string;
  readonly client?: ClientScript;
};

export function targetOf(plan: string | TargetPlan, settings: ModelSettings): Target {
  const { id, credentials, settings: own, ...rest } = typeof plan === 'string' ? ({ id: plan } as TargetPlan) : plan;
  const name = id.includes('/') ? id : `${id}/m`;
  const target = makeTarget(name, { ...rest, id: name, settings: mergeSettings(settings, own ?? {}) }, credentials);
  return { ...target, routes: target.routes.map((route) => ({ ...route, protocol: target.protocol })) };
}

export function mergeSettings(base: ModelSettings, change: SettingsChange): ModelSettings {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(change)) {
    const old = merged[name];
    const isPart = typeof value === 'object' && value !== null && typeof old === 'object' && old !== null;
    merged[name] = isPart ? { ...old, ...value } : value;
  }
  return merged as ModelSettings;
}

export function providersOf(
  targets: readonly Target[],
  limits: NonNullable<BenchOptions['limits']>,
): Map<string, ProviderRuntime> {
  const providers = new Map<string, ProviderRuntime>();
  for (const { provider, routes, settings } of targets) {
    const names = [...new Set([...(providers.get(provider)?.credentials ?? []), ...routes].map(nameOf))];
    providers.set(provider, {
      name: provider,
      preset: 'openai-compatible',
      protocol: 'openai-chat',
      origin: `https://${provider}.test:443`,
      basePath: '/v1',
      endpoint: `${provider}.test:443`,
      headers: {},
      credentials: names.map((name) => ({ name, secret: new Secret(`key of ${provider}_${name}`) })),
      credentialStrategy: 'order',
      limits: limits[provider] ?? { concurrency: null, queueMs: 0 },
      pinned: 'listed',
      allowPrivateNetwork: false,
      accountWideLimit: false,
      settings,
    });
  }
  return providers;
}

const nameOf = (one: { readonly name: string } | { readonly credential: string }): string =>
  'name' in one ? one.name : one.credential;

export function callOf(
  id: string,
  receivedAt: number,
  ask: Ask,
  model: VirtualModel,
  { codec = openaiChat, engine }: BenchOptions,
  providers: ReadonlyMap<string, ProviderRuntime>,
): Call {
  const body = { model: 'main', stream: ask.stream ?? true, messages: [{ role: 'user', content: 'hi' }], ...ask.body };
  return {
    id,
    receivedAt,
    settings: {
      providers,
      health: HEALTH,
      maxRetryAfterMs: 60 * SECOND,
      clientStallMs: 60 * SECOND,
      isolatesClients: false,
      ...engine,
    },
    codec,
    request: requestOf(codec, JSON.stringify(body), ask.headers ?? {}),
    model,
    asked: model.name,
    key: ask.key ?? null,
    forward: ask.forward ?? {},
    options: { failover: ask.failover ?? true, timeoutMs: ask.timeoutMs ?? null },
    clientRequestId: null,
    turn: ask.turn ?? null,
    isClientRetry: false,
    manner: null,
  };
}

/** Equal requests are read once; each call has a copy of its own, since the engine lets go of its bytes. */
const requests = new Map<string, CanonicalRequest>();

function requestOf(codec: ProtocolCodec, body: string, headers: Readonly<Record<string, string>>): CanonicalRequest {
  const key = `${codec.protocol} ${body} ${JSON.stringify(headers)}`;
  const known = requests.get(key);
  if (known !== undefined) return { ...known };
  const decoded = codec.decodeRequest(encodeUtf8(body), headers);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  requests.set(key, decoded.request);
  return { ...decoded.request };
}
