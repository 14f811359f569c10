import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadOtlpPackages, type OtlpPackages } from '../../src/adapter/telemetry-otlp/index.ts';
import { type Gateway, wireGateway } from '../../src/app/wire.ts';
import type { Telemetry } from '../../src/port/telemetry.ts';
import { chunk, DONE, delta, STOP } from '../kit/chat-stream.ts';
import { configOf } from '../kit/config-text.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import type { OtlpSpan } from '../kit/otlp-message.ts';
import { createOtlpReceiver, type OtlpReceiver } from '../kit/otlp-receiver.ts';
import { cleanUp, runCommand, scratchFolder, startGateway } from './gateway-process.ts';
import { until } from './server-kit.ts';

const PROMPT = 'what the prompt says is the business of nobody else';
const ANSWER = 'nor is what stands in the answer';
const SECRET = 'sk-fake-of-the-provider-1234567890';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const PLACE = { traceparent: `00-${TRACE}-${CLIENT_SPAN}-01`, tracestate: 'vendor=opaque' };

const SSE = { 'content-type': 'text/event-stream' };
const USAGE = { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 3 } };
const told = (rest: object, choices: unknown = []): string => chunk({ model: 'm-2026-01', ...rest }, choices);
const FIRST = told({}, [{ index: 0, delta: { content: ANSWER }, finish_reason: null }]);
const GOOD: ScriptedAnswer = { status: 200, headers: SSE, chunks: [FIRST, STOP, chunk({ usage: USAGE }), DONE] };
const CUT_SHORT: ScriptedAnswer = { status: 200, headers: SSE, chunks: [FIRST, delta({ content: 'b' })], end: 'hang' };
/** A provider repeats what it was sent, and with what. */
const OVERLOADED: ScriptedAnswer = {
  status: 529,
  headers: { 'content-type': 'application/json' },
  framing: 'length',
  chunks: [JSON.stringify({ error: { message: `busy: ${PROMPT} with ${SECRET}`, type: 'overloaded_error' } })],
};
const BROKEN: ScriptedAnswer = {
  status: 200,
  headers: SSE,
  chunks: [FIRST, `data: ${JSON.stringify({ error: { message: 'lost a card', type: 'server_error' } })}\n\n`],
};

let packages: OtlpPackages;
let receiver: OtlpReceiver;
let bad: FakeProvider;
let good: FakeProvider;
let gateways: Gateway[] = [];

beforeAll(async () => {
  const loaded = await loadOtlpPackages();
  if (loaded === null) throw new Error('the packages of OpenTelemetry are not installed');
  packages = loaded;
});
beforeEach(async () => {
  [receiver, bad, good] = await Promise.all([createOtlpReceiver(), createFakeProvider(), createFakeProvider()]);
});
afterEach(async () => {
  for (const gateway of gateways) gateway.server.destroy();
  await Promise.all([receiver.close(), bad.close(), good.close(), ...gateways.map((gateway) => gateway.close())]);
  gateways = [];
});
afterAll(cleanUp);

const configText = (traces: string, to = receiver.url): string => `
auth: { required: false }
telemetry: { otlp: "${to}"${traces} }
modelDefaults: { retry: { sameTarget: 0 }, affinity: off }
providers:
  first: { preset: openai-compatible, baseUrl: "${bad.origin}/v1", apiKey: ${SECRET} }
  second: { preset: mistral, baseUrl: "${good.origin}/v1", apiKey: ${SECRET}-2 }
models:
  main: { targets: [first/m-a, second/m-b] }
`;

