import { chooseTurn, orderByScore } from '../rotation.ts';
import type { StrategyInput, StrategyOrder } from './strategy.ts';

/** Smooth, deterministic and weighted: who has the turn comes first, then those who would have it soonest. */
export function orderByTurns({ targets, eligible, rotation, key, sticky }: StrategyInput): StrategyOrder {
  const wheels = targets.filter(({ id }) => eligible.has(id));
  const turn = chooseTurn(rotation, key, wheels, sticky);
  const next = orderByScore(rotation, key, targets);
  if (turn === null) return { order: next, turn };
  return { order: [turn.choice, ...next.filter((id) => id !== turn.choice)], turn };
}
