import type { Issuer } from '../core/routing/affinity-state.ts';

/** As many answers and conversations as are remembered; beyond, the longest unused are forgotten. */
export const MAX_ANSWERS = 20_000;

/** How long after it was given: providers keep answers for no longer. */
export const ANSWER_AGE_MS = 30 * 24 * 60 * 60_000;

/** Longer ids are not remembered, so that no provider decides how much is. */
const MAX_ID = 256;

/** By what a later request names what it goes on from. */
export type StateKind = 'response' | 'conversation';

/**
 * Who issued the answers that later requests may name. Each belongs to the client key that it was given to: under another
 * key the id is unknown.
 */
export interface AnswerMap {
  /** Reading counts as use, and does not make it younger. */
  get(kind: StateKind, id: string, key: string | null, now: number): Issuer | null;
  set(kind: StateKind, id: string, key: string | null, issuer: Issuer, now: number): void;
  readonly size: number;
}

export function createAnswerMap(limit: number = MAX_ANSWERS, ageMs: number = ANSWER_AGE_MS): AnswerMap {
  // In order of last use.
  const entries = new Map<string, { readonly issuer: Issuer; readonly at: number }>();
  const keyOf = (kind: StateKind, id: string, key: string | null): string => JSON.stringify([key, kind, id]);
  return {
    get(kind, id, key, now) {
      if (id.length > MAX_ID) return null;
      const name = keyOf(kind, id, key);
      const entry = entries.get(name);
      if (entry === undefined) return null;
      entries.delete(name);
      if (now - entry.at >= ageMs) return null;
      entries.set(name, entry);
      return entry.issuer;
    },
    set(kind, id, key, issuer, now) {
      if (id === '' || id.length > MAX_ID) return;
      const name = keyOf(kind, id, key);
      entries.delete(name);
      entries.set(name, { issuer, at: now });
      for (const oldest of entries.keys()) {
        if (entries.size <= limit) return;
        entries.delete(oldest);
      }
    },
    get size() {
      return entries.size;
    },
  };
}
