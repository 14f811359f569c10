import type { Capabilities } from '../core/model/capability.ts';
import type { ModelSettings } from '../core/model/settings.ts';
import type { Route, Target, VirtualModel } from '../core/routing/candidate.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';

/** The routes to one model of a provider: one per credential, in the order of the pool. */
export function routesOf(provider: ProviderRuntime, model: string): Route[] {
  const target = `${provider.name}/${model}`;
  return provider.credentials.map((credential) => ({
    id: `${target}#${credential.name}`,
    target,
    provider: provider.name,
    model,
    credential: credential.name,
    endpoint: provider.endpoint,
    protocol: provider.protocol,
    identity: `${credential.identity ?? ''}/${model}`,
    ...(credential.identity === undefined ? {} : { account: credential.identity }),
    accountWideLimit: provider.accountWideLimit,
  }));
}

export type TargetParts = {
  readonly provider: ProviderRuntime;
  readonly model: string;
  readonly tier: number;
  readonly weight: number;
  readonly capabilities: Capabilities;
  readonly settings: ModelSettings;
};

export function buildTarget(parts: TargetParts): Target {
  const { provider, model, tier, weight, settings } = parts;
  return {
    id: `${provider.name}/${model}`,
    provider: provider.name,
    model,
    protocol: provider.protocol,
    tier,
    weight,
    capabilities: { ...provider.capabilities, ...parts.capabilities },
    routes: routesOf(provider, model),
    credentialStrategy: provider.credentialStrategy,
    settings,
  };
}

/** The model behind a name like `provider/model`: one target, its credentials pooled, the provider's settings. */
export function buildPinnedModel(provider: ProviderRuntime, model: string, capabilities: Capabilities): VirtualModel {
  const target = buildTarget({ provider, model, tier: 0, weight: 1, capabilities, settings: provider.settings });
  return {
    name: target.id,
    aliases: [],
    strategy: 'failover',
    sticky: 1,
    affinity: true,
    pinned: true,
    targets: [target],
    settings: provider.settings,
  };
}
