import { describe, expect, it, vi } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { factsOf, wholeRequest } from '../../test/kit/facts.ts';
import { FAILURES, HEALTH, makeObservation, makeRoute } from '../../test/kit/health-fixtures.ts';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { resolveModel } from '../config/resolve.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Fact } from '../core/attempt/ledger.ts';
import type { Plan } from '../core/routing/plan.ts';
import { LedgerUnavailableError } from '../port/ledger-store.ts';
import {
  explanationView,
  reconciliationView,
  requestList,
  requestRecords,
  requestView,
  scopeList,
  scopeView,
  targetView,
} from './contract.ts';
import { createManagement } from './management.ts';
import { viewScopes } from './scope-view.ts';

const NOW = 1_700_000_000_500;
const route = makeRoute('a/m');
const target = { id: 'a/m', protocol: 'openai-chat', tier: 0, weight: 1, routes: [route] };
const config = {
  models: new Map([['main', { name: 'main', aliases: ['gpt-*', 'old'], targets: [target] }]]),
  providers: new Map(),
} as unknown as RuntimeConfig;

function setUp() {
  const ledger = createMemoryLedgerStore();
  const health = createMemoryHealthStore({ settings: () => HEALTH });
  health.retain([route]);
  const clock = { now: () => NOW, setTimer: () => ({ cancel() {} }) };
  const management = createManagement({
    ledger,
    health,
    clock,
    planning: { readRequest: () => null, plan: () => plan },
  });
  const ask = async (method: string, path: string, query = '') => {
    const answer = await management.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: {},
      body: new Uint8Array(),
      config,
    });
    return answer.ok ? { status: 200, body: answer.body } : { status: answer.problem.status, body: answer.problem };
  };
  return { ledger, health, ask };
}

const plan: Plan = {
  at: 1_700_000_000_001,
  order: ['a/m'],
  missing: [],
  candidates: [
    {
      route,
      target,
      rank: null,
      use: 'skip',
      skip: 'skipped_cooldown',
      reason: 'told by the provider',
      availability: {
        state: 'deferred',
        cause: 'rate_limited',
        reason: 'slow down',
        since: 1_700_000_000_000,
        until: 1_700_000_020_000,
        told: true,
        scope: 'route',
      },
    },
  ] as unknown as Plan['candidates'],
};

describe('GET /requests', () => {
  it('finds requests by an alias of their model, by a pattern, and by a name that is no longer there', async () => {
    const { ledger, ask } = setUp();
    for (const fact of wholeRequest('req_a', undefined, { model: 'main' })) ledger.append(fact);
    for (const fact of wholeRequest('req_b', undefined, { model: 'gone' })) ledger.append(fact);
    const found = async (model: string) => {
      const { data } = (await ask('GET', '/requests', `model=${model}`)).body as { data: { id: string }[] };
      return data.map(({ id }) => id);
    };
    expect(await found('main')).toEqual(['req_a']);
    expect(await found('old')).toEqual(['req_a']);
    expect(await found('gpt-9')).toEqual(['req_a']);
    expect(await found('gone')).toEqual(['req_b']);
  });

  it.each([
    ['', ['req_compact', 'req_count', 'req_answer']],
    ['kind=', ['req_compact', 'req_count', 'req_answer']],
    ['kind=probe', ['req_probe']],
    ['kind=count', ['req_count']],
    ['kind=answer', ['req_answer']],
    ['kind=all', ['req_compact', 'req_count', 'req_probe', 'req_answer']],
  ])('leaves out what the gateway asks for itself, unless it is asked for: %j', async (query, ids) => {
    const { ledger, ask } = setUp();
    const kinds = ['answer', 'probe', 'count', 'compact'] as const;
    for (const kind of kinds) for (const fact of wholeRequest(`req_${kind}`, undefined, { kind })) ledger.append(fact);
    const { data } = requestList.parse((await ask('GET', '/requests', query)).body);
    expect(data.map(({ id }) => id)).toEqual(ids);
  });

  it('knows no other kind', async () => {
    const { status, body } = await setUp().ask('GET', '/requests', 'kind=probes');
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: 'kind is one of answer, count, compact, probe, all.' });
  });

  it('lists newest first, page by page, in the shape of the contract', async () => {
    const { ledger, ask } = setUp();
    for (const id of ['req_1', 'req_2', 'req_3']) for (const fact of wholeRequest(id)) ledger.append(fact);
    const first = await ask('GET', '/requests', 'limit=2');
    const page = requestList.parse(first.body);
    expect(page.data.map((request) => request.id)).toEqual(['req_3', 'req_2']);
    const second = requestList.parse((await ask('GET', '/requests', `limit=2&cursor=${page.next}`)).body);
    expect(second.data.map((request) => request.id)).toEqual(['req_1']);
    expect(second.next).toBeNull();
  });

  it('lists whole records when it is asked for their attempts', async () => {
    const { ledger, ask } = setUp();
    for (const fact of wholeRequest('req_1')) ledger.append(fact);
    const { data } = requestRecords.parse((await ask('GET', '/requests', 'attempts=1')).body);
    expect(data).toEqual([(await ask('GET', '/requests/req_1')).body]);
  });

  it.each(['limit=0', 'limit=x', 'outcome=great', 'since=yesterday', 'attempts=yes'])('refuses %s', async (query) => {
    expect((await setUp().ask('GET', '/requests', query)).status).toBe(400);
  });
});

