import type { Run } from '../world/run.ts';

export type InvariantId =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's';

export type Violation = {
  readonly invariant: InvariantId;
  /** Null: of the world as a whole. */
  readonly request: string | null;
  readonly what: string;
};

export type Invariant = {
  readonly id: InvariantId;
  /** In a few words, for people. */
  readonly promise: string;
  check(run: Run): readonly Violation[];
};
