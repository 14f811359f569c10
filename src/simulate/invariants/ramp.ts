import { scopeOf } from '../../core/health/scope.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Blame } from './blame.ts';
import { type AttemptCase, HAIR_MS, type RequestCase, type RunIndex } from './index-run.ts';

/** So many may be under way in an open circuit, by how many of its trials have had output; beyond that it is closed. */
export const LADDER: readonly number[] = [1, 2, 4, 8];

/** A claim that nobody settles is lost behind this. */
export const CLAIM_LIMIT_MS = 15 * 60_000;

export type ScopeBooks = {
  readonly index: RunIndex;
  readonly byEndpoint: ReadonlyMap<string, readonly AttemptCase[]>;
};

export const attemptsOf = ({ index, byEndpoint }: ScopeBooks, scope: string, id: string): readonly AttemptCase[] =>
  (scope === 'endpoint' ? byEndpoint.get(id) : index.byRoute.get(id)) ?? [];

/** Behind a hold a circuit is seen that may have been open for long, with a trial under way in it. */
const HOLDS: ReadonlySet<string> = new Set(['deferred', 'rejected', 'disabled']);

/** Behind each opening that the world was told of, until the first of its trials has ended. */
export function checkRamps(books: ScopeBooks, blame: Blame): void {
  const { run } = books.index;
  if (run.scenario.acts.some(({ does }) => does === 'reset')) return;
  for (const { at, scope, id, from, to } of run.healthChanges) {
    if (to === 'open' && !HOLDS.has(from)) checkRamp(attemptsOf(books, scope, id), at, id, blame);
  }
}

function checkRamp(attempts: readonly AttemptCase[], openedAt: number, id: string, blame: Blame): void {
  // One of that very moment may be the first trial, and have closed it.
  if (attempts.some(({ started }) => Math.abs(started.at - openedAt) <= HAIR_MS)) return;
  const trials = attempts.filter(({ chosenAt }) => chosenAt > openedAt + HAIR_MS);
  const overAt = trials.reduce((least, { ended }) => Math.min(least, ended?.at ?? least), Number.POSITIVE_INFINITY);
  const lastAt = Math.min(overAt - HAIR_MS, (trials[0]?.started.at ?? 0) + CLAIM_LIMIT_MS);
  for (const [place, { n, started, send }] of trials.entries()) {
    if (started.at >= lastAt) return;
    const proved = trials.slice(0, place).filter(({ committed }) => isBy(committed?.at, started.at)).length;
    const most = LADDER[proved];
    if (most === undefined) return;
    if (place < most) continue;
    blame(send?.request ?? null, `attempt ${n} is number ${place + 1} on the ramp of ${id}, which takes ${most}`);
    return;
  }
}

const isBy = (moment: number | undefined, at: number): boolean => moment !== undefined && moment <= at + HAIR_MS;

/** Where claims come late: what is younger may still be on its way. */
const YOUNG_MS = 1000;

/** Whoever holds a place in an open circuit is under way: one that nobody has is lost to everybody. */
export function checkHolders(books: ScopeBooks, { id, model, ended, endedHealth }: RequestCase, blame: Blame): void {
  if (ended === null || endedHealth === null) return;
  for (const { routes } of model?.targets ?? []) {
    for (const route of routes) {
      const lost = lostPlace(books, route, endedHealth, ended.at);
      if (lost === null) continue;
      blame(id, `a place in the open circuit of ${lost} is taken, and nobody has it`);
      return;
    }
  }
}

function lostPlace(books: ScopeBooks, route: Route, health: HealthState, at: number): string | null {
  for (const kind of ['route', 'endpoint'] as const) {
    const { open } = scopeOf(health, kind, route).circuit;
    for (const claim of open?.claims ?? []) {
      if (claim.expiresAt <= at || at - claim.at < YOUNG_MS) continue;
      const isHeld = attemptsOf(books, 'route', claim.route).some(
        ({ started, ended }) =>
          started.at >= claim.at - HAIR_MS &&
          started.at <= claim.at + YOUNG_MS &&
          (ended === null || ended.at >= at - HAIR_MS),
      );
      if (!isHeld) return kind === 'route' ? route.id : route.endpoint;
    }
  }
  return null;
}
