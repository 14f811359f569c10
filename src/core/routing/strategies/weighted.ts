import type { Target } from '../candidate.ts';
import type { StrategyInput, StrategyOrder } from './strategy.ts';

/** Random by weight, without replacement: each place is drawn from those that are left. */
export function orderByChance({ targets, random }: StrategyInput): StrategyOrder {
  const left: Target[] = [...targets];
  const order: string[] = [];
  let chance = random;
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    let point = chance * total;
    let index = left.findIndex(({ weight }) => {
      if (point < weight) return true;
      point -= weight;
      return false;
    });
    if (index < 0) index = left.length - 1;
    const [drawn] = left.splice(index, 1);
    if (drawn === undefined) break;
    order.push(drawn.id);
    // Where in the drawn share the point fell is itself uniform: one number serves for every place.
    chance = Math.min(Math.max(point / drawn.weight, 0), 1 - Number.EPSILON);
  }
  return { order, turn: null };
}