describe('GET /requests/{id}', () => {
  it('tells a failover in the shape of the contract', async () => {
    const { ledger, ask } = setUp();
    const facts = factsOf('req_1');
    const usage = {
      inputTokens: 12,
      outputTokens: 4,
      reasoningTokens: null,
      cachedTokens: 0,
      cacheWriteTokens: null,
      source: 'reported' as const,
    };
    for (const fact of [
      facts.started({ stream: true, plan, key: 'ci', kind: 'count' }),
      facts.attempt(1),
      facts.head(1, 503),
      facts.attemptEnded(1, { outcome: 'overloaded', phase: 'preflight', cooldownUntil: NOW, reason: 'too busy' }),
      facts.attempt(2),
      facts.head(2),
      facts.committed(2),
      facts.attemptEnded(2, { usage }),
      facts.ended({ edits: ['done_added'], skipped: [{ target: 'b/m', outcome: 'skipped_busy', until: null }] }),
    ]) {
      ledger.append(fact);
    }
    const view = requestView.parse((await ask('GET', '/requests/req_1')).body);
    expect(view).toMatchObject({
      id: 'req_1',
      model: 'main',
      outcome: 'ok',
      served_by: 'a/m',
      committed_at_ms: 24,
      duration_ms: 100,
      key: 'ci',
      kind: 'count',
      usage: { input_tokens: 12, output_tokens: 4, reasoning_tokens: null, cached_tokens: 0, source: 'reported' },
      cost_usd: null,
      edits: ['done_added'],
      skipped: [{ target: 'b/m', outcome: 'skipped_busy', until: null }],
    });
    expect(view.attempts).toMatchObject([
      { n: 1, outcome: 'overloaded', status: 503, committed: false, started_ms: 10, headers_ms: 12, usage: null },
      { n: 2, outcome: 'ok', committed: true, first_output_ms: 24, ended_ms: 26 },
    ]);
    expect(view.attempts[0]?.cooldown).toBe(new Date(NOW).toISOString());
    expect(view.attempts[0]?.first_output_ms).toBeNull();
  });

  it('a request under way has no outcome yet', async () => {
    const { ledger, ask } = setUp();
    const facts = factsOf('req_1');
    ledger.append(facts.started({ model: '' }));
    ledger.append(facts.attempt(1));
    const view = requestView.parse((await ask('GET', '/requests/req_1')).body);
    expect(view).toMatchObject({
      kind: 'answer',
      outcome: null,
      status: null,
      model: null,
      duration_ms: null,
      usage: null,
    });
    expect(view.attempts[0]).toMatchObject({ outcome: null, ended_ms: null, phase: 'connecting' });
  });

  it('an unknown one is 404', async () => {
    expect(await setUp().ask('GET', '/requests/req_x')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await setUp().ask('GET', '/requests/req_x/explain')).status).toBe(404);
    expect((await setUp().ask('GET', '/requests/%E0%A4%A')).status).toBe(400);
  });
});

describe('GET /requests/{id}/explain', () => {
  it('names each candidate, and right behind it why it was left out', async () => {
    const { ledger, ask } = setUp();
    ledger.append(factsOf('req_1').started({ plan }));
    const { body } = await ask('GET', '/requests/req_1/explain');
    const view = explanationView.parse(body);
    expect(view.plans[0]?.candidates[0]).toMatchObject({
      target: 'a/m',
      outcome: 'skipped_cooldown',
      rank: null,
      availability: { state: 'deferred', told: true, until: new Date(1_700_000_020_000).toISOString() },
    });
    expect(JSON.stringify(body)).toContain('"target":"a/m","outcome":"skipped_cooldown"');
  });
});

describe('an explanation without a plan', () => {
  const explain = async (facts: readonly Fact[]) => {
    const { ledger, ask } = setUp();
    for (const fact of facts) ledger.append(fact);
    return explanationView.parse((await ask('GET', '/requests/req_1/explain')).body);
  };
  const { started, ended } = factsOf('req_1');

  it('says that the request was refused, with status, code and what to do', async () => {
    const refused = ended({
      outcome: 'rejected',
      rejected: true,
      status: 404,
      reason: 'model_not_found',
      servedBy: null,
    });
    const { message, plans } = await explain([started({ model: 'mian' }), { ...refused, component: 'client' }]);
    expect(plans).toEqual([]);
    expect(message).toMatch(
      /^Rejected before any plan .*told 404, model_not_found \(component client\)\. .*GET \/v1\/models/,
    );
  });

  it('says so of a code that no table knows, and of a client that left', async () => {
    const refused = ended({ outcome: 'rejected', rejected: true, status: null, reason: 'toString', servedBy: null });
    expect((await explain([started(), refused])).message).toContain('had no answer, toString');
  });

  it('says that plans were not kept, and nothing while they may come', async () => {
    expect((await explain(wholeRequest('req_1'))).message).toContain('not kept');
    expect((await explain([started()])).message).toBeNull();
    expect((await explain([started({ plan }), ended()])).message).toBeNull();
  });
});

