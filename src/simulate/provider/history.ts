/** Values that change over time, and what each was at a moment. Moments come in order. */
export type History<T> = {
  set(at: number, value: T): void;
  now(): T;
  /** As it was when all that happened at this moment had happened. */
  at(moment: number): T;
};

export function createHistory<T>(first: T): History<T> {
  const times: number[] = [];
  const values: T[] = [];
  return {
    set(at, value) {
      times.push(at);
      values.push(value);
    },
    now: () => values.at(-1) ?? first,
    at(moment) {
      let low = 0;
      let high = times.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((times[middle] ?? 0) <= moment) low = middle + 1;
        else high = middle;
      }
      return values[low - 1] ?? first;
    },
  };
}
