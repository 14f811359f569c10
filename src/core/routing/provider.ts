import type { Capabilities } from '../model/capability.ts';
import type { AuthScheme, Protocol } from '../model/protocol.ts';
import type { ModelSettings } from '../model/settings.ts';
import type { Secret } from '../redact/secret.ts';

/** A provider with everything filled in. `credentials` is never empty; a provider without key has one that is empty. */
export type ProviderRuntime = {
  readonly name: string;
  readonly preset: string;
  readonly protocol: Protocol;
  /** `https://host:port` */
  readonly origin: string;
  /** Path of the base URL without a slash at its end; may be empty. */
  readonly basePath: string;
  /** `host:port`: the outage domain. */
  readonly endpoint: string;
  /** Any of them may carry a key. */
  readonly headers: Readonly<Record<string, Secret>>;
  /** `identity`: keyed hash of secret, base URL and headers; with the model behind it, that of a route. */
  readonly credentials: readonly { readonly name: string; readonly secret: Secret; readonly identity?: string }[];
  /** How its key is sent; absent: as its protocol and the look of the key say. */
  readonly auth?: AuthScheme;
  readonly credentialStrategy: 'order' | 'round-robin';
  readonly limits: { readonly concurrency: number | null; readonly queueMs: number };
  readonly pinned: 'listed' | 'any' | 'off';
  readonly allowPrivateNetwork: boolean;
  readonly accountWideLimit: boolean;
  /** What is known of all its models; for pinned targets that no model lists. */
  readonly capabilities?: Capabilities;
  /** For pinned targets: provider and `modelDefaults`. */
  readonly settings: ModelSettings;
};
