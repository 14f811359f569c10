type Gathered<T> = { readonly add: (things: Iterable<T>) => void; readonly stop: () => void };

type GatherOptions<T> = {
  readonly everyMs: number;
  readonly flush: (things: ReadonlySet<T>) => void;
  readonly now?: () => number;
  /** Calls back once; what it gives back takes that back. */
  readonly later?: (run: () => void, ms: number) => () => void;
};

/** Passes things on at once, but no oftener than every so many ms: what comes meanwhile goes together, each thing once. */
export function gather<T>({ everyMs, flush, now = Date.now, later = byTimer }: GatherOptions<T>): Gathered<T> {
  let waiting = new Set<T>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  const pass = (): void => {
    cancel = null;
    lastAt = now();
    const things = waiting;
    waiting = new Set();
    flush(things);
  };
  return {
    add(things) {
      for (const thing of things) waiting.add(thing);
      if (waiting.size === 0 || cancel !== null) return;
      const wait = lastAt + everyMs - now();
      if (wait <= 0) pass();
      else cancel = later(pass, wait);
    },
    stop() {
      cancel?.();
      cancel = null;
      waiting.clear();
    },
  };
}

function byTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
