import type { ListedModel } from '../core/catalogue/listed-model.ts';
import type { CatalogueSettings } from '../core/catalogue/settings.ts';
import type { HealthSettings } from '../core/health/settings.ts';
import type { ProbeSettings } from '../core/readiness/settings.ts';
import type { Secret } from '../core/redact/secret.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { ConfigWarning } from './warning.ts';

export type ClientKey = {
  readonly name: string;
  readonly secret: Secret;
  /** Null: every model. Entries may be globs over model names and `provider/model`. */
  readonly models: readonly string[] | null;
};

export type ServerSettings = {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly cors: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly tls: { readonly cert: string; readonly key: Secret } | null;
  readonly bodyLimit: number;
  /** Responses over WebSocket. */
  readonly websocket: boolean;
  readonly maxRetryAfterMs: number;
  readonly clientStallMs: number;
  readonly maxInFlight: number;
  /** Bytes. */
  readonly maxBuffered: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  readonly drainMs: number;
};

/** Where the ledger lives, and how much of it is kept. The last three are for `sqlite` alone. */
export type StoreSettings = {
  readonly kind: 'sqlite' | 'memory';
  readonly keepMs: number;
  readonly maxBytes: number;
  readonly explain: 'failures' | 'all' | 'sample';
};

/** What is kept of responses, so that later requests can go on from them. */
export type ResponsesSettings = {
  readonly store: 'memory' | 'off';
  readonly maxBytes: number;
  readonly keepMs: number;
};

export type OtlpSettings = {
  /** `https://host:port/path/v1/traces` */
  readonly url: string;
  /** Which share of the traces that begin here is sent. */
  readonly ratio: number;
  /** Names of the conventions for GenAI. */
  readonly names: 'current' | 'former' | 'both';
};

/**
 * A configuration that is valid as a whole, frozen. A request keeps the one that it started with. Everything here is
 * effective: presets, defaults and inheritance are worked in.
 */
export type RuntimeConfig = {
  /** Where it came from, for people; null for the built-in demo and the environment's. */
  readonly file: string | null;
  readonly stateDir: string;
  readonly server: ServerSettings;
  readonly auth: {
    readonly required: boolean;
    readonly keys: readonly ClientKey[];
    readonly adminToken: Secret | null;
  };
  readonly providers: ReadonlyMap<string, ProviderRuntime>;
  readonly models: ReadonlyMap<string, VirtualModel>;
  /** What it wants of providers' lists: who is asked for one, and which models take targets out of them. */
  readonly catalogue: CatalogueSettings;
  /**
   * Of the providers that say `discover: true`, the models that they listed, by provider and name: clients may ask for
   * them. Absent: nobody has listed any yet.
   */
  readonly listed?: ReadonlyMap<string, ReadonlyMap<string, ListedModel>>;
  /** The model that takes every unknown name (`default: true`); absent when none does. */
  readonly defaultModel?: string;
  readonly health: HealthSettings;
  readonly responses: ResponsesSettings;
  readonly readiness: { readonly probe: ProbeSettings };
  readonly store: StoreSettings;
  readonly telemetry: {
    /** `token`: opens `/metrics` to those who are not on this machine; null: only the admin token does. */
    readonly prometheus: { readonly enabled: boolean; readonly token: Secret | null };
    /** Where spans go, and which. Null: nobody traces. */
    readonly otlp: OtlpSettings | null;
    readonly log: {
      readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
      /** Null: nobody has said. */
      readonly format: 'json' | 'pretty' | null;
    };
  };
  readonly warnings: readonly ConfigWarning[];
};
