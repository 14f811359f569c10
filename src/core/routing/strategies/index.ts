import type { Strategy } from '../candidate.ts';
import { orderAsListed } from './failover.ts';
import { orderByTurns } from './round-robin.ts';
import type { StrategyInput, StrategyOrder } from './strategy.ts';
import { orderByChance } from './weighted.ts';

export const STRATEGIES: Readonly<Record<Strategy, (input: StrategyInput) => StrategyOrder>> = {
  failover: orderAsListed,
  'round-robin': orderByTurns,
  weighted: orderByChance,
};
