import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeProvider, type FakeProvider } from '../kit/fake-provider.ts';
import { words } from '../kit/large-request.ts';
import { STOP, said, start, stop } from '../kit/messages-stream.ts';
import { type EngineGateway, openEngineGateway } from './engine-gateway.ts';

let provider: FakeProvider;
let gateway: EngineGateway;

beforeEach(async () => {
  provider = await createFakeProvider();
  provider.play({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    chunks: [start() + said('Hello') + stop() + STOP],
  });
  gateway = await openEngineGateway(`
providers:
  p: { protocol: anthropic-messages, baseUrl: "http://127.0.0.1:${provider.port}/v1", apiKey: sk-fake-p-1234567890 }
models:
  main: { targets: [p/m] }
`);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
  await provider.close();
});

it('a body of megabytes is translated elsewhere: the thread that serves requests parses nothing of it', async () => {
  const input = Array.from({ length: 4000 }, (_, n) => ({ role: 'user', content: `number ${n} ${words(500)}` }));
  const body = JSON.stringify({ model: 'main', stream: true, input });
  const parse = vi.spyOn(JSON, 'parse');
  const answer = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(await answer.text()).toContain('response.completed');
  expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(10_000);
  const sent = String(provider.requests[0]?.body);
  expect(sent).toContain('number 3999 all work and no play');
  expect(JSON.parse(sent)).toMatchObject({ model: 'm', messages: [{ role: 'user' }] });
});
