/** One deliberate fault in the product, and the tests that must see it. */
export type Mutant = {
  /** What is broken, in words: `health: a failure is counted twice`. */
  readonly name: string;
  /** Below `src/`. */
  readonly file: string;
  /** Exact text that stands once in the file. */
  readonly from: string;
  readonly to: string;
  /** Test files, as few as will do; one of their tests must fail. */
  readonly tests: readonly string[];
};

/** What a worker is asked: run these tests, with this fault in its tree. */
export type Job = {
  readonly fault: Pick<Mutant, 'file' | 'from' | 'to'> | null;
  readonly tests: readonly string[];
};

/** What came of it. `trouble`: an error that belongs to no test. */
export type Seen = {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly trouble: string | null;
};
