import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../test/kit/facts.ts';
import { HEALTH } from '../../test/kit/health-fixtures.ts';
import { createAuditFile } from '../adapter/audit-file/index.ts';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { createLiveTelemetry } from '../adapter/telemetry-live/index.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { AuditLog } from '../port/audit-log.ts';
import { auditList, overviewView, usageReport } from './activity-contract.ts';
import { createManagement } from './management.ts';

const NOW = 1_700_000_000_000;
const config = { models: new Map(), providers: new Map() } as unknown as RuntimeConfig;

function setUp(audit: AuditLog | null = createAuditFile({})) {
  const ledger = createMemoryLedgerStore();
  const clock = { now: () => NOW, setTimer: () => ({ cancel() {} }) };
  const live = createLiveTelemetry({ now: clock.now, mark: 'boot' });
  const management = createManagement({
    ledger,
    health: createMemoryHealthStore({ settings: () => HEALTH }),
    clock,
    planning: { readRequest: () => null, plan: () => expect.fail('no plan is asked for') },
    traffic: live.traffic,
    ...(audit === null ? {} : { audit }),
  });
  const ask = async (path: string, method = 'GET', sent = '') => {
    const [address = '', query = ''] = path.split('?');
    const answer = await management.handle({
      method,
      path: address,
      query: new URLSearchParams(query),
      headers: {},
      body: new TextEncoder().encode(sent),
      config,
      who: { by: 'token', address: '192.0.2.7', request: 'req_1' },
    });
    return answer.ok ? { status: 200, body: answer.body } : { status: answer.problem.status, body: answer.problem };
  };
  return { ledger, live, ask };
}

