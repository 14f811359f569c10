import { describe, expect, it } from 'vitest';
import { readExposition } from '../../../test/kit/exposition.ts';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { AT, BACKLOG, createMetered, PROBE, rescuedRequest, usage } from '../../../test/kit/metered.ts';
import type { ScopeEntry } from '../../core/health/list-scopes.ts';
import type { Usage } from '../../core/model/usage.ts';
import { METRICS } from './metrics.ts';

describe('the page of metrics', () => {
  it('tells of a failure that the client never saw', async () => {
    const { tell, page, lines } = createMetered();
    tell(rescuedRequest('req_1'));
    const text = await page();
    expect(text).toContain(
      [
        '# HELP understudy_requests_total Requests that have ended, refused ones included.',
        '# TYPE understudy_requests_total counter',
        'understudy_requests_total{model="main",protocol="openai-chat",stream="true",outcome="ok",status="2xx"} 1',
        '',
        '# HELP understudy_request_duration_seconds',
      ].join('\n'),
    );
    expect(text).toContain(
      [
        '# TYPE understudy_failover_added_seconds histogram',
        ...[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1].map(
          (le) => `understudy_failover_added_seconds_bucket{le="${le}",model="main"} 0`,
        ),
        ...[2.5, 5, 10, 30, 60, 120, 300, 600, '+Inf'].map(
          (le) => `understudy_failover_added_seconds_bucket{le="${le}",model="main"} 1`,
        ),
        'understudy_failover_added_seconds_sum{model="main"} 1.25',
        'understudy_failover_added_seconds_count{model="main"} 1',
        '',
      ].join('\n'),
    );
    expect(await lines(METRICS.rescued)).toEqual(['understudy_requests_rescued_total{model="main"} 1']);
    expect(await lines(METRICS.attempts)).toEqual([
      'understudy_attempts_total{target="a/m",outcome="overloaded"} 1',
      'understudy_attempts_total{target="b/m",outcome="ok"} 1',
    ]);
    expect(await lines(METRICS.inputTokens)).toEqual(['understudy_input_tokens_total{model="main"} 12']);
    expect(await lines(METRICS.outputTokens)).toEqual(['understudy_output_tokens_total{model="main"} 3']);
    expect(await lines(METRICS.usageUnknown)).toEqual(['understudy_usage_unknown_total{model="main"} 0']);
    const { series } = readExposition(text);
    const valuesOf = (name: string) => series.filter((one) => one.name === name).map(({ value }) => value);
    expect(valuesOf('understudy_request_duration_seconds_sum')).toEqual([2.5]);
    expect(valuesOf('understudy_first_output_seconds_sum')).toEqual([1.4]);
    expect(valuesOf('understudy_attempt_duration_seconds_sum')).toEqual([0.006, 1.14]);
  });

  it('counts probes by provider and by what they showed', async () => {
    const { telemetry, lines } = createMetered();
    telemetry.probeEnded({ ...PROBE, state: 'ready' });
    telemetry.probeEnded({ ...PROBE, state: 'ready', target: 'a/found' });
    telemetry.probeEnded({ ...PROBE, state: 'rejected', target: 'stranger/m' });
    expect(await lines(METRICS.probes)).toEqual([
      'understudy_probes_total{provider="a",state="ready"} 2',
      'understudy_probes_total{provider="other",state="rejected"} 1',
    ]);
  });

  it('puts a span into the bucket whose bound it does not pass', async () => {
    const { telemetry, lines } = createMetered();
    for (const [id, ms] of [
      ['r1', 100],
      ['r2', 100.001],
      ['r3', -5],
      ['r4', 5_000_000],
      ['r5', Number.NaN],
    ] as const) {
      const facts = factsOf(id, AT);
      const request = foldFacts([
        facts.started(),
        { ...facts.attempt(), at: AT },
        { ...facts.attemptEnded(1), at: AT + ms },
      ]);
      telemetry.attemptEnded(request.started, attemptOf(request, 1));
    }
    const told = await lines(METRICS.attemptDuration);
    const counts = told
      .filter((line) => line.includes('_bucket'))
      .map((line) => line.replace(/.*le="([^"]+)".*\} /, '$1 '));
    expect(counts.slice(0, 3)).toEqual(['0.1 2', '0.25 3', '0.5 3']);
    expect(counts.slice(-2)).toEqual(['600 3', '+Inf 4']);
    expect(told.slice(-2)).toEqual([
      'understudy_attempt_duration_seconds_sum{target="a/m",result="ok"} 5000.200001',
      'understudy_attempt_duration_seconds_count{target="a/m",result="ok"} 4',
    ]);
  });

  it('counts what nobody told as unknown, never as 0', async () => {
    const { tell, lines } = createMetered();
    const facts = factsOf('r', AT);
    const withUsage = (told: Usage | null) =>
      foldFacts([
        facts.started(),
        facts.attempt(),
        facts.head(),
        facts.committed(),
        facts.attemptEnded(1, { usage: told }),
        facts.ended(),
      ]);
    tell(withUsage(usage({ inputTokens: 7 })));
    tell(withUsage(null));
    tell(withUsage(usage({ inputTokens: 1, outputTokens: 0 })));
    expect(await lines(METRICS.inputTokens)).toEqual(['understudy_input_tokens_total{model="main"} 8']);
    expect(await lines(METRICS.outputTokens)).toEqual(['understudy_output_tokens_total{model="main"} 0']);
    expect(await lines(METRICS.usageUnknown)).toEqual(['understudy_usage_unknown_total{model="main"} 2']);
  });

  it('rescues nobody where all failed, where nobody failed, or where the client left', async () => {
    const { tell, lines } = createMetered();
    const facts = factsOf('r', AT);
    const failed = [facts.started(), facts.attempt(), facts.attemptEnded(1, { outcome: 'server_error' })];
    tell(foldFacts([...failed, facts.ended({ outcome: 'server_error', status: 502 })]));
    tell(foldFacts([...failed, facts.ended({ outcome: 'client_closed', status: null })]));
    tell(foldFacts(wholeRequest('r')));
    const stale = facts.attemptEnded(1, { outcome: 'stale_socket' });
    const answered = [facts.attempt(2, { charged: false }), facts.head(2), facts.committed(2), facts.attemptEnded(2)];
    tell(foldFacts([facts.started(), facts.attempt(), stale, ...answered, facts.ended()]));
    expect(await lines(METRICS.rescued)).toEqual(['understudy_requests_rescued_total{model="main"} 0']);
    expect(await lines(METRICS.failoverAdded)).toEqual([]);
    expect((await lines(METRICS.attemptDuration)).filter((line) => line.includes('_count'))).toEqual([
      'understudy_attempt_duration_seconds_count{target="a/m",result="failed"} 2',
      'understudy_attempt_duration_seconds_count{target="a/m",result="ok"} 2',
    ]);
    expect((await lines(METRICS.requests)).map((line) => line.replace(/.*,outcome/, 'outcome'))).toEqual([
      'outcome="server_error",status="5xx"} 1',
      'outcome="client_closed",status="none"} 1',
      'outcome="ok",status="2xx"} 2',
    ]);
  });

  it('counts failures behind a stale connection, from the attempt that could have answered', async () => {
    const { tell, lines } = createMetered();
    const facts = factsOf('r', AT);
    tell(
      foldFacts([
        facts.started(),
        facts.attempt(1),
        facts.attemptEnded(1, { outcome: 'stale_socket' }),
        facts.attempt(2, { charged: false }),
        facts.attemptEnded(2, { outcome: 'bad_gateway' }),
        facts.attempt(3, { target: 'b/m' }),
        facts.head(3),
        facts.committed(3),
        facts.attemptEnded(3),
        facts.ended(),
      ]),
    );
    expect((await lines(METRICS.failoverAdded)).slice(-2)).toEqual([
      'understudy_failover_added_seconds_sum{model="main"} 0.01',
      'understudy_failover_added_seconds_count{model="main"} 1',
    ]);
  });

  it('leaves refused requests out of all but the count', async () => {
    const { tell, lines } = createMetered();
    const facts = factsOf('r', AT);
    tell(foldFacts([facts.started({ model: 'nobody' }), facts.ended({ outcome: 'rejected', status: 404 })]));
    expect(await lines(METRICS.requests)).toEqual([
      'understudy_requests_total{model="other",protocol="openai-chat",stream="false",outcome="rejected",status="4xx"} 1',
    ]);
    expect(await lines(METRICS.requestDuration)).toEqual([]);
    expect(await lines(METRICS.rescued)).toEqual([]);
  });

  it('shows gauges as they are when it is made', async () => {
    const scope = (kind: ScopeEntry['kind'], id: string, change: Partial<ScopeEntry>): ScopeEntry => ({
      kind,
      id,
      target: null,
      credential: null,
      endpoint: null,
      state: 'ready',
      reason: 'a reason that quotes sk-secret-1234567890',
      since: null,
      until: null,
      failures: 0,
      last: null,
      ...change,
    });
    let entries: readonly ScopeEntry[] = [];
    let inFlight = 0;
    const { page, lines } = createMetered({ scopes: () => entries, inFlight: () => inFlight, buffered: () => 12_345 });
    expect(await lines(METRICS.inFlight)).toEqual(['understudy_requests_in_flight 0']);
    inFlight = 3;
    entries = [
      scope('route', 'a/m#k', { state: 'open', until: AT + 10_500 }),
      scope('route', 'b/m#k', { state: 'slow', until: AT + 60_000 }),
      scope('credential', 'a/k', { state: 'rejected', until: AT - 1 }),
      scope('endpoint', 'a.test:443', { state: 'disabled' }),
    ];
    expect(await lines(METRICS.inFlight)).toEqual(['understudy_requests_in_flight 3']);
    expect(await lines(METRICS.buffered)).toEqual(['understudy_buffered_bytes 12345']);
    expect(await lines(METRICS.scopeState)).toEqual([
      'understudy_scope_state{scope="route",id="a/m#k"} 4',
      'understudy_scope_state{scope="route",id="b/m#k"} 1',
      'understudy_scope_state{scope="credential",id="a/k"} 5',
      'understudy_scope_state{scope="endpoint",id="a.test:443"} 6',
    ]);
    expect(await lines(METRICS.scopeHold)).toEqual([
      'understudy_scope_hold_seconds{scope="route",id="a/m#k"} 10.5',
      'understudy_scope_hold_seconds{scope="route",id="b/m#k"} 0',
      'understudy_scope_hold_seconds{scope="credential",id="a/k"} 0',
      'understudy_scope_hold_seconds{scope="endpoint",id="a.test:443"} 0',
    ]);
    expect(await page()).not.toContain('sk-secret');
    entries = Array.from({ length: 3_000 }, (_, n) => scope(n % 3 === 0 ? 'endpoint' : 'route', `x${n}`, {}));
    expect(await lines(METRICS.scopeState)).toHaveLength(2_000);
  });

  it('does not wait for a turn of the loop behind each metric', async () => {
    const { page } = createMetered();
    const metrics = (await page()).match(/^# TYPE/gm)?.length ?? 0;
    expect(metrics).toBeGreaterThan(20);
    let turns = 0;
    const made = page().then(() => true);
    const turn = (): Promise<boolean> => new Promise((resolve) => setImmediate(() => resolve(false)));
    while (!(await Promise.race([made, turn()]))) turns += 1;
    expect(turns).toBeLessThan(metrics / 2);
  });

  it('reads once for a page what several gauges tell of, and anew for the next', async () => {
    const reads = { backlog: 0, scopes: 0 };
    const { lines, page } = createMetered({
      backlog() {
        reads.backlog += 1;
        return { ...BACKLOG, facts: reads.backlog };
      },
      scopes() {
        reads.scopes += 1;
        return [];
      },
    });
    await page();
    expect(reads).toEqual({ backlog: 1, scopes: 1 });
    expect(await lines(METRICS.ledgerQueue)).toEqual(['understudy_ledger_queue 2']);
    expect(reads).toEqual({ backlog: 2, scopes: 2 });
    // Two scrapes at once get a page each, and each agrees with itself.
    await Promise.all([page(), page(), page()]);
    expect(reads).toEqual({ backlog: 5, scopes: 5 });
  });

  it('tells of the ledger, and of its store where that can', async () => {
    const bare = createMetered({ violations: () => 2 });
    expect(await bare.lines(METRICS.violations)).toEqual(['understudy_ledger_violations_total 2']);
    const deaf = createMetered({ droppedLines: () => 3 });
    expect(await deaf.lines(METRICS.logDropped)).toEqual(['understudy_log_lines_dropped_total 3']);
    const picky = createMetered({ droppedMembers: () => 4 });
    expect(await picky.lines(METRICS.membersDropped)).toEqual(['understudy_event_members_dropped_total 4']);
    expect(await bare.page()).not.toMatch(/^understudy_event_members/m);
    expect(await bare.page()).not.toMatch(/^understudy_ledger_(queue|journal|failures|last|trouble)/m);
    const { lines } = createMetered({ backlog: () => BACKLOG });
    expect(await lines(METRICS.ledgerQueue)).toEqual(['understudy_ledger_queue 17']);
    expect(await lines(METRICS.ledgerJournal)).toEqual(['understudy_ledger_journal_bytes 4096']);
    expect(await lines(METRICS.ledgerFailures)).toEqual([
      'understudy_ledger_failures_total{part="journal"} 0',
      'understudy_ledger_failures_total{part="database"} 2',
      'understudy_ledger_failures_total{part="thread"} 1',
    ]);
    expect(await lines(METRICS.ledgerWritten)).toEqual([`understudy_ledger_last_write_timestamp_seconds ${AT / 1000}`]);
    expect(await lines(METRICS.ledgerTrouble)).toEqual(['understudy_ledger_trouble 1']);
    expect(await lines(METRICS.buildInfo)).toEqual(['understudy_build_info{version="1.2.3"} 1']);
  });
});
