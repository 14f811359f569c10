import { type LedgerCheck, MAX_REFUSED, type RefusedFact } from '../../port/ledger-store.ts';

/** So many are remembered; of older ones the number and the time of the last. */
const MAX_REMEMBERED = 1_000;

export type RefusedFacts = { add(fact: RefusedFact): void; since(since: number): LedgerCheck['violations'] };

/** Facts that a ledger in memory refused, as far as a check names them. */
export function createRefusedFacts(): RefusedFacts {
  const facts: RefusedFact[] = [];
  let forgotten = 0;
  let forgottenAt = Number.NEGATIVE_INFINITY;
  return {
    add(fact) {
      facts.push(fact);
      if (facts.length <= MAX_REMEMBERED) return;
      forgotten += 1;
      forgottenAt = Math.max(forgottenAt, facts.shift()?.at ?? 0);
    },
    since(since) {
      const first = facts.filter(({ at }) => at >= since).sort((one, other) => one.at - other.at);
      const count = first.length + (forgottenAt >= since ? forgotten : 0);
      return { count, first: first.slice(0, MAX_REFUSED) };
    },
  };
}
