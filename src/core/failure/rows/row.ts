import type { Clause, Effect } from '../matcher.ts';

/**
 * One kind of failure. `match` says how it is recognised, `effect` what follows, `columns` the same for people: they
 * are what the documentation prints, and tests hold them against the effects.
 */
export type ClassifierRow = {
  readonly id: string;
  readonly title: string;
  /** How it is recognised, in words (Markdown). */
  readonly description: string;
  readonly match: readonly Clause[];
  readonly effect: Effect;
  readonly columns: {
    readonly outcome: string;
    readonly beforeCommit: string;
    readonly scope: string;
    readonly hold: string;
    readonly circuit: string;
  };
};
