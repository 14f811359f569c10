import type { CanonicalRequest } from '../model/request.ts';
import type { Candidate, Plan } from './plan.ts';

const KEEP_MS = 30 * 60_000;
const MAX_CONVERSATIONS = 10_000;

/** Longer values of clients are cut, with their length and end kept, so that no client decides how much we remember. */
const MAX_HINT = 256;

const HINTS = ['sessionId', 'promptCacheKey', 'previousResponseId', 'userId', 'prefixHash'] as const;

/**
 * What makes the requests of one conversation alike: the first of the client's hints that is there, always within the
 * client's own key. Null: nothing tells, as on most first turns.
 */
export function affinityKey(request: Pick<CanonicalRequest, 'conversation'>, clientKey: string | null): string | null {
  for (const hint of HINTS) {
    const value = request.conversation[hint];
    if (value !== null && value !== '') return JSON.stringify([clientKey, hint, bounded(value)]);
  }
  return null;
}

function bounded(value: string): string {
  if (value.length <= MAX_HINT) return value;
  return `${value.slice(0, MAX_HINT / 2)}…${value.length}…${value.slice(-MAX_HINT / 2)}`;
}

/** Which route serves a conversation. Forgets it 30 minutes after the last use, and the longest unused when full. */
export interface AffinityMap {
  /** The route's id; reading counts as use. */
  get(key: string, now: number): string | null;
  set(key: string, route: string, now: number): void;
  readonly size: number;
}

export function createAffinityMap(limit: number = MAX_CONVERSATIONS, keepMs: number = KEEP_MS): AffinityMap {
  // In order of last use: a use takes an entry out and puts it in again at the end.
  const entries = new Map<string, { readonly route: string; readonly expiresAt: number }>();

  const put = (key: string, route: string, now: number): void => {
    entries.delete(key);
    entries.set(key, { route, expiresAt: now + keepMs });
  };
  const dropOld = (now: number): void => {
    for (const [key, { expiresAt }] of entries) {
      if (expiresAt > now && entries.size <= limit) return;
      entries.delete(key);
    }
  };

  return {
    get(key, now) {
      const entry = entries.get(key);
      if (entry === undefined || entry.expiresAt <= now) return null;
      put(key, entry.route, now);
      return entry.route;
    },
    set(key, route, now) {
      put(key, route, now);
      dropOld(now);
    },
    get size() {
      return entries.size;
    },
  };
}

/**
 * The plan, telling that its first route is the one that answered the conversation last, where it is ready and so
 * chosen.
 */
export function tellAffinity(plan: Plan, affinityRoute: string | null): Plan {
  const home = plan.candidates.find(({ rank }) => rank === 1);
  if (home?.route.id !== affinityRoute || home?.availability.state !== 'ready') return plan;
  const reason = `${home.reason}; the conversation stays where it was answered before`;
  const told: Candidate = { ...home, boundBy: 'affinity', reason };
  return { ...plan, candidates: plan.candidates.map((each) => (each === home ? told : each)) };
}
