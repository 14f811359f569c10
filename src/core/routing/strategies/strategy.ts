import type { Target } from '../candidate.ts';
import type { RotationTable, Turn } from '../rotation.ts';

/** What a strategy orders: the targets of one tier, in the order of the configuration. */
export type StrategyInput = {
  readonly targets: readonly Target[];
  /** Ids of those that the choice is between: the best that the tier has now. */
  readonly eligible: ReadonlySet<string>;
  readonly rotation: RotationTable;
  /** Name of the virtual model's wheel. */
  readonly key: string;
  readonly sticky: number;
  /** Uniform in [0, 1). */
  readonly random: number;
};

export type StrategyOrder = {
  /** Ids of all targets of the tier. */
  readonly order: readonly string[];
  readonly turn: Turn | null;
};
