import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts } from '../../../test/kit/facts.ts';
import type { Usage } from '../model/usage.ts';
import { addUsageGroups, countUsage } from './count-usage.ts';

const START = Date.parse('2026-01-31T23:59:59.000Z');
const used = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  outputTokens,
  reasoningTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  source: 'reported',
});

/** One attempt at `a/m` that failed and was paid for, one at `b/m` that answered. */
function failedOver(id: string, at: number, key: string | null = null) {
  const facts = factsOf(id, at);
  return foldFacts([
    facts.started({ key }),
    facts.attempt(1),
    facts.attemptEnded(1, { outcome: 'incomplete_stream', usage: used(10, 1) }),
    facts.attempt(2, { target: 'b/m', route: 'b/m#k' }),
    facts.head(2),
    facts.committed(2),
    facts.attemptEnded(2, { usage: used(10, 5) }),
    facts.ended({ servedBy: 'b/m' }),
  ]);
}

function refused(id: string, at: number) {
  const facts = factsOf(id, at);
  return foldFacts([
    facts.started({ model: '', kind: 'count' }),
    facts.ended({ outcome: 'rejected', rejected: true, servedBy: null, status: 404 }),
  ]);
}

const records = [failedOver('r1', START), failedOver('r2', START + 2_000, 'ci'), refused('r3', START)];

describe('usage', () => {
  it('is counted whole where nothing tells it apart', () => {
    expect(countUsage(records, [])).toEqual([
      {
        by: {},
        requests: 3,
        failed: 1,
        attempts: 4,
        failedAttempts: 2,
        delivered: { answers: 2, unknown: 0, ...tokens(20, 10) },
        all: { answers: 4, unknown: 0, ...tokens(40, 12) },
      },
    ]);
  });

  it('counts a request once for each target that it went to', () => {
    const counted = countUsage(records, ['target']).map(({ by, requests, failedAttempts, delivered, all }) => [
      by.target,
      requests,
      failedAttempts,
      delivered.outputTokens,
      all.outputTokens,
    ]);
    expect(counted).toEqual([
      ['a/m', 2, 2, null, 2],
      ['b/m', 2, 0, 10, 10],
      [null, 1, 0, null, null],
    ]);
  });

  it.each([
    [
      ['model'],
      [
        [{ model: 'main' }, 2],
        [{ model: null }, 1],
      ],
    ],
    [
      ['key'],
      [
        [{ key: null }, 2],
        [{ key: 'ci' }, 1],
      ],
    ],
    [
      ['day'],
      [
        [{ day: '2026-01-31' }, 2],
        [{ day: '2026-02-01' }, 1],
      ],
    ],
    [
      ['kind'],
      [
        [{ kind: 'answer' }, 2],
        [{ kind: 'count' }, 1],
      ],
    ],
    [
      ['key', 'kind'],
      [
        [{ key: null, kind: 'answer' }, 1],
        [{ key: 'ci', kind: 'answer' }, 1],
        [{ key: null, kind: 'count' }, 1],
      ],
    ],
  ] as const)('by %j', (by, wanted) => {
    expect(countUsage(records, by).map((each) => [each.by, each.requests])).toEqual(wanted);
  });

  it('adds up in parts to what it is as a whole', () => {
    for (const by of [[], ['target'], ['model', 'day']] as const) {
      const parts = records.map((record) => countUsage([record], by));
      expect(addUsageGroups(parts)).toEqual(countUsage(records, by));
    }
  });

  it('has nothing of what is under way but its number', () => {
    const facts = factsOf('open');
    const [only] = countUsage([foldFacts([facts.started(), facts.attempt(1)])], []);
    expect(only).toMatchObject({ requests: 1, failed: 0, attempts: 1, failedAttempts: 0, all: { answers: 0 } });
  });
});

const tokens = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  reasoningTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
});