describe('GET /overview', () => {
  it('tells what clients saw from what they never saw', async () => {
    const { ask, live } = setUp();
    const facts = factsOf('r2', NOW);
    const over = foldFacts([
      facts.started(),
      facts.attempt(1),
      facts.attemptEnded(1, { outcome: 'overloaded' }),
      facts.attempt(2, { target: 'b/m', route: 'b/m#k' }),
      facts.head(2),
      facts.committed(2),
      facts.attemptEnded(2),
      facts.ended({ servedBy: 'b/m' }),
    ]);
    for (const ledger of [foldFacts(wholeRequest('r1', NOW)), over]) {
      for (const attempt of ledger.attempts) live.telemetry.attemptStarted(ledger.started, attempt);
      for (const attempt of ledger.attempts) live.telemetry.attemptEnded(ledger.started, attempt);
      live.telemetry.requestEnded(ledger);
    }
    const open = factsOf('r3', NOW);
    const started = foldFacts([open.started(), open.attempt(1)]);
    for (const attempt of started.attempts) live.telemetry.attemptStarted(started.started, attempt);
    const { body } = await ask('/overview?window=1m');
    expect(overviewView.parse(body)).toMatchObject({
      window_ms: 60_000,
      step_ms: 10_000,
      requests: { total: 2, ok: 2, first_ok: 1, saved: 1, failed: 0 },
      success: { before_failover: 0.5, after_failover: 1 },
      attempts: { total: 3, failed: 1 },
      unseen_failures: 1,
      under_way: { count: 1, requests: [{ id: 'r3', model: 'main', target: 'a/m', attempts: 1 }] },
      targets: [
        { target: 'a/m', attempts: 2, failed: 1, outcomes: [{ outcome: 'overloaded', count: 1 }] },
        { target: 'b/m', attempts: 1, failed: 0, outcomes: [] },
      ],
    });
  });

  it('knows no rate where nothing has ended', async () => {
    const { ask } = setUp();
    expect((await ask('/overview')).body).toMatchObject({
      window_ms: 300_000,
      success: { before_failover: null, after_failover: null },
    });
  });

  it.each(['x', '5', '1s', '2h', ''])('refuses the window %j', async (window) => {
    expect(await setUp().ask(`/overview?window=${window}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request_error' },
    });
  });
});

describe('GET /usage', () => {
  it('tells requests apart as asked for', async () => {
    const { ask, ledger } = setUp();
    for (let n = 1; n <= 3; n++)
      for (const fact of wholeRequest(`r${n}`, NOW + n, { key: n > 1 ? 'ci' : null })) ledger.append(fact);
    const { body } = await ask('/usage?by=key,model');
    expect(usageReport.parse(body)).toMatchObject({
      since: null,
      by: ['key', 'model'],
      data: [
        { key: 'ci', model: 'main', requests: 2, attempts: 2, failed: 0, cost_usd: null },
        { key: null, model: 'main', requests: 1 },
      ],
      left_out: 0,
    });
    expect((await ask(`/usage?since=${new Date(NOW + 3).toISOString()}`)).body).toMatchObject({
      data: [{ requests: 1 }],
    });
  });

  it.each([
    ['', [{ requests: 2 }]],
    ['by=model', [{ model: 'main', requests: 2 }]],
    ['kind=probe', [{ requests: 1 }]],
    ['kind=compact', [{ requests: 1 }]],
    ['kind=all&by=model', [{ model: 'main', requests: 3 }]],
    [
      'by=kind',
      [
        { kind: 'answer', requests: 1 },
        { kind: 'compact', requests: 1 },
        { kind: 'probe', requests: 1 },
      ],
    ],
    ['by=kind&kind=probe', [{ kind: 'probe', requests: 1 }]],
  ])('tells probes from what clients asked for: %s', async (query, rows) => {
    const { ask, ledger } = setUp();
    for (const [n, kind] of (['answer', 'probe', 'compact'] as const).entries())
      for (const fact of wholeRequest(`r${n}`, NOW + n, { kind })) ledger.append(fact);
    const { data } = usageReport.parse((await ask(`/usage?${query}`)).body);
    expect([...data].sort((one, other) => ((one.kind ?? '') < (other.kind ?? '') ? -1 : 1))).toMatchObject(rows);
    expect(data).toHaveLength(rows.length);
  });

  it('tells days in their order, and says how many rows it leaves out', async () => {
    const { ask, ledger } = setUp();
    const day = 24 * 3_600_000;
    for (const [n, days] of [0, 2, 2, 1].entries())
      for (const fact of wholeRequest(`d${n}`, NOW + days * day)) ledger.append(fact);
    const report = usageReport.parse((await ask('/usage?by=day')).body);
    expect(report.data.map((row) => [row.day, row.requests])).toEqual([
      ['2023-11-14', 1],
      ['2023-11-15', 1],
      ['2023-11-16', 2],
    ]);
    for (let n = 0; n < 1_001; n++)
      for (const fact of wholeRequest(`m${n}`, NOW, { model: `a/m-${n}` })) ledger.append(fact);
    expect(usageReport.parse((await ask('/usage?by=model')).body)).toMatchObject({ left_out: 2 });
  });

  it.each(['by=moon', 'since=yesterday', 'kind=moon'])('refuses %s', async (query) => {
    expect(await setUp().ask(`/usage?${query}`)).toMatchObject({ status: 400 });
  });
});

describe('GET /audit', () => {
  it('has what was done and what was refused, and by whom', async () => {
    const { ask } = setUp();
    await ask('/targets/a%2Fm/disable', 'POST');
    await ask('/targets', 'GET');
    await ask('/config/rollback', 'POST');
    const page = auditList.parse((await ask('/audit?limit=1')).body);
    expect(page.data).toEqual([
      {
        at: new Date(NOW).toISOString(),
        action: 'config_rollback',
        subject: null,
        result: 'refused',
        status: 400,
        by: 'token',
        address: '192.0.2.7',
        request_id: 'req_1',
      },
    ]);
    const rest = auditList.parse((await ask(`/audit?cursor=${page.next}`)).body);
    expect(rest).toMatchObject({ data: [{ action: 'target_disable', subject: 'a/m', status: 404 }], next: null });
    expect(await ask('/audit?limit=0')).toMatchObject({ status: 400 });
  });

  it.each([
    ['POST', '/config/rollback', '{"version":"0123abcd"}', 'config_rollback', '0123abcd'],
    ['POST', '/config/rollback', '{"version":7}', 'config_rollback', null],
    ['PUT', '/models/a%2Fb', '{}', 'model_put', 'a/b'],
    ['PUT', '/providers/p', '{}', 'provider_put', 'p'],
    ['DELETE', '/models/main', '', 'model_delete', 'main'],
    ['DELETE', '/providers/p', '', 'provider_delete', 'p'],
  ])('says what was changed: %s %s %s', async (method, path, sent, action, subject) => {
    const { ask } = setUp();
    await ask(path, method, sent);
    expect(auditList.parse((await ask('/audit')).body).data).toMatchObject([{ action, subject, result: 'refused' }]);
  });

  it('is not there where nothing is kept', async () => {
    const { ask } = setUp(null);
    expect(await ask('/audit')).toMatchObject({ status: 404 });
    expect(await ask('/targets/x/reset', 'POST')).toMatchObject({ status: 404 });
  });
});
