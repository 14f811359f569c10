import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../test/kit/facts.ts';
import { appendAll, openStore } from '../../test/kit/sqlite-store.ts';
import { viewRequest } from '../management/request-view.ts';
import { readLedger, recordedOf } from './recorded-requests.ts';

const AT = 1_700_000_000_000;

describe('recordedOf', () => {
  it('reads moments, routes and holds out of what the management API shows', () => {
    const facts = factsOf('req_1', AT);
    const ledger = foldFacts([
      facts.started({ asked: 'alias', stream: true }),
      facts.attempt(1),
      facts.head(1, 429),
      facts.attemptEnded(1, { outcome: 'rate_limited', phase: 'preflight', cooldownUntil: AT + 30_000 }),
      facts.ended({ outcome: 'rate_limited', status: 429, servedBy: null }),
    ]);
    expect(recordedOf(viewRequest(ledger))).toEqual({
      id: 'req_1',
      at: AT,
      model: 'alias',
      protocol: 'openai-chat',
      stream: true,
      key: null,
      outcome: 'rate_limited',
      servedBy: null,
      durationMs: 100,
      isPlanned: true,
      attempts: [
        {
          route: 'a/m#default',
          at: AT + 10,
          outcome: 'rate_limited',
          headAt: AT + 12,
          firstOutputAt: null,
          endedAt: AT + 16,
          heldUntil: AT + 30_000,
          outputTokens: null,
        },
      ],
    });
  });

  it('tells what was refused before any plan', () => {
    const facts = factsOf('req_1', AT);
    const ended = facts.ended({ outcome: 'rejected', rejected: true, servedBy: null, status: 404 });
    expect(recordedOf(viewRequest(foldFacts([facts.started(), ended])))).toMatchObject({ isPlanned: false });
  });
});

describe('readLedger', () => {
  it('reads the newest since a moment, page by page, and knows where there is none', async () => {
    const { store, stateDir } = openStore();
    appendAll(store, Array.from({ length: 510 }, (_, i) => wholeRequest(`r${i}`, AT + i * 1_000)).flat());
    await store.close();
    const idsOf = (since: number, most: number) => readLedger(stateDir, since, most)?.requests.map(({ id }) => id);
    expect(idsOf(AT + 507_500, 10)).toEqual(['r509', 'r508']);
    expect(idsOf(AT + 3_000, 1_000)).toHaveLength(507);
    expect(idsOf(0, 505)?.at(-1)).toBe('r5');
    const hasMore = (since: number, most: number) => readLedger(stateDir, since, most)?.hasMore;
    expect([509, 510, 511].map((most) => hasMore(0, most))).toEqual([true, false, false]);
    expect([1, 2].map((most) => hasMore(AT + 507_500, most))).toEqual([true, false]);
    expect(readLedger(join(stateDir, 'none'), 0, 10)).toBeNull();
  });
});
