/** What one request holds. */
export type Holding = {
  /** Bytes by now. */
  set(bytes: number): void;
  /** It holds nothing any more, whatever is still said of it. */
  close(): void;
};

/** Bytes held for clients, over all requests. */
export type Holdings = {
  readonly total: number;
  open(): Holding;
};

/**
 * Kept as a sum, since each piece of each body that comes in asks for it: walking all requests for that would cost most
 * where there are most.
 */
export function createHoldings(): Holdings {
  let total = 0;
  return {
    get total() {
      return total;
    },
    open() {
      let held = 0;
      let isClosed = false;
      const set = (bytes: number): void => {
        if (isClosed) return;
        total += bytes - held;
        held = bytes;
      };
      return {
        set,
        close() {
          set(0);
          isClosed = true;
        },
      };
    },
  };
}
