import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngineGateway } from '../e2e/engine-gateway.ts';
import { createFakeProvider, type FakeProvider } from '../kit/fake-provider.ts';
import { connectRaw } from '../kit/raw-client.ts';
import { HOSTILE_INPUTS } from './hostile-input.ts';

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'm-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
});

let provider: FakeProvider;
let gateway: Awaited<ReturnType<typeof openEngineGateway>>;

beforeAll(async () => {
  provider = await createFakeProvider();
  provider.play({ status: 200, headers: { 'content-type': 'application/json' }, framing: 'length', chunks: [ANSWER] });
  gateway = await openEngineGateway(`
providers:
  a: { protocol: openai-chat, baseUrl: "${provider.origin}/v1", apiKey: sk-fake-a-1234567890 }
models:
  main: { targets: [a/m-a] }
auth: { required: false }
`);
});

afterAll(async () => {
  await gateway.close();
  await provider.close();
});

describe('hostile input', () => {
  it.each(HOSTILE_INPUTS.map((input) => [input.what, input.status, input.code ?? 'relayed', input] as const))(
    '%s: %i %s',
    async (_what, status, _code, input) => {
      const before = provider.requests.length;
      const connection = await connectRaw(Number(new URL(gateway.url).port));
      connection.write(input.bytes);
      const answer = await connection.answer();
      connection.destroy();
      expect(answer.status, answer.body.slice(0, 300)).toBe(status);
      expect(answer.headers['x-injected']).toBeUndefined();
      const got = provider.requests.slice(before).map(({ body }) => Buffer.from(body).toString());
      expect(got).toEqual(input.relayed === null ? [] : [input.relayed]);
      if (input.code === undefined) return;
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.headers['x-request-id']).toMatch(/^req_/);
      const { error } = JSON.parse(answer.body) as { error: { code: string; message: string } };
      expect(error.code).toBe(input.code);
      expect(error.message.length).toBeLessThan(600);
      if (input.says !== undefined) expect(error.message).toMatch(input.says);
    },
  );

  it('leaves the gateway as it was', async () => {
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'hello' } }] });
  });
});