async function open(traces = '', to?: string) {
  const config = configOf(configText(traces, to));
  const notices: string[] = [];
  const ignore = (): void => {};
  const listener: Telemetry = {
    requestEnded: ignore,
    attemptStarted: ignore,
    attemptEnded: ignore,
    healthChanged: ignore,
    probeEnded: ignore,
    discoveryFailed: ignore,
    configChanged: ignore,
    notice: (_level, message, fields) => void notices.push(`${message} ${JSON.stringify(fields)}`),
  };
  const gateway = wireGateway(
    { ...config, store: { ...config.store, kind: 'memory' } },
    { version: '1.2.3', log: { level: 'silent' }, otlp: packages, listener },
  );
  gateways.push(gateway);
  const { port } = await gateway.server.listen('127.0.0.1', 0);
  const ask = async (headers: Record<string, string> = {}, model = 'main', signal?: AbortSignal): Promise<string> => {
    const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: PROMPT }] });
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    return response.text();
  };
  return { gateway, ask, notices };
}

/** Everything that has left, once nothing is on its way: the request's own span, and those of its attempts. */
async function spansOf(gateway: Gateway): Promise<{ request: OtlpSpan; attempts: readonly OtlpSpan[] }> {
  await until(() => gateway.engine.inFlight() === 0);
  await gateway.close();
  expect(receiver.problems).toEqual([]);
  for (const word of [PROMPT, ANSWER, SECRET]) expect(receiver.heard).not.toContain(word);
  const [request, ...others] = receiver.spans.filter(({ kind }) => kind === 'server');
  if (request === undefined || others.length > 0) throw new Error(`${others.length + 1} spans of one request`);
  const attempts = receiver.spans.filter(({ kind }) => kind === 'client');
  expect(receiver.spans).toHaveLength(1 + attempts.length);
  for (const attempt of attempts) {
    expect([attempt.traceId, attempt.parentId, attempt.isParentRemote]).toEqual([
      request.traceId,
      request.spanId,
      false,
    ]);
    expect(attempt.start >= request.start && attempt.end <= request.end).toBe(true);
    expect(attempt.attributes['understudy.request']).toBe(request.attributes['understudy.request']);
  }
  return { request, attempts };
}

const placesSent = (...providers: readonly FakeProvider[]): readonly (string | undefined)[] =>
  providers.flatMap(({ requests }) => requests.map(({ headers }) => headers['traceparent']));

