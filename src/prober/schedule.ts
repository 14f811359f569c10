import { countProved } from '../core/readiness/build-report.ts';
import { standingOf } from '../core/readiness/standing.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { ProberHost } from './host.ts';
import type { Rounds } from './rounds.ts';

/** A model with fewer proved routes than this is looked at out of turn. */
const ENOUGH = 2;
/** From one round out of turn to the next. */
const OUT_OF_TURN_MS = 60_000;

export type Schedule = {
  /**
   * Begins the round that is due over these models. Gives the moment at which to look again; null: not before something has changed.
   */
  look(models: readonly VirtualModel[], now: number): number | null;
};

/** The rounds that nobody asks for: each `every`, and in between where a model has too few ready routes. */
export function createSchedule(host: ProberHost, rounds: Rounds): Schedule {
  const { config, discover, savedAt = null } = host.ports;
  let lastAt: number | null = null;
  let outOfTurnAt = Number.NEGATIVE_INFINITY;

  const begin = (models: readonly VirtualModel[]): void => void rounds.run(models.map(({ name }) => name));
  /** A start that knows what was known a moment ago needs no round for that, unless it knows no targets. */
  const dueAt = (models: readonly VirtualModel[]): number => {
    const isListed = discover === undefined || models.every(({ targets }) => targets.length > 0);
    const before = lastAt ?? (isListed ? savedAt : null);
    return before === null ? Number.NEGATIVE_INFINITY : before + config().readiness.probe.everyMs;
  };
  const lookInTurn = (models: readonly VirtualModel[], now: number): number | null => {
    if (models.length === 0) return null;
    if (dueAt(models) <= now) {
      lastAt = now;
      outOfTurnAt = now;
      if (discover !== undefined || models.some((model) => isAskable(host, model))) begin(models);
    }
    return dueAt(models);
  };
  const lookOutOfTurn = (models: readonly VirtualModel[], now: number): number | null => {
    const short = models.filter((model) => countProved(model, host.reported()) < ENOUGH && isAskable(host, model));
    if (short.length === 0) return null;
    const mayAt = outOfTurnAt + OUT_OF_TURN_MS;
    if (mayAt > now) return mayAt;
    outOfTurnAt = now;
    begin(short);
    return null;
  };
  return {
    look(models, now) {
      if (rounds.isOn()) return null;
      const nextAt = lookInTurn(models, now);
      if (rounds.isOn()) return null;
      const extraAt = lookOutOfTurn(models, now);
      return nextAt === null || extraAt === null ? (nextAt ?? extraAt) : Math.min(nextAt, extraAt);
    },
  };
}

/** A round would ask some route of it. */
function isAskable({ ports, asker }: ProberHost, { targets }: VirtualModel): boolean {
  const { health, config, clock } = ports;
  const listed = targets.flatMap((target) => target.routes.map((route) => ({ target, route })));
  return listed.some(({ target, route }) => {
    if (asker.isUnaskable(route) || asker.isUnderway(route.id)) return false;
    const standing = standingOf(health.snapshot(), { target, route }, config().readiness.probe, clock.now());
    return standing.word === 'ask';
  });
}
