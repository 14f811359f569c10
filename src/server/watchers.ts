/** Clients that watch what happens, each on a connection of its own until it leaves. */
export interface Watchers {
  /** False: there are too many. `end` is called when the gateway leaves. */
  enter(end: () => void): boolean;
  leave(end: () => void): void;
  endAll(): void;
  count(): number;
}

/** More pages than one gateway is watched on. */
const MAX_WATCHERS = 64;

export function createWatchers(): Watchers {
  const ends = new Set<() => void>();
  return {
    enter(end) {
      if (ends.size >= MAX_WATCHERS) return false;
      ends.add(end);
      return true;
    },
    leave: (end) => void ends.delete(end),
    endAll() {
      for (const end of ends) end();
    },
    count: () => ends.size,
  };
}
