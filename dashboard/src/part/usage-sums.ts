import type { UsageRow } from '../../../src/management/contract.ts';

/** Tokens that were paid for and reached no client. `unknown`: of so many sends nobody told. */
export type Wasted = { readonly tokens: number; readonly unknown: number };

export function wastedOf({ usage: { all, delivered } }: UsageRow): Wasted {
  const lost = (one: number | null, other: number | null): number => Math.max(0, (one ?? 0) - (other ?? 0));
  return {
    tokens: lost(all.input_tokens, delivered.input_tokens) + lost(all.output_tokens, delivered.output_tokens),
    unknown: Math.max(0, all.unknown - delivered.unknown),
  };
}

export type UsageSums = {
  readonly requests: number;
  readonly failed: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  /** Null: none of them told. */
  readonly input: number | null;
  readonly output: number | null;
  readonly wasted: Wasted;
};

/** All rows together. By target a request counts once for each that it was sent to. */
export function sumUsage(rows: readonly UsageRow[]): UsageSums {
  const sum = (read: (row: UsageRow) => number): number => rows.reduce((total, row) => total + read(row), 0);
  const known = (read: (row: UsageRow) => number | null): number | null =>
    rows.some((row) => read(row) !== null) ? sum((row) => read(row) ?? 0) : null;
  return {
    requests: sum(({ requests }) => requests),
    failed: sum(({ failed }) => failed),
    attempts: sum(({ attempts }) => attempts),
    failedAttempts: sum((row) => row.failed_attempts),
    input: known(({ usage }) => usage.delivered.input_tokens),
    output: known(({ usage }) => usage.delivered.output_tokens),
    wasted: { tokens: sum((row) => wastedOf(row).tokens), unknown: sum((row) => wastedOf(row).unknown) },
  };
}
