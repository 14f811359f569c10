import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedAnswer } from '../kit/fake-provider.ts';
import { message, response } from '../kit/responses-stream.ts';
import {
  a,
  b,
  CI,
  configText,
  error,
  gateway,
  OTHER,
  readAdmin,
  reopen,
  setUp,
  stream,
  tearDown,
} from './follow-up-kit.ts';
import { sleep, until } from './server-kit.ts';
import { closeClients, type Message, openSocket, refusedWith } from './socket-kit.ts';

beforeEach(setUp);
afterEach(async () => {
  closeClients();
  await tearDown();
});

const event = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const opened = (id: string): string =>
  event('response.created', { response: { id, object: 'response', status: 'in_progress', output: [] } });

const said = (text: string): string =>
  event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: text });

const completed = (id: string, text: string): string =>
  event('response.completed', { response: response({ id, status: 'completed', output: [message(text)] }) });

const answer = (id: string, text: string): ScriptedAnswer => stream(opened(id), said(text), completed(id, text));

const bodyOf = (request: { readonly body: Uint8Array } | undefined): Record<string, unknown> =>
  JSON.parse(String(request?.body ?? 'null')) as Record<string, unknown>;

const errorIn = (sent: Message): Record<string, unknown> => sent['error'] as Record<string, unknown>;
const idOf = (sent: Message): string => (sent['response'] as { id: string }).id;

type Row = Record<string, unknown>;
const records = async (): Promise<Row[]> => ((await readAdmin('/requests')) as { data: Row[] }).data;

