import type { InvariantId, Violation } from './invariant.ts';

export type Blame = (request: string | null, what: string) => void;

/** Collects what breaks one promise. */
export function collect(invariant: InvariantId, find: (blame: Blame) => void): readonly Violation[] {
  const violations: Violation[] = [];
  find((request, what) => violations.push({ invariant, request, what }));
  return violations;
}
