import type { Issuer } from '../core/routing/affinity-state.ts';

/** As many answers and conversations as are remembered, over all client keys. */
const MAX_ANSWERS = 20_000;

/** How long after it was given: providers keep answers for no longer. */
export const ANSWER_AGE_MS = 30 * 24 * 60 * 60_000;

/** Longer ids are not remembered, so that no provider decides how much is. */
const MAX_ID = 256;

/** By what a later request names what it goes on from; a seal it brings along. */
export type StateKind = 'response' | 'conversation' | 'seal';

/** Whose an id is: the asking key's own, with who issued it; another key's; or one that nobody here knows. */
export type FoundAnswer =
  | { readonly whose: 'mine'; readonly issuer: Issuer }
  | { readonly whose: 'foreign' | 'unknown' };

/**
 * Who issued the answers that later requests may name, and to which client key: nobody else may go on from them. Beyond
 * the bound, the key that has the most entries loses the one that it has not used for longest, so that no key pushes
 * out those of another that has fewer.
 */
export interface AnswerMap {
  /** Reading one's own counts as use, and does not make it younger. */
  get(kind: StateKind, id: string, key: string | null, now: number): FoundAnswer;
  /**
   * An id that is given again stays with the key and the account that had it first: providers draw ids nobody can
   * guess, so whoever gives one that is known has it from there, or lets clients choose them. Neither may take it from
   * its owner, nor lead him elsewhere with it. To its owner's key, from the same account, it is given anew.
   */
  set(kind: StateKind, id: string, key: string | null, issuer: Issuer, now: number): void;
  readonly size: number;
}

const isSameAccount = (one: Issuer, other: Issuer): boolean =>
  one.provider === other.provider && one.credential === other.credential && one.account === other.account;

type Entry = { readonly key: string | null; readonly issuer: Issuer; readonly at: number };

const UNKNOWN: FoundAnswer = { whose: 'unknown' };
const FOREIGN: FoundAnswer = { whose: 'foreign' };

export function createAnswerMap(limit: number = MAX_ANSWERS, ageMs: number = ANSWER_AGE_MS): AnswerMap {
  const entries = new Map<string, Entry>();
  // The names of each key's entries, in order of last use.
  const owned = new Map<string | null, Set<string>>();
  const nameOf = (kind: StateKind, id: string): string => `${kind} ${id}`;

  const drop = (name: string, { key }: Entry): void => {
    entries.delete(name);
    const names = owned.get(key);
    names?.delete(name);
    if (names?.size === 0) owned.delete(key);
  };
  const put = (name: string, entry: Entry): void => {
    const before = entries.get(name);
    if (before !== undefined) drop(name, before);
    entries.set(name, entry);
    const names = owned.get(entry.key) ?? new Set();
    owned.set(entry.key, names.add(name));
  };
  const makeRoom = (): void => {
    if (entries.size <= limit) return;
    const [most] = [...owned.values()].toSorted((a, b) => b.size - a.size);
    const [oldest] = most ?? [];
    const entry = oldest === undefined ? undefined : entries.get(oldest);
    if (oldest !== undefined && entry !== undefined) drop(oldest, entry);
  };

  return {
    get(kind, id, key, now) {
      const name = nameOf(kind, id);
      const entry = id.length > MAX_ID ? undefined : entries.get(name);
      if (entry === undefined) return UNKNOWN;
      if (now - entry.at >= ageMs) {
        drop(name, entry);
        return UNKNOWN;
      }
      if (entry.key !== key) return FOREIGN;
      put(name, entry);
      return { whose: 'mine', issuer: entry.issuer };
    },
    set(kind, id, key, issuer, now) {
      if (id === '' || id.length > MAX_ID) return;
      const name = nameOf(kind, id);
      const before = entries.get(name);
      const isKnown = before !== undefined && now - before.at < ageMs;
      if (isKnown && !(before.key === key && isSameAccount(before.issuer, issuer))) return;
      put(name, { key, issuer, at: now });
      makeRoom();
    },
    get size() {
      return entries.size;
    },
  };
}
