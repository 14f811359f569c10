import { expect } from 'vitest';
import type { HealthStore } from '../../src/port/health-store.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import { message, response } from '../kit/responses-stream.ts';
import { type EngineGateway, openEngineGateway } from './engine-gateway.ts';
import { sleep } from './server-kit.ts';

// Of the test that runs: `setUp` fills them anew.
export let a: FakeProvider;
export let b: FakeProvider;
export let gateway: EngineGateway;

export const CI = 'client-key-1234567890';
export const OTHER = 'other-key-1234567890';

export const TWO_KEYS = `{ name: ci, key: ${CI} }, { name: other, key: ${OTHER} }`;

export const provider = (name: string, { port }: FakeProvider, key = `sk-fake-${name}-1234567890`): string =>
  `  ${name}: { protocol: openai-responses, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: ${key} }\n`;

export const configText = ({
  keys = TWO_KEYS,
  providers = `${provider('a', a)}${provider('b', b)}`,
  targets = 'a/m-a, b/m-b',
} = {}): string => `
auth:
  required: true
  adminToken: admin-token-1234567890
  keys: [${keys}]
providers:
${providers}models:
  main: { targets: [${targets}], keepalive: off, affinity: off }
`;

/** A gateway of two keys before two providers of the Responses API. */
export async function setUp(): Promise<void> {
  [a, b] = await Promise.all([createFakeProvider(), createFakeProvider()]);
  gateway = await openEngineGateway(configText());
}

export async function tearDown(): Promise<void> {
  await gateway.close();
  await Promise.all([a.close(), b.close()]);
}

/** The same providers behind another gateway, which knows nothing. */
export async function reopen(text: string, changeHealth: (health: HealthStore) => HealthStore): Promise<void> {
  await gateway.close();
  gateway = await openEngineGateway(text, changeHealth);
}

export const json = (value: unknown, status = 200): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(value)],
});
export const error = (status: number, words: object = {}): ScriptedAnswer =>
  json({ error: { message: 'no', type: null, code: null, param: null, ...words } }, status);
export const stream = (...chunks: NonNullable<ScriptedAnswer['chunks']>): ScriptedAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  chunks,
});
export const WHOLE = response({ id: 'resp_B', status: 'completed', output: [message('B')], model: 'm-b' });

export type Answer = { readonly status: number; readonly text: string; readonly headers: Headers };

export async function ask(method: string, path: string, body?: object, key = CI): Promise<Answer> {
  const answer = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

export const create = (more: object = {}, key = CI): Promise<Answer> =>
  ask('POST', '/v1/responses', { model: 'main', input: 'hi', ...more }, key);

/** A response that the second provider gave, since the first one had failed. */
export async function createAtB(...followUps: readonly ScriptedAnswer[]): Promise<void> {
  a.play(
    error(400, { code: 'context_length_exceeded' }),
    json(response({ id: 'resp_A2', status: 'completed', output: [message('A')] })),
  );
  b.play(json(WHOLE), ...followUps);
  expect((await create()).headers.get('x-understudy-target')).toBe('b/m-b');
}

export const lines = (provider: FakeProvider): string[] =>
  provider.requests.map(({ method, path }) => `${method} ${path}`);

export async function readAdmin(path: string): Promise<unknown> {
  const found = await fetch(`${gateway.url}/api/v1${path}`, {
    headers: { authorization: 'Bearer admin-token-1234567890' },
  });
  return found.json();
}

/** The state of each thing that may be held, and the whole of what is known of it. */
export async function healthOf(): Promise<{ readonly states: readonly string[]; readonly all: unknown }> {
  const all = (await readAdmin('/targets')) as Record<string, unknown>;
  const states = [...JSON.stringify(all).matchAll(/"state":"(\w+)"/g)].map(([, state]) => state ?? '');
  return { states: [...new Set(states)], all };
}

export async function recordOf(answer: Answer): Promise<Record<string, unknown>> {
  const id = answer.headers.get('x-request-id');
  for (let i = 0; i < 50; i++) {
    const record = (await readAdmin(`/requests/${id}`)) as Record<string, unknown>;
    if (record['outcome'] != null) return record;
    await sleep(10);
  }
  throw new Error('no end on record');
}
