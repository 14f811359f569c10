import { isOk } from '../part/words.ts';

const TRAFFIC = ['requests', 'request', 'overview'] as const;
const HEALTH = ['targets', 'readiness', 'plan'] as const;

/** What an event makes old, by the first word of a query's key. What is not here is asked for in its own time. */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  request_started: TRAFFIC,
  attempt_started: TRAFFIC,
  attempt_ended: [...TRAFFIC, 'explanation', 'targets', 'sends'],
  request_ended: [...TRAFFIC, 'explanation', 'usage'],
  probe_result: [...HEALTH, 'sends'],
  route_state_changed: HEALTH,
  config_changed: [...HEALTH, 'models', 'providers', 'versions', 'nameable', 'audit'],
  discovery_failed: ['readiness'],
};

/** Something may have been missed: all that moves is asked for again. */
export const ALL_TOUCHED: readonly string[] = [...new Set(Object.values(TOUCHED).flat()), 'failures'];

export type FeedEvent = { readonly event: string; readonly outcome?: string };

/** The queries whose answers an event has made old. */
export function touchedBy({ event, outcome }: FeedEvent): readonly string[] {
  const touched = TOUCHED[event] ?? [];
  return event === 'request_ended' && outcome !== undefined && !isOk(outcome) ? [...touched, 'failures'] : touched;
}

export const FEED_EVENTS: readonly string[] = Object.keys(TOUCHED);
