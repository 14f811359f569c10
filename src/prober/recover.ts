import { availability } from '../core/health/availability-of.ts';
import { recoveryOf } from '../core/readiness/recovery.ts';
import type { Route } from '../core/routing/candidate.ts';
import { type ListedRoute, limitOf } from './ask-route.ts';
import type { ProberHost } from './host.ts';
import { createHourlyBudget } from './hourly-budget.ts';

/** Recovery probes of a provider in an hour. */
const PER_HOUR = 20;
/** Room for a few thoughts before the text, and no more: nobody counts what these cost. */
const MAX_TOKENS = 64;
/** What could not be sent, or was not for us to take, is tried again after so long. */
const AGAIN_MS = 5000;

export type Recovery = {
  /**
   * Asks the routes whose hold or circuit is over, each once. Gives the moment at which the next one is due; null: none.
   */
  look(now: number): number | null;
};

/** Each model that lists this route has another one that is ready. */
function hasOther({ ports }: ProberHost, { route }: ListedRoute, now: number): boolean {
  const health = ports.health.snapshot();
  const isReady = (other: Route): boolean =>
    other.id !== route.id && availability(health, other, now).state === 'ready';
  const lists = [...ports.config().models.values()].map(({ targets }) => targets.flatMap(({ routes }) => routes));
  return lists.every((routes) => !routes.some(({ id }) => id === route.id) || routes.some(isReady));
}

/** Probes for routes that are out, so that no client pays for finding out that they are back. */
export function createRecovery(host: ProberHost): Recovery {
  const { config } = host.ports;
  const budget = createHourlyBudget(PER_HOUR);
  /** For which opening each route was asked. */
  const asked = new Map<string, string>();
  const notBefore = new Map<string, number>();

  const ask = async (listed: ListedRoute, opening: string, group: string, now: number): Promise<void> => {
    const { id, provider } = listed.route;
    asked.set(id, opening);
    budget.spend(provider, now);
    const { tokens, escalatedTokens } = config().readiness.probe;
    const room = Math.min(MAX_TOKENS, Math.max(tokens, escalatedTokens));
    const { answer, tell } = await host.asker.ask({ listed, tokens: room, escalated: false, group });
    if (answer.state === null) {
      budget.giveBack(provider);
      asked.delete(id);
      notBefore.set(id, host.ports.clock.now() + AGAIN_MS);
    }
    tell();
    host.changed();
  };
  const dueAt = (listed: ListedRoute, now: number): number | null => {
    const { target, route } = listed;
    const limitMs = limitOf(target, config().readiness.probe);
    const due = recoveryOf(host.ports.health.snapshot(), route, limitMs, now);
    if (due === null || asked.get(route.id) === due.opening) return null;
    const at = Math.max(due.at, budget.openAt(route.provider, now), notBefore.get(route.id) ?? 0);
    if (at > now) return at;
    // Others may become ready by time alone, and nobody says so.
    if (due.isScarce && !hasOther(host, listed, now)) return now + AGAIN_MS;
    if (!host.asker.isGroupBusy(due.group)) void ask(listed, due.opening, due.group, now);
    return null;
  };
  return {
    look(now) {
      const all = host.listed();
      for (const known of [asked, notBefore]) for (const id of known.keys()) if (!all.has(id)) known.delete(id);
      const moments: number[] = [];
      for (const listed of all.values()) {
        const { route } = listed;
        if (host.asker.isUnderway(route.id) || host.asker.isUnaskable(route)) continue;
        const at = dueAt(listed, now);
        if (at !== null) moments.push(at);
      }
      return moments.length === 0 ? null : Math.min(...moments);
    },
  };
}
