import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/protocol/json/index.ts';
import type { ScriptedAnswer } from '../kit/fake-provider.ts';
import { STOP, said, start, stop } from '../kit/messages-stream.ts';
import { message, response } from '../kit/responses-stream.ts';
import {
  a,
  ask,
  b,
  CI,
  configText,
  error,
  gateway,
  healthOf,
  json,
  lines,
  OTHER,
  readAdmin,
  recordOf,
  reopen,
  setUp,
  tearDown,
} from './follow-up-kit.ts';
import { errorOf } from './server-kit.ts';

beforeEach(setUp);
afterEach(tearDown);

/** Both fake providers, of other protocols. */
async function speak(
  protocolA: string,
  protocolB = protocolA,
  more: { readonly targets?: string } = {},
): Promise<void> {
  const base = (protocol: string) => (protocol === 'gemini' ? '/v1beta' : protocol.startsWith('openai') ? '/v1' : '');
  const provider = (name: string, port: number, protocol: string) =>
    `  ${name}: { protocol: ${protocol}, baseUrl: "http://127.0.0.1:${port}${base(protocol)}", apiKey: sk-fake-${name}-1234567890 }\n`;
  const providers = provider('a', a.port, protocolA) + provider('b', b.port, protocolB);
  await reopen(configText({ providers, ...more }), (health) => health);
}

const bodyAt = (provider: typeof a, n = 0): unknown =>
  JSON.parse(decodeUtf8(provider.requests[n]?.body ?? new Uint8Array()));

const HELLO = [{ role: 'user', content: 'How many tokens are these few words?' }] as const;
const countMessages = (more: object = {}, key = CI) =>
  ask('POST', '/v1/messages/count_tokens?beta=true', { model: 'main', messages: HELLO, ...more }, key);

const NOT_FOUND = json({ detail: 'Not Found' }, 404);
const HTML: ScriptedAnswer = { status: 404, headers: { 'content-type': 'text/html' }, chunks: ['<html>404</html>'] };

/** What was told in place of a count. */
function estimateOf({ status, text, headers }: Awaited<ReturnType<typeof ask>>): Record<string, unknown> {
  expect([status, headers.get('x-understudy-estimated')]).toEqual([200, 'true']);
  const body = JSON.parse(text) as Record<string, unknown>;
  expect(body['understudy']).toEqual({ estimated: true });
  return body;
}

