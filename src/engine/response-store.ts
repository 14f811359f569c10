import type { Turn } from './turn.ts';

/** `responses.maxBytes` and `responses.keep`. */
export type StoreLimits = { readonly maxBytes: number; readonly keepMs: number };

/**
 * Who may go on from a response: a client key, and, where it was not to be stored, only the connection that it was made
 * on.
 */
export type Owner = { readonly key: string | null; readonly session: string | null };

export type StoredResponse = {
  readonly turn: Turn;
  /** The whole of an answer that no provider knows; null: its issuer has it. */
  readonly response: Uint8Array | null;
};

/**
 * What was said up to each response that clients may go on from. Beyond the bound, the key that holds the most loses what
 * it has not used for longest, so that no key pushes out what another one that has less goes on from.
 */
export interface ResponseStore {
  /** Reading it counts as use. Null: unknown, or another's. */
  get(owner: Owner, id: string, now: number): StoredResponse | null;
  /** An id that is known stays with the key that had it first. */
  set(owner: Owner, id: string, stored: StoredResponse, limits: StoreLimits, now: number): void;
  remove(owner: Owner, id: string): void;
  /** The connection is gone. */
  forget(session: string): void;
  /** Of all that is kept, what is shared counted once. */
  readonly bytes: number;
  readonly size: number;
}

type Entry = {
  readonly owner: Owner;
  readonly stored: StoredResponse;
  readonly size: number;
  readonly expiresAt: number;
  readonly keepMs: number;
};

/** What an entry takes beside its texts. */
const OVERHEAD = 512;
/** Longer ids are not kept, so that no provider decides how much is. */
const MAX_ID = 256;

const nameOf = ({ session }: Owner, id: string): string => `${session ?? ''} ${id}`;

export function createResponseStore(): ResponseStore {
  const entries = createEntries();
  return {
    get(owner, id, now) {
      const name = nameOf(owner, id);
      const entry = entries.get(name);
      if (entry === undefined || entry.owner.key !== owner.key) return null;
      if (entry.expiresAt <= now) {
        entries.drop(name);
        return null;
      }
      entries.put(name, { ...entry, expiresAt: now + entry.keepMs });
      return entry.stored;
    },
    set(owner, id, stored, { maxBytes, keepMs }, now) {
      entries.dropExpired(now);
      const name = nameOf(owner, id);
      const before = entries.get(name);
      if (id === '' || id.length > MAX_ID || (before !== undefined && before.owner.key !== owner.key)) return;
      const size = ownSize(stored) + sizeOf(stored.turn);
      // Room for it would take all there is from others, for nothing.
      if (size > maxBytes) return;
      entries.put(name, { owner, stored, size, keepMs, expiresAt: now + keepMs });
      while (entries.bytes > maxBytes && entries.size > 0) entries.dropLeastUsed();
    },
    remove(owner, id) {
      const name = nameOf(owner, id);
      if (entries.get(name)?.owner.key === owner.key) entries.drop(name);
    },
    forget: (session) => entries.dropSession(session),
    get bytes() {
      return entries.bytes;
    },
    get size() {
      return entries.size;
    },
  };
}

/** Names of a key's entries in order of last use, and what they take. */
type Held = { readonly names: Set<string>; bytes: number };

const oldestOf = (names: ReadonlySet<string>): string => names.values().next().value as string;

/** Entries by name, and what each key and each connection has of them. */
function createEntries() {
  const entries = new Map<string, Entry>();
  const keys = new Map<string | null, Held>();
  const sessions = new Map<string, Set<string>>();
  const turns = createTurnCount();
  let own = 0;

  const drop = (name: string): void => {
    const entry = entries.get(name);
    if (entry === undefined) return;
    const { key, session } = entry.owner;
    entries.delete(name);
    turns.release(entry.stored.turn);
    own -= ownSize(entry.stored);
    const held = keys.get(key);
    if (held !== undefined) {
      held.bytes -= entry.size;
      held.names.delete(name);
      if (held.names.size === 0) keys.delete(key);
    }
    if (session === null) return;
    const names = sessions.get(session);
    names?.delete(name);
    if (names?.size === 0) sessions.delete(session);
  };
  return {
    drop,
    get: (name: string): Entry | undefined => entries.get(name),
    put(name: string, entry: Entry): void {
      turns.retain(entry.stored.turn);
      drop(name);
      own += ownSize(entry.stored);
      entries.set(name, entry);
      const { key, session } = entry.owner;
      const held = keys.get(key) ?? { names: new Set<string>(), bytes: 0 };
      held.bytes += entry.size;
      keys.set(key, held);
      held.names.add(name);
      if (session !== null) sessions.set(session, (sessions.get(session) ?? new Set()).add(name));
    },
    dropExpired(now: number): void {
      for (const { names } of keys.values()) {
        for (const name of names) {
          if ((entries.get(name)?.expiresAt ?? 0) > now) break;
          drop(name);
        }
      }
    },
    dropLeastUsed(): void {
      let most: Held | null = null;
      for (const held of keys.values()) if (most === null || held.bytes > most.bytes) most = held;
      if (most !== null) drop(oldestOf(most.names));
    },
    dropSession(session: string): void {
      for (const name of sessions.get(session) ?? []) drop(name);
    },
    get bytes(): number {
      return own + turns.bytes;
    },
    get size(): number {
      return entries.size;
    },
  };
}

/** The output of an answer that is kept whole is a part of it. */
const ownSize = ({ response }: StoredResponse): number => OVERHEAD + (response?.length ?? 0);

const sizeOf = ({ input, output }: Turn): number => OVERHEAD + input.length + output.length;

/** Turns that are still gone on from, each counted once, however many do. */
function createTurnCount() {
  const counts = new Map<Turn, number>();
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    retain(last: Turn): void {
      for (let turn: Turn | null = last; turn !== null; turn = turn.parent) {
        const count = counts.get(turn) ?? 0;
        counts.set(turn, count + 1);
        // Whoever holds this one holds what came before it already.
        if (count > 0) return;
        bytes += sizeOf(turn);
      }
    },
    release(last: Turn): void {
      for (let turn: Turn | null = last; turn !== null; turn = turn.parent) {
        const count = (counts.get(turn) ?? 0) - 1;
        if (count > 0) {
          counts.set(turn, count);
          return;
        }
        counts.delete(turn);
        bytes -= sizeOf(turn);
      }
    },
  };
}
