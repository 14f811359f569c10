import { availability } from '../core/health/availability-of.ts';
import { credentialId } from '../core/health/scope.ts';
import type { Route } from '../core/routing/candidate.ts';
import { type Answer, askRoute, type ListedRoute } from './ask-route.ts';
import type { ProberPorts } from './ports.ts';
import type { ProbeProgress } from './types.ts';

export type Ask = {
  readonly listed: ListedRoute;
  readonly tokens: number;
  readonly escalated: boolean;
  /** Of those with the same word one is under way at a time; null: of its credential. */
  readonly group: string | null;
};

/** Sends probes, and knows which are under way. */
export type Asker = {
  /** The answer, and `tell`, to be called once what it means is observed. */
  ask(ask: Ask): Promise<{ readonly answer: Answer; readonly tell: () => void }>;
  isUnderway(route: string): boolean;
  /** Of all routes. */
  underway(): number;
  /** Of a credential, whatever the group. */
  isAccountBusy(account: string): boolean;
  isGroupBusy(group: string): boolean;
  /** No probe can be written for this route here. */
  isUnaskable(route: Route): boolean;
  /** Stops all; resolves when they are settled. */
  stop(): Promise<void>;
};

type Underway = {
  readonly account: string;
  readonly group: string;
  stop: () => void;
  readonly settled: Promise<unknown>;
};

export function createAsker(ports: ProberPorts, tell: (progress: ProbeProgress) => void): Asker {
  const underway = new Map<string, Underway>();
  /** Identities of routes. */
  const unaskable = new Set<string>();
  const some = (fits: (one: Underway) => boolean): boolean => [...underway.values()].some(fits);

  return {
    async ask({ listed, tokens, escalated, group }) {
      const { route } = listed;
      const account = credentialId(route);
      const startedAt = ports.clock.now();
      let stop = (): void => {};
      tell({ type: 'probe_started', route: route.id, provider: route.provider });
      const onStart = (given: () => void): void => {
        stop = given;
      };
      const asked = askRoute(ports, { listed, tokens, onStart });
      underway.set(route.id, { account, group: group ?? account, stop: () => stop(), settled: asked });
      const answer = await asked;
      underway.delete(route.id);
      if (answer.isUnaskable) unaskable.add(route.identity);
      return { answer, tell: () => tellEnd(ports, { listed, escalated, startedAt }, answer, tell) };
    },
    isUnderway: (route) => underway.has(route),
    underway: () => underway.size,
    isAccountBusy: (account) => some((one) => one.account === account),
    isGroupBusy: (group) => some((one) => one.group === group),
    isUnaskable: ({ identity }) => unaskable.has(identity),
    async stop() {
      const all = [...underway.values()];
      for (const one of all) one.stop();
      await Promise.all(all.map(({ settled }) => settled));
    },
  };
}

type Asked = { readonly listed: ListedRoute; readonly escalated: boolean; readonly startedAt: number };

/** Only what was sent is told to telemetry; whoever watches sees an end for each begin. */
function tellEnd(
  { health, clock, telemetry }: ProberPorts,
  { listed: { route, model }, escalated, startedAt }: Asked,
  { state: sent, lacksRoom, outcome, status, tokens, request }: Answer,
  tell: (progress: ProbeProgress) => void,
): void {
  const now = clock.now();
  const { id, target, credential, endpoint, provider } = route;
  const seen = availability(health.snapshot(), route, now).state;
  // Without text it has proved nothing yet.
  const state = lacksRoom && seen === 'ready' ? 'deferred' : seen;
  const ms = Math.round(now - startedAt);
  tell({ type: 'probe_ended', route: id, provider, state: sent === null ? 'not_sent' : state, ms });
  if (sent === null || outcome === null) return;
  telemetry.probeEnded({
    route: id,
    target,
    credential,
    endpoint,
    model,
    state,
    outcome,
    status,
    escalated,
    ms,
    tokens,
    request,
  });
}
