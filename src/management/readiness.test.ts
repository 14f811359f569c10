import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { createFakeProber, modelOf, reportOf, routeOf } from '../../test/kit/fake-prober.ts';
import { answerProbe, answerReadiness } from './readiness.ts';
import { readinessEvent, readinessView } from './readiness-contract.ts';
import type { ManagementEvent, ManagementPorts } from './types.ts';

const CONFIG = configOf(`
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9/v1", apiKey: k }
  b: { protocol: openai-chat, baseUrl: "http://127.0.0.1:8/v1", apiKey: k }
models:
  main: { aliases: [gpt-main, "any-*"], targets: [a/x, b/x] }
  other: { targets: [a/x, a/y] }
`);

const REPORT = reportOf(
  [
    modelOf('main', [
      routeOf('a/x#default', 'ready', { latency_ms: 312, http_status: 200 }),
      routeOf('b/x#default', 'deferred', { reason: 'rate_limited', http_status: 429, retry_after_ms: 7000 }),
    ]),
    modelOf('other', [routeOf('a/x#default', 'ready'), routeOf('a/y#default', 'unreached')]),
  ],
  [{ provider: 'b', discovered: null, error: 'auth' }],
);

const setUp = () => createFakeProber(REPORT);
type Ports = Pick<ManagementPorts, 'prober'>;

const get = (ports: Ports, query = '') =>
  answerReadiness([], { query: new URLSearchParams(query), config: CONFIG }, ports);

const post = (ports: Ports, body: string, more: Partial<Parameters<typeof answerProbe>[1]> = {}) =>
  answerProbe([], { body: new TextEncoder().encode(body), config: CONFIG, ...more }, ports);

const namesIn = (answer: { readonly ok: boolean; readonly body?: unknown }) =>
  readinessView.parse(answer.body).models.map(({ model }) => model);

describe('GET /readiness', () => {
  it.each([
    ['', ['main', 'other']],
    ['model=', ['main', 'other']],
    ['model=other', ['other']],
    ['model=gpt-main', ['main']],
    ['model=any-thing&model=other', ['main', 'other']],
  ])('%j shows what is known, and asks nobody', (query, names) => {
    const prober = setUp();
    const answer = get({ prober }, query);
    expect(namesIn(answer)).toEqual(names);
    expect(prober.rounds).toEqual([]);
  });

  it('keeps the providers that gave no list, whichever model is asked for', () => {
    expect(get({ prober: setUp() }, 'model=other')).toMatchObject({ body: { providers: [{ error: 'auth' }] } });
  });

  it('knows no other model, and names the nearest', () => {
    expect(get({ prober: setUp() }, 'model=mian')).toMatchObject({
      ok: false,
      problem: { status: 404, code: 'model_not_found', message: 'There is no model "mian". The nearest: main, other.' },
    });
  });

  it('is not there where nobody probes', async () => {
    expect(get({})).toMatchObject({ problem: { status: 404 } });
    expect(await post({}, '{}')).toMatchObject({ problem: { status: 404 } });
  });
});

describe('POST /readiness/probe', () => {
  it.each([
    ['', null],
    ['{}', null],
    ['{"models":null}', null],
    ['{"models":[]}', null],
    ['{"models":["gpt-main","main"]}', ['main']],
    ['{"models":["other","main"]}', ['other', 'main']],
  ])('%s runs a round over %j and answers with its report', async (body, models) => {
    const prober = setUp();
    const answer = post({ prober }, body);
    await Promise.resolve();
    expect(prober.rounds).toEqual([models]);
    prober.end();
    expect(namesIn(await answer)).toEqual(models === null ? ['main', 'other'] : models.toSorted());
  });

  it.each([
    ['{"models":["nope"]}', 404, 'There is no model "nope"'],
    ['{"models":["a/x"]}', 404, 'There is no model "a/x"'],
    ['{"models":"main"}', 400, 'The body is {"models": names of models}'],
    ['{"model":"main"}', 400, 'The body is'],
    ['[', 400, 'The body is'],
    [JSON.stringify({ models: Array.from({ length: 1001 }, () => 'main') }), 400, 'The body is'],
  ])('refuses %s', async (body, status, message) => {
    const prober = setUp();
    const answer = await post({ prober }, body);
    expect(answer).toMatchObject({ ok: false, problem: { status } });
    expect(answer.ok ? '' : answer.problem.message).toContain(message);
    expect(prober.rounds).toEqual([]);
  });

  it('tells who watches what goes on: the models, each step, the report', async () => {
    const prober = setUp();
    const told: ManagementEvent[] = [];
    const answer = post({ prober }, '{"models":["main"]}', { tell: (event) => void told.push(event) });
    prober.says({ type: 'probe_started', route: 'a/x#default', provider: 'a' });
    prober.says({ type: 'probe_ended', route: 'a/x#default', provider: 'a', state: 'ready', ms: 312 });
    prober.end();
    await answer;
    expect(told.map(({ type }) => type)).toEqual(['probing', 'probe_started', 'probe_ended', 'report']);
    expect(told[0]).toEqual({
      type: 'probing',
      models: ['main'],
      providers: [
        { provider: 'a', candidates: 1 },
        { provider: 'b', candidates: 1 },
      ],
    });
    for (const event of told) expect(readinessEvent.safeParse(event).error).toBeUndefined();
    expect(prober.watchers()).toBe(0);
  });

  it('counts a route once that several models have', async () => {
    const prober = setUp();
    const told: ManagementEvent[] = [];
    const answer = post({ prober }, '', { tell: (event) => void told.push(event) });
    prober.end();
    await answer;
    expect(told[0]).toMatchObject({ providers: [{ candidates: 2 }, { candidates: 1 }] });
  });

  it('goes on when whoever asked has left, and tells them nothing any more', async () => {
    const prober = setUp();
    const told: ManagementEvent[] = [];
    let leave: () => void = () => {};
    const answer = post({ prober }, '', {
      tell: (event) => void told.push(event),
      onLeave: (act) => {
        leave = act;
      },
    });
    expect(prober.watchers()).toBe(1);
    leave();
    expect(prober.watchers()).toBe(0);
    prober.says({ type: 'round_ended' });
    expect(told).toHaveLength(1);
    prober.end();
    expect((await answer).ok).toBe(true);
  });
});