describe('the official libraries', () => {
  it('count with Anthropic', async () => {
    await speak('anthropic-messages');
    const count = { input_tokens: 41, context_management: { original_input_tokens: 70 } };
    a.play(json(count));
    const client = new Anthropic({ apiKey: CI, baseURL: gateway.url, maxRetries: 0 });
    const tools = [{ name: 'f', input_schema: { type: 'object' as const } }];
    expect(await client.messages.countTokens({ model: 'main', messages: [...HELLO], system: 's', tools })).toEqual(
      count,
    );
    expect(lines(a)).toEqual(['POST /v1/messages/count_tokens']);
    expect(bodyAt(a)).toEqual({ model: 'm-a', messages: HELLO, system: 's', tools });
    a.play(NOT_FOUND);
    b.play(NOT_FOUND);
    const { input_tokens: estimated } = await client.messages.countTokens({ model: 'main', messages: [...HELLO] });
    expect(estimated).toBeGreaterThan(10);
    expect(estimated).toBeLessThan(30);
  });

  it('count with OpenAI', async () => {
    a.play(json({ object: 'response.input_tokens', input_tokens: 12 }));
    const client = new OpenAI({ apiKey: CI, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const count = () =>
      client.responses.inputTokens.count({ model: 'main', input: 'Hello.', instructions: 'Be brief.' });
    expect(await count()).toEqual({ object: 'response.input_tokens', input_tokens: 12 });
    expect(lines(a)).toEqual(['POST /v1/responses/input_tokens']);
    expect(bodyAt(a)).toEqual({ model: 'm-a', input: 'Hello.', instructions: 'Be brief.' });
    a.play(NOT_FOUND);
    b.play(NOT_FOUND);
    expect((await count()).input_tokens).toBeGreaterThan(5);
  });

  it('count with Google', async () => {
    await speak('gemini');
    a.play(json({ totalTokens: 9, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }] }));
    const client = new GoogleGenAI({ apiKey: CI, httpOptions: { baseUrl: gateway.url } });
    const count = () => client.models.countTokens({ model: 'main', contents: 'Hello there.' });
    expect((await count()).totalTokens).toBe(9);
    expect(lines(a)).toEqual(['POST /v1beta/models/m-a:countTokens']);
    a.play(NOT_FOUND);
    b.play(NOT_FOUND);
    expect((await count()).totalTokens).toBeGreaterThan(5);
  });

  it('compact with OpenAI', async () => {
    a.play(NOT_FOUND);
    b.play(json(COMPACTION));
    const client = new OpenAI({ apiKey: CI, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const input = [{ role: 'user' as const, content: 'hi' }];
    expect(await client.responses.compact({ model: 'main', input })).toMatchObject(COMPACTION);
    expect(lines(b)).toEqual(['POST /v1/responses/compact']);
    expect(bodyAt(b)).toEqual({ model: 'm-b', input });
  });
});

describe('counting tokens', () => {
  it('goes to the next where there is no such path, which is remembered and harms nobody', async () => {
    await speak('anthropic-messages');
    a.play(HTML);
    b.play(json({ input_tokens: 7 }), json({ input_tokens: 8 }));
    const first = await countMessages();
    expect([first.text, first.headers.get('x-understudy-target')]).toEqual(['{"input_tokens":7}', 'b/m-b']);
    expect(first.headers.has('x-understudy-estimated')).toBe(false);
    expect((await countMessages()).text).toBe('{"input_tokens":8}');
    expect([a.requests.length, b.requests.length]).toEqual([1, 2]);
    expect((await healthOf()).states).toEqual(['ready']);
    expect(await recordOf(first)).toMatchObject({
      kind: 'count',
      outcome: 'ok',
      key: 'ci',
      served_by: 'b/m-b',
      usage: { source: 'unknown' },
      attempts: [{ outcome: 'unsupported_capability' }, { outcome: 'ok' }],
    });
  });

  it.each([
    ['a 429 with a wait', error(429), { 'retry-after': '30' }],
    ['an overload', error(529), {}],
    ['a refused key', error(401), {}],
    ['a stub', json({ input_tokens: 0 }), {}],
    ['an ordinary answer', json(response({ id: 'r', status: 'completed', output: [message('x')] })), {}],
    ['a page', { ...HTML, status: 200 }, {}],
    [
      'a stream',
      { status: 200, headers: { 'content-type': 'text/event-stream' }, chunks: [start(), said('hello'), stop(), STOP] },
      {},
    ],
  ] as const)('%s of the only target is no reason not to answer', async (_, answer, headers) => {
    await speak('anthropic-messages', 'anthropic-messages', { targets: 'a/m-a' });
    a.play({ ...answer, headers: { ...(answer.headers as Record<string, string>), ...headers } });
    const told = await countMessages();
    expect(estimateOf(told)['input_tokens']).toBeGreaterThan(10);
    expect(told.headers.get('retry-after')).toBeNull();
    expect(a.requests).toHaveLength(1);
    expect((await healthOf()).states).toEqual(['ready']);
    expect(await recordOf(told)).toMatchObject({ outcome: 'ok', status: 200, served_by: null, attempts: [{}] });
  });

  it('is never asked of another protocol', async () => {
    await speak('openai-chat', 'openai-responses');
    const told = await countMessages({ system: 'Be brief.', tools: [{ name: 'f', input_schema: { type: 'object' } }] });
    expect(estimateOf(told)['input_tokens']).toBeGreaterThan(300);
    expect([a.requests.length, b.requests.length]).toEqual([0, 0]);
    expect(await recordOf(told)).toMatchObject({ outcome: 'ok', served_by: null, attempts: [] });
    const contents = [{ parts: [{ text: 'Hello there.' }] }];
    const gemini = await ask('POST', '/v1beta/models/main:countTokens', { contents });
    expect(estimateOf(gemini)['totalTokens']).toBeGreaterThan(5);
  });

  it('what a provider says of the request itself is told', async () => {
    await speak('anthropic-messages');
    a.play(error(400, { type: 'invalid_request_error', message: 'messages: at least one is needed' }));
    const told = await countMessages();
    expect([told.status, told.headers.has('x-understudy-estimated')]).toEqual([400, false]);
    expect(b.requests).toHaveLength(0);
    expect((await ask('POST', '/v1/messages/count_tokens', { model: 'main' })).status).toBe(400);
    expect((await countMessages({ model: 'nobody' })).status).toBe(404);
    expect((await countMessages({}, 'wrong-key-1234567890')).status).toBe(401);
  });

  it('defaults of the configuration are no part of what is counted, nor is a limit', async () => {
    await speak('anthropic-messages', 'anthropic-messages', {
      targets:
        '{ provider: a, model: m-a, capabilities: { contextWindow: 2 }, defaults: { maxOutputTokens: 5, reasoningEffort: low } }',
    });
    a.play(json({ input_tokens: 7 }));
    expect((await countMessages()).text).toBe('{"input_tokens":7}');
    expect(bodyAt(a)).toEqual({ model: 'm-a', messages: HELLO });
  });

  it('a target that is said not to count is not asked', async () => {
    await speak('anthropic-messages', 'anthropic-messages', {
      targets: '{ provider: a, model: m-a, capabilities: { countTokens: false } }',
    });
    expect(estimateOf(await countMessages())['input_tokens']).toBeGreaterThan(10);
    expect(a.requests).toHaveLength(0);
  });

  it('turns no wheel', async () => {
    await speak('anthropic-messages');
    gateway.reload(
      configText({
        providers: ['a', 'b']
          .map(
            (name) =>
              `  ${name}: { protocol: anthropic-messages, baseUrl: "http://127.0.0.1:${(name === 'a' ? a : b).port}", apiKey: sk-fake-${name}-1234567890 }\n`,
          )
          .join(''),
      }).replace('keepalive: off', 'keepalive: off, strategy: round-robin'),
    );
    a.play(json({ input_tokens: 7 }));
    b.play(json({ input_tokens: 7 }));
    const targets = [];
    for (let i = 0; i < 3; i++) targets.push((await countMessages()).headers.get('x-understudy-target'));
    expect(new Set(targets).size).toBe(1);
  });

  it('Gemini: a whole request goes on whole, with the name of its model', async () => {
    await speak('gemini');
    a.play(json({ totalTokens: 3 }));
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    for (const model of [{}, { model: 'models/main' }]) {
      await ask('POST', '/v1beta/models/main:countTokens', { generateContentRequest: { ...model, contents } });
    }
    const sent = { generateContentRequest: { model: 'models/m-a', contents } };
    expect([bodyAt(a, 0), bodyAt(a, 1)]).toEqual([sent, sent]);
    expect((await ask('POST', '/v1beta/models/main:countTokens', { generateContentRequest: 1 })).status).toBe(400);
  });

  it('Responses: an earlier answer counts at its issuer, or with all that is kept of it', async () => {
    const said = 'A long answer. '.repeat(200);
    b.play(json(response({ id: 'resp_B', status: 'completed', output: [message(said)] })), error(500));
    a.play(error(400, { code: 'context_length_exceeded' }), NOT_FOUND);
    await ask('POST', '/v1/responses', { model: 'main', input: 'hi' });
    const next = { model: 'main', input: 'And then?', previous_response_id: 'resp_B' };
    const told = await ask('POST', '/v1/responses/input_tokens', next);
    expect(estimateOf(told)['input_tokens']).toBeGreaterThan(600);
    expect(bodyAt(b, 1)).toMatchObject({ previous_response_id: 'resp_B' });
    expect(JSON.stringify(bodyAt(a, 1))).toContain('A long answer.');
    const foreign = await ask('POST', '/v1/responses/input_tokens', next, OTHER);
    expect([foreign.status, errorOf(foreign.text)['code']]).toEqual([400, 'previous_response_not_found']);
  });
});

const COMPACTION = {
  id: 'resp_C',
  object: 'response.compaction',
  created_at: 1,
  output: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'SEALED' },
  ],
  usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
};

