import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/core/health/observation.ts';
import { CREATED, completed, delta, failed, message, numbers, OPENED, response } from '../kit/responses-stream.ts';
import {
  type Answer,
  a,
  ask,
  b,
  CI,
  configText,
  create,
  createAtB,
  error,
  gateway,
  healthOf,
  json,
  lines,
  OTHER,
  provider,
  recordOf,
  reopen,
  setUp,
  stream,
  tearDown,
  WHOLE,
} from './follow-up-kit.ts';
import { errorOf, until } from './server-kit.ts';

beforeEach(setUp);
afterEach(tearDown);

describe('a response that was made through the gateway', () => {
  it('is asked for, read, cancelled and removed at its issuer', async () => {
    const items = { object: 'list', data: [{ id: 'msg_0', type: 'message' }], has_more: false };
    const cancelled = response({ id: 'resp_B', status: 'cancelled' });
    const removed = { id: 'resp_B', object: 'response', deleted: true };
    await createAtB(json(WHOLE), json(items), json(cancelled), json(removed));
    const got = await ask(
      'GET',
      '/v1/responses/resp_B?include[]=message.output_text.logprobs&include=x.y&unknown=%2F..',
    );
    expect([got.status, got.text]).toEqual([200, JSON.stringify(WHOLE)]);
    expect(got.headers.get('x-understudy-target')).toBe('b/m-b');
    const listed = await ask('GET', '/v1/responses/resp_B/input_items?after=msg_1&limit=2&order=asc&stream=true');
    expect([listed.status, listed.text]).toEqual([200, JSON.stringify(items)]);
    expect((await ask('POST', '/v1/responses/resp_B/cancel')).text).toBe(JSON.stringify(cancelled));
    expect((await ask('DELETE', '/v1/responses/resp_B')).text).toBe(JSON.stringify(removed));
    expect(lines(b)).toEqual([
      'POST /v1/responses',
      'GET /v1/responses/resp_B?include[]=message.output_text.logprobs&include[]=x.y',
      'GET /v1/responses/resp_B/input_items?after=msg_1&limit=2&order=asc',
      'POST /v1/responses/resp_B/cancel',
      'DELETE /v1/responses/resp_B',
    ]);
    expect(new Set(b.requests.map(({ headers }) => headers['authorization']))).toEqual(
      new Set(['Bearer sk-fake-b-1234567890']),
    );
    expect(b.requests.slice(1).every(({ body }) => body.length === 0)).toBe(true);
    // Nobody could tell whether one that changes something had arrived on a connection that was closing.
    expect(b.requests.slice(3).map(({ onConnection }) => onConnection)).toEqual([1, 1]);
    expect(a.requests).toHaveLength(1);
    expect(await recordOf(got)).toMatchObject({
      model: 'main',
      key: 'ci',
      outcome: 'ok',
      served_by: 'b/m-b',
      usage: { source: 'unknown' },
      attempts: [{ target: 'b/m-b', outcome: 'ok', status: 200 }],
    });
  });

  it('in whatever state it is, it is an answer', async () => {
    const states = [
      response({ id: 'resp_B', status: 'queued' }),
      response({ id: 'resp_B', status: 'in_progress' }),
      response({ id: 'resp_B', status: 'failed', error: { code: 'server_error', message: 'x' } }),
    ];
    await createAtB(...states.map((state) => json(state)), { status: 204, framing: 'raw' });
    for (const state of states) {
      const got = await ask('GET', '/v1/responses/resp_B');
      expect([got.status, got.text]).toEqual([200, JSON.stringify(state)]);
      expect(await recordOf(got)).toMatchObject({ outcome: 'ok', attempts: [{ outcome: 'ok' }] });
    }
    const removed = await ask('DELETE', '/v1/responses/resp_B');
    expect([removed.status, JSON.parse(removed.text)]).toEqual([
      200,
      { id: 'resp_B', object: 'response', deleted: true },
    ]);
  });

  it('does not exist for another key, nor does an id that nobody gave', async () => {
    await createAtB();
    const shape = ({ status, text }: Answer, id: string) => {
      const { understudy, ...told } = errorOf(text);
      const { request_id: _, ...rest } = understudy as Record<string, unknown>;
      return JSON.stringify([status, told, rest]).replaceAll(id, 'ID');
    };
    const foreign = await ask('GET', '/v1/responses/resp_B', undefined, OTHER);
    const unknown = await ask('GET', '/v1/responses/resp_X', undefined, OTHER);
    expect(foreign.status).toBe(404);
    expect(errorOf(foreign.text)).toMatchObject({ code: 'not_found', type: 'invalid_request_error' });
    expect(shape(foreign, 'resp_B')).toBe(shape(unknown, 'resp_X'));
    for (const path of [
      '/v1/responses/resp_B/cancel',
      '/v1/responses/..%2Fmodels/cancel',
      '/v1/responses/%2e%2e/cancel',
    ])
      expect((await ask('POST', path, undefined, OTHER)).status).toBe(404);
    expect((await ask('DELETE', '/v1/responses/resp_B', undefined, OTHER)).status).toBe(404);
    expect([a.requests.length, b.requests.length]).toEqual([1, 1]);
    expect(await recordOf(foreign)).toMatchObject({ outcome: 'rejected', status: 404, key: 'other', attempts: [] });
  });

  it('of an issuer that is down is told by the table, and nobody else is asked', async () => {
    await createAtB(error(500));
    // What changes something is sent once.
    const removed = await ask('DELETE', '/v1/responses/resp_B');
    expect(removed.status).toBe(502);
    expect((await recordOf(removed))['attempts']).toHaveLength(1);
    const got = await ask('GET', '/v1/responses/resp_B');
    expect([got.status, errorOf(got.text)['code']]).toEqual([502, 'upstream_error']);
    // A question may be asked again, by the rule of the only target that is left.
    expect((await recordOf(got))['attempts']).toHaveLength(2);
    expect([a.requests.length, b.requests.length]).toEqual([1, 4]);
  });

  it.each([
    [404, { message: 'Not Found' }, 404, 'not_found'],
    [404, { message: 'The model `x` does not exist', code: 'model_not_found' }, 404, 'not_found'],
    [405, { message: 'Method Not Allowed' }, 400, 'unsupported_capability'],
    [429, { message: 'slow' }, 429, 'rate_limit_exceeded'],
    [401, { message: 'bad key' }, 502, 'route_misconfigured'],
  ])('a %i of the issuer, %j, is told as %i %s', async (status, words, told, code) => {
    await createAtB(error(status, words));
    const got = await ask('GET', '/v1/responses/resp_B');
    expect([got.status, errorOf(got.text)['code']]).toEqual([told, code]);
    expect((await healthOf()).states).toEqual(['ready']);
    expect(a.requests).toHaveLength(1);
  });

  it('asked for as often as one likes, with whatever answer, leaves the model as it was', async () => {
    const answers = [error(401), error(403), error(500), error(503), error(429), json(WHOLE), error(404)];
    await createAtB(...answers.flatMap((each) => [each, each]), json({ ...WHOLE, id: 'resp_B2' }));
    const before = await healthOf();
    while (b.requests.length < 1 + 2 * answers.length) await ask('GET', '/v1/responses/resp_B');
    expect(await healthOf()).toEqual(before);
    const next = await create({ previous_response_id: 'resp_B' });
    expect([next.status, next.headers.get('x-understudy-target')]).toEqual([200, 'b/m-b']);
  });

  it('makes no trial of a circuit that is half open, and takes nobody else the trial', async () => {
    const observed: Observation[] = [];
    const claims: string[] = [];
    await reopen(configText({ targets: 'b/m-b' }), (health) => ({
      ...health,
      observe: (seen) => {
        observed.push(seen);
        health.observe(seen);
      },
      claimTrial: (route, now) => {
        claims.push(route.id);
        return health.claimTrial(route, now);
      },
    }));
    b.play(json(WHOLE), error(500), error(500), error(500), json(WHOLE));
    await create();
    while (b.requests.length < 4) await create();
    expect((await healthOf()).states).toContain('open');
    observed.length = 0;
    // With nothing else to ask, an open circuit is tried early: by those alone whose answer can tell how it went.
    const got = await ask('GET', '/v1/responses/resp_B');
    expect([got.status, claims]).toEqual([200, []]);
    expect((await recordOf(got))['attempts']).toMatchObject([{ trial: false }]);
    expect(new Set(observed.map(({ kind }) => kind))).toEqual(new Set(['released']));
    expect((await healthOf()).states).toContain('open');
    expect((await create()).status).toBe(200);
    expect(claims).toEqual(['b/m-b#default']);
  });

  it('asked for again and again is no repeat of a turn', async () => {
    await createAtB(json(WHOLE), json(WHOLE));
    for (let n = 0; n < 2; n++) {
      const answer = await fetch(`${gateway.url}/v1/responses/resp_B`, {
        headers: { authorization: `Bearer ${CI}`, 'session-id': 's-1', 'x-stainless-retry-count': '1' },
      });
      const [id, text] = [answer.headers.get('x-request-id'), await answer.text()];
      expect(text).toBe(JSON.stringify(WHOLE));
      const record = await recordOf({ status: 200, text, headers: answer.headers });
      expect([id, record['client_retry_of']]).toEqual([record['id'], null]);
    }
  });

  it.each<[string, () => string]>([
    ['was removed', () => configText({ providers: provider('a', a), targets: 'a/m-a' })],
    ['has the key of another account', () => configText({ providers: provider('a', a) + provider('b', b, 'sk-new') })],
  ])('whose issuer %s by a reload is lost', async (_what, changed) => {
    await createAtB();
    gateway.reload(changed());
    const got = await ask('GET', '/v1/responses/resp_B');
    expect([got.status, errorOf(got.text)['code']]).toEqual([404, 'not_found']);
    expect(errorOf(got.text)['understudy']).toMatchObject({ reason: 'issuer_removed' });
    expect(b.requests).toHaveLength(1);
    // What was said is kept here: another target goes on from that.
    const next = await create({ previous_response_id: 'resp_B' });
    expect([next.status, next.headers.get('x-understudy-target')]).toEqual([200, 'a/m-a']);
    expect([a.requests.length, b.requests.length]).toEqual([2, 1]);
    gateway.reload(configText());
    b.play(json(WHOLE));
    expect((await ask('GET', '/v1/responses/resp_B')).status).toBe(200);
  });

  it('of a model that its key may not use any more is refused', async () => {
    await createAtB();
    gateway.reload(configText({ keys: `{ name: ci, key: ${CI}, models: [x] }, { name: other, key: ${OTHER} }` }));
    for (const [method, path] of [
      ['GET', '/v1/responses/resp_B'],
      ['DELETE', '/v1/responses/resp_B'],
    ] as const) {
      const got = await ask(method, path);
      expect([got.status, errorOf(got.text)['code']]).toEqual([403, 'model_not_allowed']);
    }
    expect(b.requests).toHaveLength(1);
  });

  it('that its provider does not keep is not known by its id', async () => {
    b.play(json(WHOLE));
    a.play(error(400, { code: 'context_length_exceeded' }));
    expect((await create({ store: false })).headers.get('x-understudy-target')).toBe('b/m-b');
    expect((await ask('GET', '/v1/responses/resp_B')).status).toBe(404);
    expect(b.requests).toHaveLength(1);
  });

  it('a query that can not be is refused before anything is sent', async () => {
    await createAtB();
    const got = await ask('GET', '/v1/responses/resp_B?starting_after=-1');
    expect([got.status, errorOf(got.text)['param']]).toEqual([400, 'starting_after']);
    expect(b.requests).toHaveLength(1);
  });
});