describe('GET /reconcile', () => {
  it('adds up what is on record, in the shape of the contract', async () => {
    const { ledger, ask } = setUp();
    for (const fact of wholeRequest('req_1')) ledger.append(fact);
    ledger.append(factsOf('req_1').head(9));
    const view = reconciliationView.parse((await ask('GET', '/reconcile')).body);
    expect(view).toMatchObject({
      since: null,
      ok: false,
      requests: { total: 1, ended: 1 },
      attempts: { total: 1, committed: 1 },
      usage: { delivered: { answers: 1, unknown: 1, input_tokens: null } },
      breach_count: 0,
      violations: { count: 1, first: [{ request: 'req_1', fact: 'head' }] },
    });
    const later = reconciliationView.parse((await ask('GET', '/reconcile', 'since=2030-01-01T00:00:00Z')).body);
    expect(later).toMatchObject({ since: '2030-01-01T00:00:00.000Z', ok: true, requests: { total: 0 } });
  });

  it('refuses a time that is none, and says when the ledger can not be read', async () => {
    const { ledger, ask } = setUp();
    expect((await ask('GET', '/reconcile', 'since=yesterday')).status).toBe(400);
    vi.spyOn(ledger, 'reconcile').mockRejectedValue(new LedgerUnavailableError('stuck'));
    expect(await ask('GET', '/reconcile')).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } });
  });
});

it('an outcome that is none is answered with the nearest, not with all', async () => {
  const { body } = await setUp().ask('GET', '/requests', 'outcome=overload');
  const { message } = body as { message: string };
  expect(message).toContain('The nearest: overloaded,');
  expect(message).toContain('docs/errors.md');
  expect(message.length).toBeLessThan(200);
});

it('shows a target that a client named itself once it was used, until its key changes', async () => {
  const text = (key: string) => `
providers: { a: { protocol: openai-chat, baseUrl: "https://a.test/v1", apiKey: ${key}, pinned: any } }
models: { main: { targets: [a/m] } }`;
  const health = createMemoryHealthStore({ settings: () => HEALTH });
  const ids = (config: RuntimeConfig) => viewScopes(health.snapshot(), config, NOW).map(({ id }) => id);
  const config = configOf(text('k1'));
  expect(ids(config)).toEqual(['a/m#default', 'a/default', 'a.test:443']);
  const used = resolveModel(config, 'a/other/x')?.targets[0]?.routes[0];
  if (used === undefined) throw new Error('no route');
  health.observe(makeObservation(used, NOW, 'failure', { failure: FAILURES.serverError() }));
  expect(ids(config)).toEqual(['a/m#default', 'a/other/x#default', 'a/default', 'a.test:443']);
  expect(ids(configOf(text('k2')))).toEqual(['a/m#default', 'a/default', 'a.test:443']);
  expect(ids(configOf(text('k1').replace('any', 'listed')))).toEqual(['a/m#default', 'a/default', 'a.test:443']);
});

describe('/targets', () => {
  it('shows routes, credentials and endpoints', async () => {
    const list = scopeList.parse((await setUp().ask('GET', '/targets')).body);
    expect(list.data.map(({ kind, id, state }) => [kind, id, state])).toEqual([
      ['route', 'a/m#default', 'ready'],
      ['credential', 'a/default', 'ready'],
      ['endpoint', 'a.test:443', 'ready'],
    ]);
  });

  it('finds one by its id, percent-encoded or not', async () => {
    const { ask } = setUp();
    const route = await ask('GET', `/targets/${encodeURIComponent('a/m#default')}`);
    expect(scopeView.parse(route.body).id).toBe('a/m#default');
    expect(scopeView.parse((await ask('GET', '/targets/a/default')).body).kind).toBe('credential');
    expect(targetView.parse((await ask('GET', '/targets/a%2Fm')).body).routes).toHaveLength(1);
    expect((await ask('GET', '/targets/nobody')).status).toBe(404);
  });

  it('takes a route out of service and back', async () => {
    const { ask } = setUp();
    const id = encodeURIComponent('a/m#default');
    expect((await ask('POST', `/targets/${id}/disable`)).body).toMatchObject({ state: 'disabled' });
    expect((await ask('POST', `/targets/${id}/reset`)).body).toMatchObject({ state: 'disabled' });
    expect((await ask('POST', `/targets/${id}/enable`)).body).toMatchObject({ state: 'ready' });
    expect((await ask('POST', '/targets/nobody/enable')).status).toBe(404);
  });

  it('a whole target too', async () => {
    const { ask } = setUp();
    const { body } = await ask('POST', '/targets/a%2Fm/disable');
    expect(targetView.parse(body).routes).toMatchObject([{ state: 'disabled' }]);
  });
});

it('wrong methods and paths are told', async () => {
  const { ask } = setUp();
  expect((await ask('POST', '/requests')).status).toBe(405);
  expect((await ask('GET', '/nothing')).status).toBe(404);
  expect((await ask('GET', '')).status).toBe(404);
});
