import type { RuntimeConfig } from '../config/runtime.ts';
import type { Clock } from '../port/clock.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { LedgerStore } from '../port/ledger-store.ts';

export type ManagementPorts = {
  readonly ledger: LedgerStore;
  readonly health: HealthStore;
  readonly clock: Clock;
};

export type ManagementRequest = {
  readonly method: string;
  /** Behind `/api/v1`, with ids still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly config: RuntimeConfig;
};

export type ManagementAnswer =
  | { readonly ok: true; readonly body: unknown }
  | {
      readonly ok: false;
      readonly problem: { readonly status: number; readonly code: string; readonly message: string };
      readonly allow?: readonly string[];
    };

type Problem = Extract<ManagementAnswer, { ok: false }>;

export const problem = (status: number, code: string, message: string): Problem => ({
  ok: false,
  problem: { status, code, message },
});

export const notFound = (message: string): Problem => problem(404, 'not_found', message);
