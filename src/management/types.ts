import type { RuntimeConfig } from '../config/runtime.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import type { Clock } from '../port/clock.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { LedgerStore } from '../port/ledger-store.ts';
import type { ProblemCode } from './problem-code.ts';

/** What `POST /plan` needs of those who serve requests. */
export type Planning = {
  /** Reads a client's body; null: this version does not speak the protocol. */
  readonly readRequest: (
    protocol: Protocol,
    body: Uint8Array,
    headers: Headers,
  ) =>
    | { readonly ok: true; readonly request: CanonicalRequest }
    | { readonly ok: false; readonly problem: { readonly message: string } }
    | null;
  /** What would happen now: nothing is sent, no turn of a wheel taken. */
  readonly plan: (asked: {
    readonly request: CanonicalRequest;
    readonly model: VirtualModel;
    readonly config: RuntimeConfig;
  }) => Plan;
};

/** What `POST /simulate` needs of those who can play a script in virtual time. */
export type Simulation = {
  /** Plays a script (YAML or JSON) against a configuration, within bounds. Nothing is sent. */
  readonly simulate: (asked: {
    readonly script: string;
    /** For asks that name none; null: the only model or the default one. */
    readonly model: string | null;
    /** The request whose events are shown, from 1; null: the most interesting one. */
    readonly show: number | null;
    readonly config: RuntimeConfig;
    readonly onLeave?: ManagementRequest['onLeave'];
  }) => Promise<
    | { readonly ok: true; readonly body: unknown }
    | { readonly ok: false; readonly isBusy: boolean; readonly message: string }
  >;
};

export type ManagementPorts = {
  readonly ledger: LedgerStore;
  readonly health: HealthStore;
  readonly clock: Clock;
  readonly planning: Planning;
  /** Absent: there is none here. */
  readonly simulation?: Simulation;
};

export type ManagementRequest = {
  readonly method: string;
  /** Behind `/api/v1`, with ids still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Empty where none was sent. */
  readonly body: Uint8Array;
  readonly config: RuntimeConfig;
  /** Has this called when whoever asks has left; absent: nobody can tell. */
  readonly onLeave?: (act: () => void) => void;
};

export type ManagementAnswer =
  | { readonly ok: true; readonly body: unknown }
  | {
      readonly ok: false;
      readonly problem: { readonly status: number; readonly code: ProblemCode; readonly message: string };
      readonly allow?: readonly string[];
    };

type Problem = Extract<ManagementAnswer, { ok: false }>;

export const problem = (status: number, code: ProblemCode, message: string): Problem => ({
  ok: false,
  problem: { status, code, message },
});

export const notFound = (message: string): Problem => problem(404, 'not_found', message);
