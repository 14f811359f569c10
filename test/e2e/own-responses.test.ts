import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeProvider, type FakeProvider } from '../kit/fake-provider.ts';
import { type EngineGateway, openEngineGateway } from './engine-gateway.ts';
import { CI, error, json, OTHER, stream } from './follow-up-kit.ts';
import { errorOf } from './server-kit.ts';

let chat: FakeProvider;
let other: FakeProvider;
let gateway: EngineGateway;

const config = (extra = ''): string => `${extra}
auth:
  required: true
  adminToken: admin-token-1234567890
  keys: [{ name: ci, key: ${CI} }, { name: other, key: ${OTHER} }]
providers:
  chat: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${chat.port}/v1", apiKey: sk-fake-a-1234567890 }
  resp: { protocol: openai-responses, baseUrl: "http://127.0.0.1:${other.port}/v1", apiKey: sk-fake-b-1234567890 }
models:
  main: { targets: [chat/m-a, resp/m-b], keepalive: off, affinity: off }
`;

beforeEach(async () => {
  [chat, other] = await Promise.all([createFakeProvider(), createFakeProvider()]);
  gateway = await openEngineGateway(config());
});
afterEach(async () => {
  await gateway.close();
  await Promise.all([chat.close(), other.close()]);
});

const chatAnswer = (content: string) =>
  json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm-a',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
const chunk = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm-a', choices: [{ index: 0, ...choice }] })}\n\n`;

type Got = { readonly status: number; readonly text: string; readonly target: string | null };

async function ask(method: string, path: string, body?: object, key = CI): Promise<Got> {
  const answer = await fetch(`${gateway.url}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify({ model: 'main', ...body }) } : {}),
  });
  return { status: answer.status, text: await answer.text(), target: answer.headers.get('x-understudy-target') };
}

const bodyOf = (provider: FakeProvider, n: number) => JSON.parse(String(provider.requests[n]?.body));

describe('a response of a target that speaks another protocol', () => {
  it('is gone on from, whoever serves next', async () => {
    chat.play(chatAnswer('first'), chatAnswer('second'), error(503));
    const first = await ask('POST', '', { input: 'one' });
    expect([first.status, first.target]).toEqual([200, 'chat/m-a']);
    const { id } = JSON.parse(first.text) as { id: string };
    const second = await ask('POST', '', { input: 'two', previous_response_id: id });
    expect(second.target).toBe('chat/m-a');
    expect(bodyOf(chat, 1).messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(bodyOf(chat, 1).messages[1])).toContain('first');
    other.play(
      json({
        id: 'resp_R',
        object: 'response',
        status: 'completed',
        output: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
    const third = await ask('POST', '', { input: 'three', previous_response_id: JSON.parse(second.text).id });
    expect([third.status, third.target]).toEqual([200, 'resp/m-b']);
    const told = bodyOf(other, 0);
    expect(told).not.toHaveProperty('previous_response_id');
    expect(told.input).toHaveLength(5);
    expect((await ask('POST', '', { input: 'x', previous_response_id: id }, OTHER)).status).toBe(400);
  });

  it('is asked for by its id here, where alone it is', async () => {
    chat.play(
      stream(
        chunk({ delta: { role: 'assistant', content: 'Hel' } }),
        chunk({ delta: { content: 'lo' } }),
        chunk({ delta: {}, finish_reason: 'stop' }),
        'data: [DONE]\n\n',
      ),
    );
    const made = await ask('POST', '', {
      stream: true,
      input: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ],
    });
    const id = /"id":"(resp_\w+)"/.exec(made.text)?.[1] ?? '';
    const got = await ask('GET', `/${id}`);
    expect(got.status).toBe(200);
    expect(JSON.parse(got.text)).toMatchObject({ id, status: 'completed', store: true, output: [{ type: 'message' }] });
    expect(made.text).not.toContain('"store":false');
    expect(got.text).toContain('Hello');
    expect((await ask('GET', `/${id}?stream=true`)).text).toContain('event: response.completed');
    const after = (await ask('GET', `/${id}?stream=true&starting_after=4`)).text;
    expect([after.match(/^event: /gm)?.length, after.includes('"sequence_number":5')]).toEqual([1, true]);
    const items = JSON.parse((await ask('GET', `/${id}/input_items?limit=1`)).text);
    expect(items).toMatchObject({ object: 'list', data: [{ content: 'two' }], has_more: true });
    const rest = JSON.parse((await ask('GET', `/${id}/input_items?after=${items.last_id}`)).text);
    expect(rest).toMatchObject({ data: [{ content: 'one', id: rest.first_id }], has_more: false });
    expect(JSON.parse((await ask('GET', `/${id}/input_items?order=asc`)).text).data).toHaveLength(2);
    const cancel = await ask('POST', `/${id}/cancel`);
    expect([cancel.status, errorOf(cancel.text)['code']]).toEqual([400, 'invalid_request_error']);
    expect((await ask('GET', `/${id}`, undefined, OTHER)).status).toBe(404);
    expect(JSON.parse((await ask('DELETE', `/${id}`)).text)).toEqual({ id, object: 'response', deleted: true });
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    const lost = await ask('POST', '', { input: 'x', previous_response_id: id });
    expect([lost.status, errorOf(lost.text)['code']]).toEqual([400, 'previous_response_not_found']);
    expect([chat.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('is lost at once where nothing is kept', async () => {
    gateway.reload(config('responses: { store: off }'));
    chat.play(chatAnswer('first'));
    const { id, store } = JSON.parse((await ask('POST', '', { input: 'one' })).text) as { id: string; store: boolean };
    expect(store).toBe(false);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    const lost = await ask('POST', '', { input: 'x', previous_response_id: id });
    expect([lost.status, errorOf(lost.text)['code']]).toEqual([400, 'previous_response_not_found']);
    expect([chat.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('is told to no key that may not use its model any more', async () => {
    chat.play(chatAnswer('first'));
    const { id } = JSON.parse((await ask('POST', '', { input: 'one' })).text) as { id: string };
    gateway.reload(config().replace('name: ci,', 'name: ci, models: [another],'));
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/input_items'],
      ['DELETE', ''],
    ] as const) {
      const got = await ask(method, `/${id}${path}`);
      expect([got.status, errorOf(got.text)['code']]).toEqual([403, 'model_not_allowed']);
    }
    gateway.reload(config());
    expect((await ask('GET', `/${id}`)).status).toBe(200);
  });
});