describe('responses over a WebSocket', () => {
  it('serves one request a frame, each event as one message and none twice', async () => {
    a.play(answer('resp_1', 'Hello'));
    const client = await openSocket({ headers: { 'openai-beta': 'responses_websockets=2026-02-06, other' } });
    const last = await client.ask({ generate: true, input: [{ role: 'user', content: '\ud83d\ude00 \\u0041' }] });
    expect(last.type).toBe('response.completed');
    expect(client.messages.map(({ type }) => type)).toEqual([
      'response.created',
      'response.output_text.delta',
      'response.completed',
    ]);
    expect(bodyOf(a.requests[0])).toEqual({
      stream: true,
      model: 'm-a',
      input: [{ role: 'user', content: '\ud83d\ude00 \\u0041' }],
    });
    expect(a.requests[0]?.headers['openai-beta']).toBe('other');
    expect(await records()).toMatchObject([
      { outcome: 'ok', stream: true, key: 'ci', served_by: 'a/m-a', status: 200 },
    ]);
  });

  it('goes on with another target before output', async () => {
    a.play(stream(opened('resp_1'), event('response.failed', { response: { id: 'resp_1', status: 'failed' } })));
    b.play(answer('resp_2', 'from b'));
    const client = await openSocket();
    expect(idOf(await client.ask())).toBe('resp_2');
    expect(client.texts.join()).not.toContain('resp_1');
    expect([a.requests.length, b.requests.length]).toEqual([1, 1]);
  });

  it('tells a failure behind output with the event of the protocol', async () => {
    a.play({ ...stream(opened('resp_1'), said('Hel')), end: 'reset' });
    const client = await openSocket();
    const cut = await client.ask();
    expect(cut.type).toBe('response.failed');
    expect(cut['response']).toMatchObject({ id: 'resp_1', error: { code: 'stream_interrupted' } });
    expect(client.messages.filter(({ type }) => type === 'response.completed')).toEqual([]);
    expect(b.requests).toHaveLength(0);
    a.play(answer('resp_2', 'again'));
    expect(idOf(await client.ask())).toBe('resp_2');
  });

  it('tells a total failure with its status and its wait', async () => {
    const full: ScriptedAnswer = {
      ...error(429, { type: 'rate_limit_error', code: 'rate_limit_exceeded' }),
      headers: { 'content-type': 'application/json', 'retry-after': '7' },
    };
    a.play(full);
    b.play(full);
    const client = await openSocket({ headers: { originator: 'codex_exec' } });
    const told = await client.ask({ stream_id: 'lane "1"' });
    expect(told).toMatchObject({ type: 'error', status: 429, stream_id: 'lane "1"' });
    expect(errorIn(told)).toMatchObject({ code: 'rate_limit_exceeded', message: expect.any(String) });
    const headers = told['headers'] as Record<string, string>;
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(7);
    expect(headers['x-request-id']).toMatch(/^req_/);
    expect(headers['content-type']).toBeUndefined();
    expect(client.closed).toBeNull();
  });

  it('keeps what is said on it, though nothing is stored: any target goes on', async () => {
    a.play(answer('resp_1', 'one'), error(503));
    b.play(answer('resp_2', 'two'), answer('resp_3', 'three'));
    const client = await openSocket();
    const warm = await client.ask({ generate: false, store: false, input: [{ role: 'developer', content: 'rules' }] });
    expect(client.messages.map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
    expect(warm['response']).toMatchObject({
      output: [],
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    });
    expect(a.requests).toHaveLength(0);
    const first = await client.ask({ store: false, previous_response_id: idOf(warm) });
    const second = await client.ask({ store: false, previous_response_id: idOf(first), input: 'more' });
    expect(idOf(second)).toBe('resp_2');
    const rules = { role: 'developer', content: 'rules' };
    expect(bodyOf(a.requests[0])).toEqual({
      stream: true,
      model: 'm-a',
      store: false,
      input: [rules, { role: 'user', content: 'hi' }],
    });
    const told = bodyOf(b.requests[0]);
    expect(told).not.toHaveProperty('previous_response_id');
    expect(
      (told['input'] as Row[]).map(({ role, content }) => [role, JSON.stringify(content).includes('one')]),
    ).toEqual([
      ['developer', false],
      ['user', false],
      ['assistant', true],
      ['user', false],
    ]);
    // What only the first one can read stays with it.
    expect((told['input'] as Row[])[2]).not.toHaveProperty('id');
    await client.ask({ store: false, previous_response_id: idOf(second), input: 'and more' });
    expect(bodyOf(b.requests[1])['input'] as Row[]).toHaveLength(6);
  });

  it('asks a client for everything where what it goes on from is not known', async () => {
    a.play(answer('resp_1', 'one'));
    const first = await openSocket();
    await first.ask({ store: false });
    const other = await openSocket();
    for (const generate of [true, false]) {
      const told = await other.ask({ store: false, previous_response_id: 'resp_1', generate });
      expect(told).toMatchObject({ type: 'error', status: 400, error: { code: 'previous_response_not_found' } });
    }
    expect(a.requests).toHaveLength(1);
    expect((await records()).map(({ outcome, status }) => [outcome, status])).toContainEqual(['rejected', 400]);
  });

  it('serves one request at a time, in order, and no more than may wait', async () => {
    a.play(
      stream(opened('resp_1'), { bytes: said('x'), delayMs: 150 }, completed('resp_1', 'x')),
      answer('resp_2', 'y'),
    );
    const client = await openSocket();
    const frame = { type: 'response.create', model: 'main', input: 'hi' };
    for (let i = 0; i < 18; i++) client.send({ ...frame, stream_id: `s${i}` });
    const told = await client.end(0);
    expect(told).toMatchObject({ type: 'error', status: 503, stream_id: 's17', error: { code: 'gateway_overloaded' } });
    await until(() => client.messages.filter(({ type }) => type === 'response.completed').length === 17);
    const order = client.messages.filter(({ type }) => type === 'response.created').map((sent) => sent['stream_id']);
    expect(order).toEqual(Array.from({ length: 17 }, (_value, i) => `s${i}`));
  });

  it.each<[string, object | string, number, string | null]>([
    ['no JSON', '{', 400, null],
    ['no object', '[]', 400, null],
    ['another type', { type: 'response.steer' }, 400, 'type'],
    ['no type', { model: 'main', input: 'hi' }, 400, 'type'],
    ['a lane that is no text', { type: 'response.create', stream_id: 7 }, 400, 'stream_id'],
    ['a word for a flag', { type: 'response.create', generate: 'no' }, 400, 'generate'],
    ['no input', { type: 'response.create', model: 'main' }, 400, 'input'],
    ['no such model', { type: 'response.create', model: 'nobody', input: 'x' }, 404, 'model'],
    [
      'work in the background',
      { type: 'response.create', model: 'main', input: 'x', background: true },
      400,
      'background',
    ],
    ['another spelling', { type: 'response.create', model: 'main', input: 'x', Stream: false }, 400, 'stream'],
  ])('refuses %s, and stays', async (_what, frame, status, param) => {
    const client = await openSocket();
    client.send(frame);
    expect(await client.end(0)).toMatchObject({ type: 'error', status, error: { param } });
    a.play(answer('resp_1', 'one'));
    expect((await client.ask()).type).toBe('response.completed');
  });

  it('opens to whoever may send a request, and to nobody where it is off', async () => {
    expect(await refusedWith({})).toBe(401);
    expect(await refusedWith({ authorization: 'Bearer wrong' })).toBe(401);
    const authorization = `Bearer ${OTHER}`;
    const client = await openSocket({}, OTHER);
    gateway.reload(configText({ keys: `{ name: ci, key: ${CI} }` }));
    expect(await refusedWith({ authorization })).toBe(401);
    expect(await client.ask()).toMatchObject({ type: 'error', status: 401, error: { code: 'invalid_api_key' } });
    await until(() => client.closed !== null);
    expect(client.closed).toEqual({ code: 1008 });
    gateway.reload(`server: { websocket: false }\n${configText()}`);
    expect(await refusedWith({ authorization })).toBe(426);
    expect(await refusedWith({})).toBe(426);
  });

  it.each(['close', 'terminate'] as const)('aborts the provider when the client is gone (%s)', async (how) => {
    a.play({ ...stream(opened('resp_1'), said('x')), end: 'hang' });
    const client = await openSocket();
    client.send({ type: 'response.create', model: 'main', input: 'hi' });
    await until(() => client.messages.length === 2);
    const at = performance.now();
    client.ws[how]();
    await until(() => a.requests[0]?.closedAt != null);
    expect(performance.now() - at).toBeLessThan(500);
    await until(async () => (await records())[0]?.['outcome'] != null);
    expect(await records()).toMatchObject([{ outcome: 'client_closed' }]);
  });

  it('holds the provider back for a client that does not read', async () => {
    const piece = said('z'.repeat(60_000));
    a.play(stream(opened('resp_1'), { bytes: piece, times: 250 }, completed('resp_1', 'x')));
    const client = await openSocket({ perMessageDeflate: false });
    client.ws.pause();
    client.send({ type: 'response.create', model: 'main', input: 'hi' });
    await until(() => (a.requests[0]?.answeredBytes ?? 0) > 1_000_000);
    let before = -1;
    await until(async () => {
      const now = a.requests[0]?.answeredBytes ?? 0;
      const isStill = now === before;
      before = now;
      await sleep(100);
      return isStill;
    });
    expect(before).toBeLessThan(250 * 60_000);
    client.ws.resume();
    expect((await client.end(0)).type).toBe('response.completed');
    expect(client.messages).toHaveLength(252);
  });

  it('cuts a client that takes nothing, before the end of its answer and behind it', async () => {
    gateway.reload(`server: { clientStall: 150ms }\n${configText()}`);
    const piece = said('z'.repeat(60_000));
    for (const end of ['hang', 'normal'] as const) {
      a.play({ ...stream(opened('resp_1'), { bytes: piece, times: 250 }, completed('resp_1', 'x')), end });
      const client = await openSocket({ perMessageDeflate: false });
      client.ws.pause();
      client.send({ type: 'response.create', model: 'main', input: 'hi' });
      await until(async () => (await records())[0]?.['outcome'] === 'client_closed');
      client.ws.resume();
      await until(() => client.closed !== null);
      expect(client.closed).toEqual({ code: 1006 });
    }
  });

  it('ends with the gateway: at once where nothing is under way, else behind it', async () => {
    a.play(stream(opened('resp_1'), { bytes: said('x'), delayMs: 600 }, completed('resp_1', 'x')));
    const [idle, busy] = await Promise.all([openSocket(), openSocket()]);
    busy.send({ type: 'response.create', model: 'main', input: 'hi' });
    await until(() => a.requests.length === 1);
    const drained = gateway.drain();
    await until(() => idle.closed !== null);
    busy.send({ type: 'response.create', model: 'main', input: 'too late', stream_id: 's' });
    expect(await busy.end(0)).toMatchObject({ type: 'error', status: 503, stream_id: 's' });
    // The listener is still open.
    expect(await refusedWith({ authorization: `Bearer ${CI}` })).toBe(426);
    expect((await busy.end(1)).type).toBe('response.completed');
    await until(() => busy.closed !== null);
    expect([idle.closed, busy.closed]).toEqual([{ code: 1012 }, { code: 1012 }]);
    await drained;
  });

  it('tells whoever is still served when the time to drain is over', async () => {
    gateway.reload(`server: { drain: 100ms }\n${configText()}`);
    a.play({ ...stream(opened('resp_1')), end: 'hang' });
    const client = await openSocket();
    client.send({ type: 'response.create', model: 'main', input: 'hi' });
    await until(() => a.requests.length === 1);
    await gateway.drain(100);
    await until(() => client.closed !== null);
    expect(await client.end(0)).toMatchObject({ type: 'error', status: 503, error: { code: 'gateway_overloaded' } });
  });

  it('takes compression up, and bodies no larger than over HTTP', async () => {
    gateway.reload(`server: { bodyLimit: 64KiB }\n${configText()}`);
    a.play(answer('resp_1', 'one'.repeat(2000)));
    const client = await openSocket({ perMessageDeflate: true });
    expect(client.ws.extensions).toContain('permessage-deflate');
    expect((await client.ask({ input: 'y'.repeat(20_000) })).type).toBe('response.completed');
    client.send({ type: 'response.create', model: 'main', input: 'y'.repeat(200_000) });
    await until(() => client.closed !== null);
    expect(client.closed).toEqual({ code: 1009 });
  });

  it('knows what was stored over HTTP, and HTTP what was stored here', async () => {
    a.play(answer('resp_1', 'one'), error(503));
    b.play(answer('resp_2', 'two'));
    const client = await openSocket();
    await client.ask();
    const next = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CI}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'main', input: 'go', stream: true, previous_response_id: 'resp_1' }),
    });
    expect(await next.text()).toContain('resp_2');
    expect(bodyOf(a.requests[1])['previous_response_id']).toBe('resp_1');
    expect(bodyOf(b.requests[0])['input'] as Row[]).toHaveLength(3);
    const third = await client.ask({ previous_response_id: 'resp_2' });
    expect(third.type).toBe('response.completed');
    expect(bodyOf(b.requests[1])['previous_response_id']).toBe('resp_2');
  });

  it('keeps what is said on it where nothing is to be stored at all', async () => {
    await reopen(`responses: { store: off }\n${configText({ keys: `{ name: ci, key: ${CI} }` })}`, (health) => health);
    a.play(answer('resp_1', 'one'), answer('resp_2', 'two'), error(503));
    b.play(answer('resp_3', 'three'));
    const client = await openSocket();
    await client.ask({ store: false });
    await client.ask({ store: false, previous_response_id: 'resp_1' });
    expect(bodyOf(a.requests[1])['input'] as Row[]).toHaveLength(3);
  });
});

it('cuts a client that reads nothing of what it is refused, and goes on', async () => {
  const client = await openSocket({ perMessageDeflate: false });
  // Each refusal names it again.
  const frame = JSON.stringify({ type: 'other', stream_id: '\u0001'.repeat(256) });
  client.ws.pause();
  for (let i = 0; i < 8000; i++) client.send(frame);
  await until(() => client.ws.bufferedAmount === 0 || client.ws.readyState !== client.ws.OPEN, 20_000, 'not sent');
  client.ws.resume();
  await until(() => client.closed !== null, 20_000, 'not cut');
  expect(client.messages.length).toBeLessThan(8000);
}, 60_000);
