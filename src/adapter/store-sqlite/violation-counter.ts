/** Told of a fact that was refused, and of the law that it would have broken. */
export type OnViolation = (law: string, fact: { readonly type: string; readonly request: string }) => void;

export type ViolationCounter = {
  readonly count: number;
  add(law: string, fact: { readonly type: string; readonly request: string }): void;
};

export function createViolationCounter(onViolation: OnViolation | undefined): ViolationCounter {
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(law, fact) {
      count += 1;
      try {
        onViolation?.(law, fact);
      } catch {
        // Appending never throws, and the count has it.
      }
    },
  };
}
