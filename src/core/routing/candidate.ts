import type { Capabilities } from '../model/capability.ts';
import type { Protocol } from '../model/protocol.ts';
import type { ModelSettings } from '../model/settings.ts';

/** What is really sent to: a target with one of its provider's credentials. */
export type Route = {
  /** `provider/model#credential` */
  readonly id: string;
  /** `provider/model` */
  readonly target: string;
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  /** `host:port`: the outage domain. */
  readonly endpoint: string;
  readonly protocol: Protocol;
  /** Keyed hash of secret, base URL, headers and model: health starts afresh when it changes. */
  readonly identity: string;
  /** The same without the model: who keeps what was answered with this credential. Absent: nobody knows. */
  readonly account?: string;
  /** The provider limits the whole account, not each model: a 429 holds the credential. */
  readonly accountWideLimit: boolean;
};

/** One entry of a virtual model's `targets`. */
export type Target = {
  /** `provider/model` */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly protocol: Protocol;
  readonly tier: number;
  readonly weight: number;
  readonly capabilities: Capabilities;
  /** In the order of the provider's pool. */
  readonly routes: readonly Route[];
  readonly credentialStrategy: 'order' | 'round-robin';
  readonly settings: ModelSettings;
  /** Found in a provider's list of models; absent: the configuration names it. Unproved, it stands behind proved ones. */
  readonly catalogue?: { readonly isFree: boolean };
};

export type Strategy = 'failover' | 'round-robin' | 'weighted';

/** What clients ask for. `pinned`: made for a client that named a concrete `provider/model`. */
export type VirtualModel = {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly strategy: Strategy;
  readonly sticky: number;
  readonly affinity: boolean;
  readonly pinned: boolean;
  readonly targets: readonly Target[];
  /** It has no target, and a list that may hold some is still being read. */
  readonly isAwaited?: true;
  readonly settings: ModelSettings;
};
