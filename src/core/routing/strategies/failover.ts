import type { StrategyInput, StrategyOrder } from './strategy.ts';

/** The order of the configuration file. */
export function orderAsListed({ targets }: StrategyInput): StrategyOrder {
  return { order: targets.map(({ id }) => id), turn: null };
}