describe('its stream', () => {
  const events = numbers([CREATED, OPENED, delta('B'), completed([message('B')])]);

  it('is relayed from where the client has it', async () => {
    await createAtB(stream(...events.slice(2)));
    const got = await ask('GET', '/v1/responses/resp_B?stream=true&starting_after=1');
    expect(got.headers.get('content-type')).toContain('text/event-stream');
    expect(got.text).toBe(events.slice(2).join(''));
    expect(lines(b).at(-1)).toBe('GET /v1/responses/resp_B?stream=true&starting_after=1');
    expect(await recordOf(got)).toMatchObject({ stream: true, outcome: 'ok', usage: { source: 'unknown' } });
  });

  it('ends honestly where it is cut', async () => {
    await createAtB({
      ...stream(events[0] as string, events[1] as string, events[2] as string),
      endDelayMs: 50,
      end: 'close',
    });
    const got = await ask('GET', '/v1/responses/resp_B?stream=true');
    const last = JSON.parse(got.text.trimEnd().split('data: ').at(-1) ?? '');
    expect(last).toMatchObject({
      type: 'response.failed',
      sequence_number: 3,
      response: { id: 'resp_1', error: { code: 'stream_interrupted' } },
    });
    expect(got.text).not.toContain('response.completed');
    expect(await recordOf(got)).toMatchObject({ outcome: 'interrupted' });
    expect(a.requests).toHaveLength(1);
  });

  it('of a response that has failed is what there is to tell, and blames nobody', async () => {
    const told = numbers([CREATED, failed({ code: 'server_error', message: 'x' })]);
    await createAtB(stream(...told));
    const got = await ask('GET', '/v1/responses/resp_B?stream=true');
    expect(got.text).toBe(told.join(''));
    expect(await recordOf(got)).toMatchObject({ outcome: 'ok', attempts: [{ outcome: 'ok' }] });
  });

  it('is made of JSON where the issuer has no other, and only of a response that is over', async () => {
    await createAtB(json(WHOLE), json(WHOLE), json(response({ id: 'resp_B', status: 'in_progress' })));
    const anew = await ask('GET', '/v1/responses/resp_B?stream=true');
    expect(anew.text).toContain('"delta":"B"');
    const rest = await ask('GET', '/v1/responses/resp_B?stream=true&starting_after=7');
    expect(rest.text.match(/^event: .*$/gm)).toEqual(['event: response.completed']);
    expect(rest.text).toContain('"sequence_number":8');
    const open = await ask('GET', '/v1/responses/resp_B?stream=true');
    expect([open.status, errorOf(open.text)['code']]).toEqual([400, 'unsupported_capability']);
  });

  it('is known by its id while it goes on', async () => {
    a.play({ ...stream(...events.slice(0, 3)), end: 'hang' }, json(response({ id: 'resp_1', status: 'cancelled' })));
    const leave = new AbortController();
    const answer = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      signal: leave.signal,
      headers: { authorization: `Bearer ${CI}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'main', input: 'hi', stream: true, background: true }),
    });
    expect(answer.status).toBe(200);
    expect((await ask('POST', '/v1/responses/resp_1/cancel')).text).toContain('cancelled');
    leave.abort();
    await until(() => a.requests[0]?.closedAt !== null);
    expect(b.requests).toHaveLength(0);
  });
});

it('unknown query strings are ignored', async () => {
  const answered = json(response({ id: 'resp_A', status: 'completed', output: [message('A')] }));
  a.play(answered, answered);
  const got = await ask('POST', '/v1/responses?beta=true&model=x', { model: 'main', input: 'hi' });
  expect(got.status).toBe(200);
  expect(lines(a)).toEqual(['POST /v1/responses']);
  // Nor do they go on to a target of another protocol.
  const translated = await ask('POST', '/v1/messages?beta=true', {
    model: 'main',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'hi' }],
  });
  expect([translated.status, JSON.parse(translated.text).content]).toEqual([
    200,
    [expect.objectContaining({ type: 'text', text: 'A' })],
  ]);
  expect(lines(a)).toEqual(['POST /v1/responses', 'POST /v1/responses']);
});
