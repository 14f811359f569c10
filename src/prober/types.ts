import type { ReadinessReport } from '../core/readiness/report.ts';

/** What a prober is doing, for whoever watches it live. */
export type ProbeProgress =
  | { readonly type: 'round_started'; readonly models: readonly string[]; readonly candidates: number }
  | {
      readonly type: 'discovered';
      readonly provider: string;
      readonly models: number | null;
      readonly error: string | null;
    }
  | { readonly type: 'probe_started'; readonly route: string; readonly provider: string }
  | {
      readonly type: 'probe_ended';
      readonly route: string;
      readonly provider: string;
      readonly state: string;
      readonly ms: number;
    }
  | { readonly type: 'round_ended' };

/** Knows which routes serve, by asking them when nobody else does. Opens nothing and blocks nothing. */
export interface Prober {
  /** Begins to keep what the mode of the configuration asks for. */
  start(): void;
  /**
   * Runs a round now, whatever the mode, over these models (all of them when null); resolves with the report when it has
   * ended. One that is asked for while one is under way over the same models is that one.
   */
  probe(models: readonly string[] | null): Promise<ReadinessReport>;
  report(): ReadinessReport;
  /** Routes of each model that are ready or slow now. */
  ready(): ReadonlyMap<string, number>;
  watch(listener: (progress: ProbeProgress) => void): () => void;
  /** Probes under way are stopped; nothing starts any more. */
  close(): Promise<void>;
}
