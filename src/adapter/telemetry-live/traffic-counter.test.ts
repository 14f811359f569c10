import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import type { RequestLedger } from '../../core/attempt/ledger.ts';
import type { Outcome } from '../../core/failure/outcome.ts';
import { createLiveTelemetry } from './live-telemetry.ts';

const START = 1_700_000_000_000;
const MINUTE = 60_000;

function setUp() {
  const time = { now: START };
  const live = createLiveTelemetry({ now: () => time.now, mark: 'boot' });
  const play = (ledger: RequestLedger): void => {
    for (const attempt of ledger.attempts) {
      live.telemetry.attemptStarted(ledger.started, attempt);
      if (attempt.outcome !== null) live.telemetry.attemptEnded(ledger.started, attempt);
    }
    if (ledger.ended !== null) live.telemetry.requestEnded(ledger);
  };
  return { time, play, read: (windowMs = 5 * MINUTE) => live.traffic.read(windowMs) };
}

function failedOver(id: string, first: Outcome): RequestLedger {
  const facts = factsOf(id, START);
  return foldFacts([
    facts.started(),
    facts.attempt(1),
    facts.attemptEnded(1, { outcome: first }),
    facts.attempt(2, { target: 'b/m', route: 'b/m#k' }),
    facts.head(2),
    facts.committed(2),
    facts.attemptEnded(2),
    facts.ended({ servedBy: 'b/m' }),
  ]);
}

function ended(id: string, outcome: Outcome, change: { readonly rejected?: boolean; readonly kind?: 'probe' } = {}) {
  const facts = factsOf(id, START);
  const { rejected = false, kind } = change;
  const attempts = rejected ? [] : [facts.attempt(1), facts.attemptEnded(1, { outcome })];
  const started = facts.started(kind === undefined ? {} : { kind });
  return foldFacts([started, ...attempts, facts.ended({ outcome, rejected, servedBy: null })]);
}

describe('traffic', () => {
  it('tells what clients saw from what they never saw', () => {
    const { play, read } = setUp();
    for (const id of ['r1', 'r2', 'r3']) play(foldFacts(wholeRequest(id, START)));
    play(failedOver('r4', 'overloaded'));
    play(failedOver('r5', 'overloaded'));
    // A connection that had died under it is nobody's failure.
    play(failedOver('r6', 'stale_socket'));
    play(ended('r7', 'server_error'));
    play(ended('r8', 'client_closed'));
    play(ended('r9', 'rejected', { rejected: true }));
    play(ended('r10', 'server_error', { kind: 'probe' }));
    const { requests, attempts, unseenFailures, targets } = read();
    expect(requests).toEqual({ total: 9, ok: 6, firstOk: 4, saved: 2, failed: 1, rejected: 1, left: 1 });
    expect(unseenFailures).toBe(2);
    expect(attempts).toEqual({ total: 11, failed: 3 });
    expect(targets.map(({ target, failed, outcomes }) => [target, failed, [...outcomes]])).toEqual([
      [
        'a/m',
        3,
        [
          ['overloaded', 2],
          ['server_error', 1],
        ],
      ],
      ['b/m', 0, []],
    ]);
  });

  it.each(['probe', 'count'] as const)('has nothing of a %s, under way or ended', (kind) => {
    const { play, read } = setUp();
    const facts = factsOf('r1', START);
    const open = [facts.started({ kind }), facts.attempt(1)];
    play(foldFacts(open));
    expect(read().underWay).toEqual({ count: 0, newest: [] });
    const end = [
      facts.attemptEnded(1, { outcome: 'server_error' }),
      facts.ended({ outcome: 'server_error', servedBy: null }),
    ];
    play(foldFacts([...open, ...end]));
    expect(read()).toMatchObject({ requests: { total: 0 }, attempts: { total: 0, failed: 0 }, targets: [] });
  });

  it('forgets what is older than its window, in steps of ten seconds', () => {
    const { time, play, read } = setUp();
    play(foldFacts(wholeRequest('r1')));
    time.now = START + 4 * MINUTE;
    play(foldFacts(wholeRequest('r2')));
    expect(read().requests.total).toBe(2);
    expect(read(MINUTE).requests.total).toBe(1);
    time.now = START + 6 * MINUTE;
    expect(read()).toMatchObject({ requests: { total: 1 }, stepMs: 10_000 });
    expect(
      read()
        .series.map(({ total }) => total)
        .join(''),
    ).toMatch(/^0*10*$/);
    expect(read().series).toHaveLength(30);
    time.now = START + 2 * 60 * MINUTE;
    expect(read(60 * MINUTE).requests.total).toBe(0);
    play(foldFacts(wholeRequest('r3')));
    expect(read(60 * MINUTE).requests.total).toBe(1);
  });

  it('counts from its own start on, and says so', () => {
    const { time, read } = setUp();
    time.now = START + 2_000;
    expect(read().since).toBe(START);
    time.now = START + 60 * MINUTE;
    expect(read().since).toBeGreaterThan(START);
  });

  it('tells a long window in minutes', () => {
    const { time, play, read } = setUp();
    for (let n = 0; n < 12; n++) {
      time.now = START + n * 10_000;
      play(foldFacts(wholeRequest(`r${n}`)));
    }
    const { series, stepMs } = read(60 * MINUTE);
    expect(stepMs).toBe(MINUTE);
    expect(series.length).toBeLessThanOrEqual(61);
    expect(series.reduce((sum, { total }) => sum + total, 0)).toBe(12);
    expect(series.every(({ at }) => at % MINUTE === 0)).toBe(true);
  });

  it('knows what is under way', () => {
    const { play, read } = setUp();
    const facts = factsOf('r1', START);
    const [started, one] = [facts.started({ stream: true, key: 'ci' }), facts.attempt(1)];
    play(foldFacts([started, one]));
    expect(read().underWay).toEqual({
      count: 1,
      newest: [
        {
          id: 'r1',
          model: 'main',
          protocol: 'openai-chat',
          stream: true,
          key: 'ci',
          startedAt: START,
          attempts: 1,
          target: 'a/m',
        },
      ],
    });
    play(foldFacts(wholeRequest('r1', START)));
    expect(read().underWay).toEqual({ count: 0, newest: [] });
  });
});
