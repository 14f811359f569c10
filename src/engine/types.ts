import type { RequestKind } from '../core/attempt/ledger.ts';
import type { HealthSettings } from '../core/health/settings.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { StoreLimits } from './response-store.ts';

/** What the engine needs of the configuration; a request keeps the one that it started with. */
export type EngineSettings = {
  readonly providers: ReadonlyMap<string, ProviderRuntime>;
  readonly health: HealthSettings;
  readonly maxRetryAfterMs: number;
  readonly clientStallMs: number;
  /** Somebody probes routes that are out: the trial of an open circuit is left to them where others can serve. */
  readonly isProbing?: boolean;
  /** Several clients have keys of their own: what is not known to be a client's may be another's. */
  readonly isolatesClients: boolean;
  /** What is kept of responses; `isOn` false: only what a connection goes on from. Absent: nothing is. */
  readonly responses?: StoreLimits & { readonly isOn: boolean };
};

/** A request that was authorised, read and resolved: the server's part is done. */
export type Call = {
  readonly id: string;
  readonly receivedAt: number;
  readonly settings: EngineSettings;
  readonly codec: ProtocolCodec;
  readonly request: CanonicalRequest;
  readonly model: VirtualModel;
  /** The name that the client asked for, fit for a record. */
  readonly asked: string;
  /** Name of the client's key; null without keys. */
  readonly key: string | null;
  /** Headers of the client that may go on to a provider. */
  readonly forward: Headers;
  readonly options: {
    /** `x-understudy-failover: off` is false. */
    readonly failover: boolean;
    /** `x-understudy-timeout`, only shorter than configured. */
    readonly timeoutMs: number | null;
  };
  readonly clientRequestId: string | null;
  /** The same for all retries of one turn by one client (clients.md, manner 6); null when nothing tells. */
  readonly turn: string | null;
  readonly isClientRetry: boolean;
  /** Absent: an answer for a client. */
  readonly kind?: RequestKind;
  /** A client whose ways need words of their own (clients.md, manner 4); null: none that is known. */
  readonly manner: 'codex' | null;
  /**
   * The connection that the request came on, where answers may be gone on from on it that are stored nowhere else; absent:
   * none of that kind.
   */
  readonly session?: string;
};

/** A request that the server refused before any attempt: it is recorded as `rejected`. */
export type Rejection = {
  readonly id: string;
  readonly receivedAt: number;
  readonly protocol: CanonicalRequest['protocol'];
  readonly model: string;
  readonly stream: boolean;
  /** Absent: an answer. */
  readonly kind?: RequestKind;
  readonly key: string | null;
  readonly clientRequestId: string | null;
  /** Headers of the client that may tell its place in a trace; absent: none. */
  readonly forward?: Headers;
  readonly status: number;
  readonly component: 'client' | 'gateway' | 'policy';
  readonly reason: string;
};
