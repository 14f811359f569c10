import type { ConfigProblem } from '../config/problem.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { ReadinessReport } from '../core/readiness/report.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import type { AuditBy, AuditLog } from '../port/audit-log.ts';
import type { Clock } from '../port/clock.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { LedgerStore } from '../port/ledger-store.ts';
import type { Traffic } from '../port/traffic.ts';
import type { ProbeProgress, Prober } from '../prober/index.ts';
import type { ConfigEditor } from './config-editor.ts';
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
  /** Absent: nobody counts. */
  readonly traffic?: Traffic;
  /** Absent: nothing is kept of who did what. */
  readonly audit?: AuditLog;
  /** Absent: the configuration can't be changed from here. */
  readonly editor?: ConfigEditor;
  /** Absent: there is none here. */
  readonly prober?: Pick<Prober, 'report' | 'probe' | 'watch'>;
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
  /** Who asks, for the record; absent: nobody knows. */
  readonly who?: { readonly by: AuditBy; readonly address: string | null; readonly request: string };
  /** Has this called when whoever asks has left; absent: nobody can tell. */
  readonly onLeave?: (act: () => void) => void;
  /** Is told what goes on until the answer is there, which it is told as the last thing. Absent: nobody watches. */
  readonly tell?: (event: ManagementEvent) => void;
};

/** What `POST /readiness/probe` tells, from the models that it is about to the report. */
export type ManagementEvent =
  | {
      readonly type: 'probing';
      readonly models: readonly string[];
      /** How many routes of each are known before anybody is asked. */
      readonly providers: readonly { readonly provider: string; readonly candidates: number }[];
    }
  | ProbeProgress
  | { readonly type: 'report'; readonly report: ReadinessReport };

export type ManagementAnswer =
  | { readonly ok: true; readonly body: unknown; readonly headers?: Headers }
  | {
      readonly ok: false;
      readonly problem: {
        readonly status: number;
        readonly code: ProblemCode;
        readonly message: string;
        /** Of a configuration that was not taken. */
        readonly problems?: readonly ConfigProblem[];
      };
      readonly allow?: readonly string[];
    };

type Problem = Extract<ManagementAnswer, { ok: false }>;

export const problem = (status: number, code: ProblemCode, message: string): Problem => ({
  ok: false,
  problem: { status, code, message },
});

export const notFound = (message: string): Problem => problem(404, 'not_found', message);
