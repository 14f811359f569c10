import { describe, expect, it } from 'vitest';
import { judgeStop, type StoppedAttempt } from './judge-stop.ts';

const stopped = (change: Partial<StoppedAttempt>) =>
  judgeStop({
    why: 'client_left',
    isCommitted: false,
    terminal: null,
    silentMs: 0,
    firstOutputMs: 120_000,
    ...change,
  });

describe('judgeStop', () => {
  it.each([
    ['client_left', false, 'left', 'client_closed'],
    ['client_left', true, 'left', 'client_closed'],
    ['client_stalled', true, 'left', 'client_closed'],
    ['timeout_commit', false, 'go_on', 'timeout_commit'],
    ['timeout_total', false, 'go_on', 'timeout_total'],
    ['timeout_total', true, 'interrupted', 'interrupted'],
    ['drain', false, 'go_on', 'abandoned'],
    ['drain', true, 'interrupted', 'interrupted'],
  ] as const)('%s, committed: %s', (why, isCommitted, next, outcome) => {
    expect(stopped({ why, isCommitted })).toMatchObject({ next, outcome, observed: 'released' });
  });

  it('a client that has a terminal has its answer; a deadline or a stall does not ask for it', () => {
    const whole = { terminal: 'ok_truncated', isCommitted: true } as const;
    expect(stopped(whole)).toEqual({ next: 'left', outcome: 'ok_truncated', reason: null, observed: 'success' });
    expect(stopped({ ...whole, why: 'client_stalled' }).outcome).toBe('client_closed');
  });

  it.each([
    ['ten seconds are long', { silentMs: 10_001 }, 'slow'],
    ['ten seconds are not too long yet', { silentMs: 10_000 }, 'released'],
    ['a quarter of a short limit is', { silentMs: 1001, firstOutputMs: 4000 }, 'slow'],
    ['and no less of it', { silentMs: 1000, firstOutputMs: 4000 }, 'released'],
    ['behind output silence says nothing here', { silentMs: 60_000, isCommitted: true }, 'released'],
    ['a client that reads nothing did not wait', { silentMs: 60_000, why: 'client_stalled' }, 'released'],
    ['nor did a deadline', { silentMs: 60_000, why: 'timeout_commit' }, 'released'],
  ] as const)('%s', (_, change, observed) => {
    expect(stopped(change).observed).toBe(observed);
  });
});
