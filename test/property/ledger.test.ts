import { expect, test } from 'vitest';
import type { Fact, RequestLedger } from '../../src/core/attempt/ledger.ts';
import { recordFact } from '../../src/core/attempt/record-fact.ts';
import { OUTCOMES } from '../../src/core/failure/outcome.ts';
import { takeRuns, takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';

const REQUEST = 'req_1';
const KINDS = ['request_started', 'attempt_started', 'head', 'committed', 'attempt_ended', 'request_ended'] as const;

/** Any fact at any moment, most of them out of place: a scheduler that has lost its mind. */
function randomFact(random: () => number, at: number): Fact {
  const n = 1 + Math.floor(random() * 4);
  const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'head';
  const outcome = OUTCOMES[Math.floor(random() * OUTCOMES.length)] ?? 'ok';
  const base = { request: random() < 0.98 ? REQUEST : 'req_2', at };
  switch (kind) {
    case 'request_started':
      return {
        ...base,
        type: kind,
        owner: { boot: 'b', worker: 0 },
        model: 'main',
        asked: null,
        protocol: 'openai-chat',
        stream: true,
        key: null,
        clientRequestId: null,
        clientRetryOf: null,
        plan: null,
      };
    case 'attempt_started':
      return {
        ...base,
        type: kind,
        n,
        route: 'a/m#k',
        target: 'a/m',
        credential: 'k',
        endpoint: 'a:1',
        why: '',
        charged: true,
        trial: false,
        plan: null,
      };
    case 'head':
      return { ...base, type: kind, n, status: 200 };
    case 'committed':
      return { ...base, type: kind, n };
    case 'attempt_ended':
      return {
        ...base,
        type: kind,
        n,
        outcome,
        phase: 'done',
        failure: null,
        reason: null,
        usage: null,
        cooldownUntil: null,
      };
    case 'request_ended':
      return {
        ...base,
        type: kind,
        outcome,
        status: 200,
        component: null,
        reason: null,
        servedBy: null,
        edits: [],
        skipped: [],
        rejected: false,
      };
  }
}

function law(isKept: boolean, text: string): void {
  if (!isKept) expect.fail(text);
}

function checkLedger(before: RequestLedger | null, after: RequestLedger | null, fact: Fact): void {
  if (after === null) return;
  law(
    after.attempts.every((attempt, i) => attempt.n === i + 1),
    'attempts are numbered without gaps',
  );
  law(after.attempts.filter(({ committedAt }) => committedAt !== null).length <= 1, 'one attempt is committed');
  law(
    after.attempts.every((attempt) => (attempt.outcome === null) === (attempt.endedAt === null)),
    'an end has a moment',
  );
  law(
    after.ended === null || after.attempts.every(({ outcome }) => outcome !== null),
    'no request ends over an open attempt',
  );
  if (before === null) return;
  law(before.ended === null || before.ended === after.ended, 'the end of a request is never overwritten');
  law(before.ended === null || before.attempts.length === after.attempts.length, 'nothing starts behind the end');
  law(
    before.committed === null || after.attempts.length === before.attempts.length,
    'nothing starts behind the commit',
  );
  for (const [i, attempt] of before.attempts.entries()) {
    const now = after.attempts[i];
    law(attempt.outcome === null || now === attempt, `attempt ${attempt.n} changed behind its end by ${fact.type}`);
  }
}

test('the ledger keeps its laws under a scheduler that sends anything at any time', () => {
  const generator = createSeededRandom(takeSeed('ledger'));
  const random = (): number => generator.next();
  let refused = 0;
  let complete = 0;
  for (let run = 0; run < takeRuns(20_000); run++) {
    let ledger: RequestLedger | null = null;
    const taken: Fact[] = [];
    for (let at = 0; at < 24; at++) {
      const fact = at === 0 && run % 2 === 0 ? { ...randomFact(() => 0, 0) } : randomFact(random, at);
      const recorded = recordFact(ledger, fact);
      checkLedger(ledger, recorded.ledger, fact);
      if (recorded.violation === null) taken.push(fact);
      else {
        refused++;
        law(recorded.ledger === ledger, 'a refused fact changes nothing');
      }
      ledger = recorded.ledger;
    }
    complete += ledger?.ended == null ? 0 : 1;
    checkReplay(ledger, taken);
  }
  expect(refused).toBeGreaterThan(1000);
  expect(complete).toBeGreaterThan(100);
});

/** A journal read twice is the same request, without a complaint. */
function checkReplay(ledger: RequestLedger | null, taken: readonly Fact[]): void {
  let again = ledger;
  for (const fact of taken) {
    const recorded = recordFact(again, fact);
    law(recorded.violation === null, `replay of ${fact.type}: ${recorded.violation}`);
    again = recorded.ledger;
  }
  law(again === ledger, 'a replay changes nothing');
}

test('a second end is refused and named', () => {
  const facts = [0, 1, 4].map((i) => randomFact(sequence([0, 0, (i + 0.5) / KINDS.length, 0.1]), i));
  const ledger = facts.reduce<RequestLedger | null>((state, fact) => recordFact(state, fact).ledger, null);
  expect(ledger?.attempts).toHaveLength(1);
  const second = recordFact(ledger, {
    type: 'attempt_ended',
    request: REQUEST,
    at: 99,
    n: 1,
    outcome: 'timeout_idle',
    phase: 'sent',
    failure: null,
    reason: null,
    usage: null,
    cooldownUntil: null,
  });
  expect(second.violation).toMatch(/^second end of attempt 1: timeout_idle after /);
  expect(second.ledger).toBe(ledger);
});

/** Numbers in the order in which `randomFact` draws: attempt, kind, outcome, id. */
function sequence([n, , kind, rest]: readonly number[]): () => number {
  const values = [n ?? 0, kind ?? 0, rest ?? 0, rest ?? 0];
  let at = 0;
  return () => values[at++] ?? 0;
}