const compact = (more: object = {}) => ask('POST', '/v1/responses/compact', { model: 'main', input: 'hi', ...more });

describe('compaction', () => {
  it('is a turn like any other, byte for byte, with its usage', async () => {
    a.play(error(500));
    b.play(json(COMPACTION));
    const done = await compact({ tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://x.test' }] });
    expect([done.status, done.text]).toEqual([200, JSON.stringify(COMPACTION)]);
    expect(await recordOf(done)).toMatchObject({
      kind: 'compact',
      outcome: 'ok',
      served_by: 'b/m-b',
      usage: { input_tokens: 100, output_tokens: 20 },
      attempts: [{ outcome: 'server_error' }, { outcome: 'ok' }],
    });
  });

  it.each([
    ['no such path', NOT_FOUND],
    ['a page', HTML],
    ['an ordinary answer', json(response({ id: 'r', status: 'completed', output: [message('x')] }))],
    ['nothing in it', json({ object: 'response.compaction', output: [] })],
  ])('%s: the next one is asked, and nobody is blamed', async (_, answer) => {
    a.play(answer);
    b.play(json({ output: COMPACTION.output }));
    expect((await compact()).headers.get('x-understudy-target')).toBe('b/m-b');
    expect((await healthOf()).states).toEqual(['ready']);
  });

  it('nobody else can do it', async () => {
    await speak('openai-chat', 'anthropic-messages');
    const refused = await compact();
    expect([refused.status, errorOf(refused.text)['code']]).toEqual([400, 'unsupported_capability']);
    expect(String(errorOf(refused.text)['message'])).toContain('compaction');
    expect([a.requests.length, b.requests.length]).toEqual([0, 0]);
  });

  it('without a path anywhere it says what is missing', async () => {
    a.play(NOT_FOUND);
    b.play(NOT_FOUND);
    const refused = await compact();
    expect([refused.status, errorOf(refused.text)['code']]).toEqual([400, 'unsupported_capability']);
    expect(String(errorOf(refused.text)['message'])).toContain('compaction of a conversation');
  });

  it('goes on from an earlier answer: by its id at its issuer, else with the whole conversation', async () => {
    b.play(
      json(response({ id: 'resp_B', status: 'completed', output: [message('said')] })),
      json(COMPACTION),
      error(500),
    );
    a.play(error(400, { code: 'context_length_exceeded' }), json(COMPACTION));
    await ask('POST', '/v1/responses', { model: 'main', input: 'hi' });
    const from = { input: undefined, previous_response_id: 'resp_B' };
    expect((await compact(from)).headers.get('x-understudy-target')).toBe('b/m-b');
    expect(bodyAt(b, 1)).toEqual({ model: 'm-b', previous_response_id: 'resp_B' });
    expect((await compact(from)).headers.get('x-understudy-target')).toBe('a/m-a');
    expect(JSON.stringify(bodyAt(a, 1))).toContain('said');
  });

  it('goes on at whoever sealed it, and at nobody else', async () => {
    const whole = (id: string) => json(response({ id, status: 'completed', output: [message(id)] }));
    a.play(error(500), whole('resp_A'), whole('resp_A'));
    b.play(json(COMPACTION), whole('resp_B'), error(503));
    await compact();
    const input = [
      { type: 'compaction', encrypted_content: 'SEALED' },
      { role: 'user', content: 'And then?' },
    ];
    const next = (key = CI) => ask('POST', '/v1/responses', { model: 'main', input, store: false }, key);
    expect((await next()).headers.get('x-understudy-target')).toBe('b/m-b');
    expect(a.requests).toHaveLength(1);
    expect((await next()).status).not.toBe(200);
    expect(a.requests).toHaveLength(1);
    // Nobody knows who gave what another key has: as before, the first one is asked.
    expect((await next(OTHER)).headers.get('x-understudy-target')).toBe('a/m-a');
    const other = [
      { type: 'compaction', encrypted_content: 'ANOTHER' },
      { role: 'user', content: 'And then?' },
    ];
    const foreign = await ask('POST', '/v1/responses', { model: 'main', input: other });
    expect(foreign.headers.get('x-understudy-target')).toBe('a/m-a');
  });

  it('nothing of it is lost on the way to a record that can be read', async () => {
    a.play(json(COMPACTION));
    await recordOf(await compact());
    const found = (await readAdmin('/reconcile')) as Record<string, unknown>;
    expect(JSON.stringify(found)).toContain('"breaches":[]');
  });
});
