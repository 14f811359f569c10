import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import { CREATED, completed, delta, failed, message, numbers, OPENED, response } from '../kit/responses-stream.ts';
import { openEngineGateway } from './engine-gateway.ts';
import { errorOf, sleep, until } from './server-kit.ts';

let a: FakeProvider;
let b: FakeProvider;
let gateway: Awaited<ReturnType<typeof openEngineGateway>>;

const CI = 'client-key-1234567890';
const OTHER = 'other-key-1234567890';

beforeEach(async () => {
  [a, b] = await Promise.all([createFakeProvider(), createFakeProvider()]);
  const provider = (name: string, { port }: FakeProvider) =>
    `  ${name}: { protocol: openai-responses, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: sk-fake-${name}-1234567890 }\n`;
  gateway = await openEngineGateway(`
auth:
  required: true
  adminToken: admin-token-1234567890
  keys: [{ name: ci, key: ${CI} }, { name: other, key: ${OTHER} }]
providers:
${provider('a', a)}${provider('b', b)}models:
  main: { targets: [a/m-a, b/m-b], keepalive: off, affinity: off }
`);
});

afterEach(async () => {
  await gateway.close();
  await Promise.all([a.close(), b.close()]);
});

const json = (value: unknown, status = 200): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(value)],
});
const error = (status: number, words: object = {}): ScriptedAnswer =>
  json({ error: { message: 'no', type: null, code: null, param: null, ...words } }, status);
const stream = (...chunks: NonNullable<ScriptedAnswer['chunks']>): ScriptedAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  chunks,
});
const WHOLE = response({ id: 'resp_B', status: 'completed', output: [message('B')], model: 'm-b' });

type Answer = { readonly status: number; readonly text: string; readonly headers: Headers };

async function ask(method: string, path: string, body?: object, key = CI): Promise<Answer> {
  const answer = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const create = (more: object = {}, key = CI): Promise<Answer> =>
  ask('POST', '/v1/responses', { model: 'main', input: 'hi', ...more }, key);

/** A response that the second provider gave, since the first one had failed. */
async function createAtB(...followUps: readonly ScriptedAnswer[]): Promise<void> {
  a.play(
    error(400, { code: 'context_length_exceeded' }),
    json(response({ id: 'resp_A2', status: 'completed', output: [message('A')] })),
  );
  b.play(json(WHOLE), ...followUps);
  expect((await create()).headers.get('x-understudy-target')).toBe('b/m-b');
}

const lines = (provider: FakeProvider): string[] => provider.requests.map(({ method, path }) => `${method} ${path}`);

async function recordOf(answer: Answer): Promise<Record<string, unknown>> {
  const id = answer.headers.get('x-request-id');
  const read = async () => {
    const found = await fetch(`${gateway.url}/api/v1/requests/${id}`, {
      headers: { authorization: 'Bearer admin-token-1234567890' },
    });
    return (await found.json()) as Record<string, unknown>;
  };
  for (let i = 0; i < 50; i++) {
    const record = await read();
    if (record['outcome'] != null) return record;
    await sleep(10);
  }
  throw new Error('no end on record');
}

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
    const targets = await fetch(`${gateway.url}/api/v1/targets/b%2Fm-b`, {
      headers: { authorization: 'Bearer admin-token-1234567890' },
    });
    const { routes } = (await targets.json()) as { routes: { state: string }[] };
    // What is wrong with the id says nothing of the model.
    if (told === 404 || told === 400) expect(routes.map(({ state }) => state)).toEqual(['ready']);
    expect(a.requests).toHaveLength(1);
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

describe('a request that goes on from it', () => {
  const from = (id: string, key?: string): Promise<Answer> => create({ previous_response_id: id }, key);

  it('goes to its issuer, and so does what goes on from the next', async () => {
    const second = { ...WHOLE, id: 'resp_B2' };
    await createAtB(json(second), json({ ...WHOLE, id: 'resp_B3' }));
    for (const id of ['resp_B', 'resp_B2']) expect((await from(id)).headers.get('x-understudy-target')).toBe('b/m-b');
    expect(a.requests).toHaveLength(1);
    expect(JSON.parse(String(b.requests[2]?.body))).toMatchObject({ previous_response_id: 'resp_B2' });
  });

  it('is told to send everything where the issuer fails, though another target could serve', async () => {
    await createAtB(error(503));
    const got = await from('resp_B');
    expect([got.status, errorOf(got.text)['code']]).toEqual([400, 'previous_response_not_found']);
    expect(errorOf(got.text)['message']).toContain('cannot be rebuilt');
    expect(a.requests).toHaveLength(1);
    expect(await recordOf(got)).toMatchObject({
      attempts: [{ target: 'b/m-b' }, { target: 'b/m-b' }],
      skipped: [{ target: 'a/m-a', outcome: 'skipped_state' }],
    });
  });

  it('of another key is one that nobody knows', async () => {
    await createAtB();
    expect((await from('resp_B', OTHER)).headers.get('x-understudy-target')).toBe('a/m-a');
  });

  it('stays with the conversation that its provider keeps', async () => {
    a.play(error(401));
    b.play(json(WHOLE));
    await create();
    for (const conversation of ['conv_1', { id: 'conv_1' }]) {
      expect((await create({ conversation })).headers.get('x-understudy-target')).toBe('b/m-b');
      const ready = await fetch(`${gateway.url}/api/v1/targets/a%2Fdefault/reset`, {
        method: 'POST',
        headers: { authorization: 'Bearer admin-token-1234567890', 'content-type': 'application/json' },
      });
      expect(ready.status).toBe(200);
    }
    expect(a.requests).toHaveLength(1);
  });
});

it('unknown query strings are ignored', async () => {
  a.play(json(response({ id: 'resp_A', status: 'completed', output: [message('A')] })));
  const got = await ask('POST', '/v1/responses?beta=true&model=x', { model: 'main', input: 'hi' });
  expect(got.status).toBe(200);
  expect(lines(a)).toEqual(['POST /v1/responses']);
  const none = await ask('POST', '/v1/messages?beta=true', {
    model: 'main',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'hi' }],
  });
  expect([none.status, errorOf(none.text)['message']]).toEqual([400, expect.stringContaining('translation')]);
});
