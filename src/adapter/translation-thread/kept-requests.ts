/** Which requests the thread has, the least used first, and how many bytes of them. */
export type KeptRequests = {
  has(id: number): boolean;
  /** It is there now. Gives those that have to go, so that no more than the limit stays; never itself. */
  use(id: number, bytes: number): readonly number[];
  /** False: it was not there. */
  remove(id: number): boolean;
  clear(): void;
};

export function createKeptRequests(limit: number): KeptRequests {
  const kept = new Map<number, number>();
  let total = 0;
  const remove = (id: number): boolean => {
    total -= kept.get(id) ?? 0;
    return kept.delete(id);
  };
  return {
    has: (id) => kept.has(id),
    use(id, bytes) {
      remove(id);
      kept.set(id, bytes);
      total += bytes;
      const gone: number[] = [];
      for (const old of kept.keys()) {
        if (total <= limit || old === id) break;
        remove(old);
        gone.push(old);
      }
      return gone;
    },
    remove,
    clear() {
      kept.clear();
      total = 0;
    },
  };
}
