import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import { recordFact } from '../../core/attempt/record-fact.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { SeenFact } from './run.ts';

type Entry = { readonly facts: SeenFact[]; ledger: RequestLedger | null };

/** What the facts of a world say, folded as they come, by the product's own rules. */
export type Books = {
  note(fact: Fact): void;
  of(request: string): { readonly facts: readonly SeenFact[]; readonly ledger: RequestLedger | null };
  /** The attempt that was written down and whose send has not been seen yet; taken once. */
  takeStarted(): Extract<Fact, { type: 'attempt_started' }> | null;
  /** All facts, in the order in which they were written. */
  readonly log: readonly SeenFact[];
  /** Facts that break a law of the ledger. */
  readonly violations: readonly string[];
};

export function createBooks(health: () => HealthState): Books {
  const entries = new Map<string, Entry>();
  const started: Extract<Fact, { type: 'attempt_started' }>[] = [];
  const log: SeenFact[] = [];
  const violations: string[] = [];
  const entryOf = (request: string): Entry => {
    const known = entries.get(request);
    if (known !== undefined) return known;
    const entry: Entry = { facts: [], ledger: null };
    entries.set(request, entry);
    return entry;
  };
  return {
    log,
    violations,
    note(fact) {
      const entry = entryOf(fact.request);
      const seen = { fact, health: health() };
      log.push(seen);
      entry.facts.push(seen);
      const { ledger, violation } = recordFact(entry.ledger, fact);
      entry.ledger = ledger;
      if (violation !== null) violations.push(`${fact.request}: ${violation}`);
      if (fact.type === 'attempt_started') started.push(fact);
    },
    of: entryOf,
    takeStarted: () => started.shift() ?? null,
  };
}
