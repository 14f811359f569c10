import { describe, expect, it } from 'vitest';
import { modelOf, reportOf, routeOf } from '../../../test/kit/fake-prober.ts';
import { createRunTally, type RunTally, type ToldRequest } from './run-tally.ts';
import { renderSummary } from './summary.ts';
import { tellTally, type VerdictFile } from './verdict-file.ts';

const told = (more: Partial<ToldRequest>): ToldRequest => ({
  id: 'req_1',
  model: 'main',
  outcome: 'overloaded',
  component: 'target',
  reason: 'overloaded',
  status: 503,
  ms: 1234,
  attempts: ['a/m overloaded 503', 'b/m timeout_first_output'],
  blame: 'capacity',
  retryOf: null,
  madeGood: false,
  ...more,
});

const verdictOf = (tally: RunTally, more: Partial<VerdictFile> = {}): VerdictFile => ({
  contract: 'understudy-run-v1',
  outcome: 'failed',
  component: 'capacity',
  message: 'no capacity',
  exit_code: 1,
  command: { name: 'npm', started: true, exit_code: 1, signal: null },
  forwarded: [],
  started_at: '2026-11-30T12:00:00.000Z',
  ended_at: '2026-11-30T12:01:00.000Z',
  duration_ms: 60_000,
  model: 'main',
  readiness: { model: 'main', wanted: 1, ready: 1, waited_ms: 800 },
  ...tellTally(tally),
  contacted: true,
  faults: 0,
  ...more,
});

const render = (tally: RunTally, more: Partial<VerdictFile> = {}, notices: readonly string[] = []): string =>
  renderSummary({
    verdict: verdictOf(tally, more),
    tally,
    report: reportOf([modelOf('main', [routeOf('a/m#k', 'ready'), routeOf('b/m#k', 'rejected')])]),
    notices,
  });

function busyTally(): RunTally {
  const tally = createRunTally();
  Object.assign(tally, { requests: 4, served: 2, recovered: 1, left: 1, probes: 3 });
  tally.outcomes.set('ok', 2).set('overloaded', 1).set('client_closed', 1);
  tally.models.set('main', { asked: 4, served: 2, lost: 1, tokens: { input: 20, output: 10, untold: 1 } });
  tally.targets.set('a/m', {
    attempts: 3,
    served: 2,
    longestMs: 5310,
    firstOutput: { count: 2, sumMs: 1000, longestMs: 812 },
    failures: new Map([['overloaded', 1]]),
  });
  tally.lost.set('req_1', told({}));
  tally.failovers.push(told({ id: 'req_2', attempts: ['b/m auth 401', 'a/m ok 200'] }));
  return tally;
}

describe('the summary', () => {
  it('tells what was asked, who served, what was lost, what failed over and why, and who was slow', () => {
    const text = render(busyTally(), {}, ['warn: the disk is nearly full']);
    for (const line of [
      '- verdict: failed, component `capacity`',
      '- command: `npm`, exit code 1, 60.0 s',
      '- no capacity',
      '- waited 800 ms for 1 of main',
      '| main | 2 | 1 | 0 | 0 | 1 | 0 |',
      '4 requests: 2 served, 1 of them after a failure; 1 given up by their client. Ends: ok 2, overloaded 1, client_closed 1.',
      '| main | 4 | 2 | 1 | 20 | 10 | 1 |',
      '| a/m | 2 | 3 | overloaded 1 |',
      '| `req_1` | main | overloaded | 503 | 1.2 s | capacity | a/m overloaded 503 → b/m timeout_first_output |',
      '| `req_2` | main | 1.2 s | b/m auth 401 → a/m ok 200 |',
      '| a/m | 5.3 s | 500 ms | 812 ms |',
      '- warn: the disk is nearly full',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toContain('Cost: unknown');
  });

  it('says it where nothing was asked, and leaves out what there is nothing of', () => {
    const text = render(createRunTally(), { message: null, component: 'never_contacted' });
    expect(text).toContain('the command made no request for a model');
    expect(text.match(/^## .*$/gm)).toEqual(['## Readiness', '## What was asked']);
  });

  it('says of a command that was not started how the run ended', () => {
    const command = { name: 'npm', started: false, exit_code: null, signal: null };
    const text = render(createRunTally(), { exit_code: 3, duration_ms: 168, command });
    expect(text).toContain('- command: `npm`, not started; run ended with 3, 168 ms');
    expect(text).toContain('Nothing: the command was not started.');
  });

  it('is cut where there is too much', () => {
    const tally = busyTally();
    for (let n = 0; n < 100; n++) tally.lost.set(`r${n}`, told({ id: `r${n}` }));
    expect(render(tally)).toContain('51 more are in requests.jsonl.');
  });

  it('lets no name be read as Markdown or HTML', () => {
    const tally = busyTally();
    tally.models.set('x|y\n## <img src=x> [a](b) `c` *d*', {
      asked: 1,
      served: 0,
      lost: 0,
      tokens: { input: 0, output: 0, untold: 0 },
    });
    const line = render(tally)
      .split('\n')
      .find((each) => each.includes('img'));
    expect(line).toBe('| x\\|y ## &lt;img src=x&gt; \\[a\\](b) \\`c\\` \\*d\\* | 1 | 0 | 0 | 0 | 0 | 0 |');
  });

  it('names a signal, and what a repeat made good', () => {
    const tally = createRunTally();
    Object.assign(tally, { requests: 1 });
    tally.lost.set('req_1', told({ madeGood: true, reason: null }));
    const text = render(tally, {
      exit_code: 137,
      command: { name: 'x', started: true, exit_code: null, signal: 'SIGKILL' },
    });
    expect(text).toContain('`x`, ended by SIGKILL, exit code 137');
    expect(text).toContain('nobody: its client asked again, and was served');
  });
});
