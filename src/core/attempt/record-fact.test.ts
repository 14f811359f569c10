import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../test/kit/facts.ts';
import type { Fact, RequestLedger } from './ledger.ts';
import { recordFact } from './record-fact.ts';

const facts = factsOf('req_1');
const OPEN = [facts.started(), facts.attempt(1)];
const SERVED = [...OPEN, facts.head(1), facts.committed(1)];
const FAILED = [...OPEN, facts.attemptEnded(1, { outcome: 'server_error' })];

function fold(list: readonly Fact[]): { ledger: RequestLedger | null; violations: string[] } {
  let ledger: RequestLedger | null = null;
  const violations: string[] = [];
  for (const fact of list) {
    const recorded = recordFact(ledger, fact);
    if (recorded.violation !== null) {
      expect(recorded.ledger).toBe(ledger);
      violations.push(recorded.violation);
    }
    ledger = recorded.ledger;
  }
  return { ledger, violations };
}

describe('recordFact', () => {
  it.each<[string, readonly Fact[], Fact, string]>([
    ['a fact before the start', [], facts.head(1), 'head of a request that has not started'],
    ['an attempt behind the commit', SERVED, facts.attempt(2), 'attempt 2 started after the commit'],
    ['a gap between attempts', FAILED, facts.attempt(3), 'attempt 3 behind attempt 1'],
    ['an attempt before the first', OPEN, facts.attempt(0), 'attempt 0 behind attempt 1'],
    ['an end with an attempt open', OPEN, facts.ended(), 'the request ended while attempt 1 had no end'],
    [
      'a second commit',
      [...FAILED, facts.attempt(2), facts.committed(2), facts.attempt(2)],
      facts.committed(1),
      'attempt 1 committed after attempt 2',
    ],
    [
      'another end of an attempt',
      FAILED,
      facts.attemptEnded(1, { outcome: 'ok' }),
      'second end of attempt 1: ok after server_error',
    ],
    [
      'another end of the request',
      [...FAILED, facts.ended({ outcome: 'server_error' })],
      facts.ended({ outcome: 'ok' }),
      'second end of the request: ok after server_error',
    ],
  ])('refuses %s, and says so', (_name, before, fact, violation) => {
    expect(fold([...before, fact]).violations).toEqual([violation]);
  });

  it('takes what it has already for nothing new', () => {
    const all = [...SERVED, facts.attemptEnded(1), facts.ended()];
    const { ledger, violations } = fold(all);
    expect(violations).toEqual([]);
    expect(fold([...all, ...all])).toEqual({ ledger, violations: [] });
  });
});
