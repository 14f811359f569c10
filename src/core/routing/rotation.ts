import type { RotationState } from './plan.ts';

/** Wheels by name: one per virtual model and one per credential pool. */
export type RotationTable = Readonly<Record<string, RotationState>>;

export type Wheel = { readonly id: string; readonly weight: number };

/**
 * One turn of a wheel: chosen by a plan, taken when its attempt is sent, given back when that fails. It says what
 * changes and not what comes out, so that turns of requests at the same time add up in any order.
 */
export type Turn = {
  readonly key: string;
  readonly choice: string;
  /** Weights of those that were eligible; null for a repeat within `sticky`, which does not move the scores. */
  readonly weights: Readonly<Record<string, number>> | null;
};

const STILL: RotationState = { scores: {}, sticky: null };

export function modelKey(model: string): string {
  return `model:${model}`;
}

export function poolKey(provider: string): string {
  return `pool:${provider}`;
}

/**
 * Smooth weighted round-robin over the eligible, in the order of the configuration: the highest of score plus weight,
 * the earlier one of equals. Each choice is used `sticky` times. Null: there is nothing to choose between.
 */
export function chooseTurn(table: RotationTable, key: string, eligible: readonly Wheel[], sticky: number): Turn | null {
  if (eligible.length < 2) return null;
  const state = stateOf(table, key);
  const used = state.sticky;
  if (used !== null && used.used < sticky && eligible.some(({ id }) => id === used.choice)) {
    return { key, choice: used.choice, weights: null };
  }
  const [choice] = orderByScore(table, key, eligible);
  if (choice === undefined) return null;
  return { key, choice, weights: Object.fromEntries(eligible.map(({ id, weight }) => [id, weight])) };
}

/** The same wheel read without turning it: who would be next, then who would come after. */
export function orderByScore(table: RotationTable, key: string, members: readonly Wheel[]): readonly string[] {
  const { scores } = stateOf(table, key);
  return members
    .map(({ id, weight }) => ({ id, score: scoreOf(scores, id) + weight }))
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

/** The attempt was sent: the turn counts. */
export function takeTurn(table: RotationTable, turn: Turn): RotationTable {
  const state = stateOf(table, turn.key);
  const isSame = state.sticky?.choice === turn.choice;
  const used = turn.weights === null && isSame ? (state.sticky?.used ?? 0) + 1 : 1;
  return {
    ...table,
    [turn.key]: { scores: move(state.scores, turn, 1), sticky: { choice: turn.choice, used } },
  };
}

/** The attempt failed: the wheel is as if it had never been chosen. */
export function returnTurn(table: RotationTable, turn: Turn): RotationTable {
  const state = stateOf(table, turn.key);
  const { sticky } = state;
  const isSame = sticky !== null && sticky.choice === turn.choice;
  const left = isSame && sticky.used > 1 ? { choice: sticky.choice, used: sticky.used - 1 } : null;
  return {
    ...table,
    [turn.key]: { scores: move(state.scores, turn, -1), sticky: isSame ? left : sticky },
  };
}

function move(scores: RotationState['scores'], turn: Turn, sign: 1 | -1): RotationState['scores'] {
  if (turn.weights === null) return scores;
  const next = { ...scores };
  let total = 0;
  for (const [id, weight] of Object.entries(turn.weights)) {
    next[id] = scoreOf(next, id) + sign * weight;
    total += weight;
  }
  next[turn.choice] = scoreOf(next, turn.choice) - sign * total;
  return next;
}

function stateOf(table: RotationTable, key: string): RotationState {
  return (Object.hasOwn(table, key) ? table[key] : undefined) ?? STILL;
}

function scoreOf(scores: RotationState['scores'], id: string): number {
  return Object.hasOwn(scores, id) ? (scores[id] ?? 0) : 0;
}