describe('a request that another target saves', () => {
  it("is a span in its client's trace, with one for each attempt", async () => {
    bad.play(OVERLOADED);
    good.play(GOOD);
    const { gateway, ask } = await open();
    expect(await ask(PLACE)).toContain(ANSWER);
    const { request, attempts } = await spansOf(gateway);
    const [failed, served] = attempts;
    expect(request).toMatchObject({ traceId: TRACE, parentId: CLIENT_SPAN, isParentRemote: true, name: 'chat main' });
    expect(request.status).toEqual({ code: 'unset', message: '' });
    expect(request.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'main',
      'gen_ai.request.stream': true,
      'http.response.status_code': 200,
      'understudy.outcome': 'ok',
      'understudy.protocol': 'openai-chat',
      'understudy.kind': 'answer',
      'understudy.served_by': 'second/m-b',
      'understudy.attempts': 2,
      'understudy.rescued': true,
    });
    // Whoever adds up tokens finds each of them once.
    expect(Object.keys(request.attributes).filter((name) => name.startsWith('gen_ai.usage.'))).toEqual([]);
    expect(request.resource).toMatchObject({ 'service.name': 'understudy', 'service.version': '1.2.3' });
    expect(request.resource['service.instance.id']).toMatch(/^boot_/);
    expect(failed).toMatchObject({ name: 'chat m-a', kind: 'client', status: { code: 'error' } });
    expect(failed?.status.message).toContain('busy');
    expect(failed?.attributes).toMatchObject({
      'gen_ai.provider.name': 'first',
      'gen_ai.request.model': 'm-a',
      'error.type': 'overloaded',
      'http.response.status_code': 529,
      'server.address': '127.0.0.1',
      'server.port': bad.port,
      'understudy.attempt': 1,
      'understudy.target': 'first/m-a',
      'understudy.credential': 'default',
      'understudy.endpoint': `127.0.0.1:${bad.port}`,
      'understudy.why': 'first in plan',
      'understudy.charged': true,
      'understudy.trial': false,
      'understudy.committed': false,
      'understudy.outcome': 'overloaded',
    });
    expect(served).toMatchObject({ name: 'chat m-b', status: { code: 'unset' } });
    expect(served?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'mistral_ai',
      'gen_ai.request.model': 'm-b',
      'gen_ai.response.model': 'm-2026-01',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 3,
      'http.response.status_code': 200,
      'understudy.committed': true,
      'understudy.why': 'failover after overloaded',
    });
    expect(served?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
    expect(served?.attributes).not.toHaveProperty('error.type');
    // Each provider is told of the span that was made for it.
    expect(placesSent(bad, good)).toEqual(attempts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`));
    expect(good.requests[0]?.headers['tracestate']).toBe('vendor=opaque');
  });

  it.each([
    ['former', ['gen_ai.system', 'gen_ai.usage.prompt_tokens', 'gen_ai.usage.completion_tokens']],
    ['both', ['gen_ai.system', 'gen_ai.provider.name', 'gen_ai.usage.prompt_tokens', 'gen_ai.usage.input_tokens']],
  ])('has the names that are wanted: %s', async (names, expected) => {
    bad.play(GOOD);
    const { gateway, ask } = await open(`, traces: { names: ${names} }`);
    await ask();
    const { attempts } = await spansOf(gateway);
    const found = Object.keys(attempts[0]?.attributes ?? {});
    expect(expected.filter((name) => !found.includes(name))).toEqual([]);
    expect(found.includes('gen_ai.provider.name')).toBe(names === 'both');
  });
});

describe('a request that ends badly', () => {
  it('blames nobody where its client left', async () => {
    bad.play(CUT_SHORT);
    const { gateway, ask } = await open();
    const leave = new AbortController();
    const asked = ask({}, 'main', leave.signal).catch(() => 'gone');
    await until(() => (bad.requests[0]?.answeredBytes ?? 0) > FIRST.length);
    leave.abort();
    expect(await asked).toBe('gone');
    const { request, attempts } = await spansOf(gateway);
    for (const span of [request, ...attempts]) {
      expect(span.status.code).toBe('unset');
      expect(span.attributes).toMatchObject({ 'error.type': 'client_closed', 'understudy.outcome': 'client_closed' });
    }
    expect(attempts).toHaveLength(1);
  });

  it('says why its stream broke', async () => {
    bad.play(BROKEN);
    const { gateway, ask } = await open();
    expect(await ask()).toContain('stream_interrupted');
    const { request, attempts } = await spansOf(gateway);
    expect(request).toMatchObject({ parentId: '', status: { code: 'error' } });
    expect(request.attributes).toMatchObject({ 'error.type': 'interrupted', 'http.response.status_code': 200 });
    expect(attempts[0]?.status).toEqual({ code: 'error', message: 'error event, server_error' });
    expect(attempts[0]?.attributes).toMatchObject({ 'error.type': 'interrupted', 'understudy.committed': true });
  });

  it("is the client's business where it asked for what is not there", async () => {
    const { gateway, ask } = await open();
    expect(await ask(PLACE, 'mian')).toContain('model_not_found');
    const { request, attempts } = await spansOf(gateway);
    expect(attempts).toEqual([]);
    expect(request).toMatchObject({ traceId: TRACE, parentId: CLIENT_SPAN, name: 'chat', status: { code: 'unset' } });
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': 'rejected' });
  });
});

describe('which traces are sent', () => {
  it.each([
    ['none of those that begin here', ', traces: { ratio: 0 }', {}],
    ['none that its client does not record', '', { traceparent: `00-${TRACE}-${CLIENT_SPAN}-00` }],
  ])('%s; providers are told so', async (_name, traces, headers) => {
    bad.play(GOOD);
    const { gateway, ask } = await open(traces);
    await ask(headers);
    await gateway.close();
    expect(receiver.exports()).toBe(0);
    expect(placesSent(bad)[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it('a place that nobody can read is none', async () => {
    bad.play(GOOD);
    const { gateway, ask } = await open();
    await ask({ traceparent: `00-${TRACE}-${CLIENT_SPAN}`, tracestate: 'vendor=opaque' });
    const { request } = await spansOf(gateway);
    expect([request.parentId, request.traceId === TRACE]).toEqual(['', false]);
    expect(bad.requests[0]?.headers).not.toHaveProperty('tracestate');
  });

  it("where nobody traces, a client's place goes on as it came", async () => {
    bad.play(GOOD);
    const { gateway, ask } = await open('', '');
    await ask({ ...PLACE, traceparent: 'whatever it is' });
    await gateway.close();
    expect(bad.requests[0]?.headers).toMatchObject({ traceparent: 'whatever it is', tracestate: 'vendor=opaque' });
  });
});

describe('a receiver that takes nothing', () => {
  it.each([
    ['is away', null, 'ECONNREFUSED'],
    ['says 500', 500, '500'],
    ['says 400', 400, '400'],
    ['hangs', 'hang', null],
  ] as const)('%s: the gateway serves on, and ends in time', async (_name, manner, code) => {
    bad.play(GOOD);
    if (manner === null) await receiver.close();
    else receiver.behave(manner);
    const { gateway, ask, notices } = await open();
    for (let i = 0; i < 3; i++) expect(await ask()).toContain(ANSWER);
    const from = performance.now();
    await gateway.close();
    expect(performance.now() - from).toBeLessThan(4000);
    if (manner === null) receiver = await createOtlpReceiver();
    const about = notices.filter((notice) => notice.startsWith('spans get lost'));
    // What may arrive a little later is not lost yet.
    if (code === null || manner === null) expect(about).toEqual([]);
    else expect(about).toEqual([expect.stringContaining(`"code":"${code}","lost":6`)]);
    for (const word of [PROMPT, SECRET, '/v1/traces']) expect(notices.join()).not.toContain(word);
  });
});

describe('the command', () => {
  it('sends what waits before it ends, with the headers of the environment, which it keeps to itself', async () => {
    bad.play(GOOD);
    const running = await startGateway(configText('', 'http://127.0.0.1:9').replace(/otlp: "[^"]*"/, 'otlp: "${TO}"'), {
      TO: receiver.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer hidden-token-1234567890',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=mine',
    });
    const body = JSON.stringify({ model: 'main', stream: true, messages: [{ role: 'user', content: PROMPT }] });
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${running.url}/v1/chat/completions`, { method: 'POST', headers, body })).text();
    running.child.kill('SIGINT');
    const { code, out, err } = await running.ended;
    expect(code).toBe(0);
    expect(receiver.problems).toEqual([]);
    const served = receiver.spans.filter(({ kind }) => kind === 'server');
    expect(served[0]?.resource).toMatchObject({ 'deployment.environment.name': 'test', 'service.name': 'mine' });
    expect(receiver.headers[0]?.authorization).toBe('Bearer hidden-token-1234567890');
    expect(out + err).not.toContain('hidden-token');
    // The line of the request tells where its trace is.
    expect(out).toContain(`"trace":"${served[0]?.traceId}"`);
  });

  it('says what to do where the packages are not installed', async () => {
    const home = scratchFolder();
    const hooks = join(home, 'hooks.mjs');
    writeFileSync(
      hooks,
      `import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
    throw Object.assign(new Error(\`Cannot find package '\${specifier}'\`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});`,
    );
    writeFileSync(join(home, 'understudy.yaml'), configText(''));
    const { ended } = runCommand(['serve', '--port', '0'], { home, env: { NODE_OPTIONS: `--import=${hooks}` } });
    const { code, err } = await ended;
    expect(code).toBe(3);
    expect(err).toContain('npm ci');
    expect(err).toContain('remove telemetry.otlp');
  });
});
