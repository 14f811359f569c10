import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, wireGateway } from '../../src/app/wire.ts';
import { configOf } from '../kit/config-text.ts';
import { runHere } from './run-here.ts';

type Serve = (req: IncomingMessage, res: ServerResponse) => void;
type Vendor = {
  readonly port: number;
  readonly seen: string[];
  serve: Serve;
  close(): void;
};

/** A provider of real sockets that serves as it is told. */
async function openVendor(serve: Serve): Promise<Vendor> {
  const seen: string[] = [];
  const vendor = { seen, serve };
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url} ${req.headers.authorization ?? ''}`);
    vendor.serve(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(vendor, { port, close });
}

const json = (res: ServerResponse, body: unknown, status = 200): void => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
};

/** Lists these, and answers any chat with the name of the model that was asked for. */
const lists =
  (...models: readonly object[]): Serve =>
  (req, res) => {
    if (req.method === 'GET') {
      json(res, { object: 'list', data: models });
      return;
    }
    let text = '';
    req.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    req.on('end', () => {
      const { model } = JSON.parse(text) as { model: string };
      const message = { role: 'assistant', content: `I am ${model}` };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      json(res, {
        id: 'c',
        object: 'chat.completion',
        model,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      });
    });
  };

const FREE = { pricing: { prompt: '0', completion: '0' }, supported_parameters: ['tools'] };

let router: Vendor;
let mover: Vendor;
let elsewhere: Vendor;
let gateway: Gateway;
let origin: string;
let open: () => void = () => {};
const stateDir = mkdtempSync(join(tmpdir(), 'understudy-state-'));

const textOf = () => `
stateDir: ${stateDir}
readiness: { probe: { mode: off } }
providers:
  router: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${router.port}/v1", apiKey: key-of-router-123456, discover: true }
  mover: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${mover.port}/v1", apiKey: key-of-mover-123456 }
models:
  main:
    targets:
      - discover: { providers: [router, mover], match: "deepseek*", price: free, capabilities: { tools: true } }
`;

async function start(): Promise<void> {
  gateway = wireGateway(configOf(textOf()), { version: '0.0.0-test', log: { level: 'silent' } });
  origin = `http://127.0.0.1:${(await gateway.server.listen('127.0.0.1', 0)).port}`;
  gateway.startProbing();
}

async function stop(): Promise<void> {
  gateway.server.close();
  gateway.server.destroy();
  await gateway.close();
}

async function ask(model: string) {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

const listed = async (): Promise<readonly string[]> => {
  const { data } = (await (await fetch(`${origin}/v1/models`)).json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
};

const servedBy = (text: string): string | undefined => /I am ([^"]*)/.exec(text)?.[1];
const soon = async (isTrue: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
};

beforeAll(async () => {
  elsewhere = await openVendor(lists({ id: 'deepseek-trap', ...FREE }));
  mover = await openVendor((_, res) => {
    res.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/v1/models` });
    res.end();
  });
  const serve = lists(
    { id: 'deepseek/v3:free', ...FREE },
    { id: 'deepseek/v3', pricing: { prompt: '0.1', completion: '0.2' } },
    { id: 'deepseek/key-of-router-123456', ...FREE },
    { id: 'qwen/q3:free', ...FREE },
  );
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  router = await openVendor((req, res) => void isOpen.then(() => serve(req, res)));
  await start();
});
afterAll(async () => {
  await stop();
  for (const vendor of [router, mover, elsewhere]) vendor.close();
  rmSync(stateDir, { recursive: true, force: true });
});

describe('a model whose targets come out of lists', () => {
  it('says to come back at once while the first of them are read', async () => {
    const { status, retryAfter, text } = await ask('main');
    expect([status, retryAfter]).toEqual([503, '1']);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'no_target_available', understudy: { component: 'target', reason: 'discovery_under_way' } },
    });
    expect(await listed()).toEqual(['main']);
  });

  it('is served by what was listed, and only by that', async () => {
    open();
    await soon(async () => (await ask('main')).status === 200);
    expect(servedBy((await ask('main')).text)).toBe('deepseek/v3:free');
    expect(router.seen[0]).toBe('GET /v1/models Bearer key-of-router-123456');
    expect(router.seen.filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });

  it('makes the listed models of a provider names that clients may use', async () => {
    expect(await listed()).toEqual(['main', 'router/deepseek/v3:free', 'router/deepseek/v3', 'router/qwen/q3:free']);
    expect(servedBy((await ask('router/qwen/q3:free')).text)).toBe('qwen/q3:free');
    const unknown = await ask('router/qwen/q4:free');
    expect([unknown.status, unknown.text.includes('router/qwen/q3:free')]).toEqual([404, true]);
    expect((await ask('mover/deepseek-trap')).status).toBe(404);
  });

  it('goes nowhere else to read a list, and tells no key', async () => {
    expect(mover.seen).toEqual(['GET /v1/models Bearer key-of-mover-123456']);
    expect(elsewhere.seen).toEqual([]);
    const report = await gateway.prober.probe(null);
    expect(report.providers).toMatchObject([
      { provider: 'router', discovered: 3 },
      { provider: 'mover', discovered: null, error: 'protocol_error' },
    ]);
    expect(JSON.stringify(report)).not.toContain('key-of-router');
    expect((await listed()).join()).not.toContain('key-of-router');
  });

  it('is served at once after a restart, whether or not a list can be read', async () => {
    await stop();
    const serve = router.serve;
    router.serve = (req, res) => (req.method === 'GET' ? res.destroy() : serve(req, res));
    await start();
    expect(servedBy((await ask('main')).text)).toBe('deepseek/v3:free');
    await soon(() => router.seen.filter((line) => line.startsWith('GET')).length > 1);
    expect(servedBy((await ask('main')).text)).toBe('deepseek/v3:free');
  });

  it('is shown with what was kept, by commands that ask nobody', async () => {
    const file = join(stateDir, 'understudy.yaml');
    const more = '  later:\n    targets: [{ discover: { match: "nothing*" } }]\n';
    writeFileSync(file, textOf() + more);
    const run = async (...args: readonly string[]) =>
      (await runHere([...args, '--config', file], { home: stateDir })).out;
    const models = await run('models');
    expect(models).toMatch(/main +failover +0 +router\/deepseek\/v3:free +Chat/);
    expect(models).toMatch(/later +failover +– +none yet/);
    expect(models).toContain('main: targets out of what router, mover lists');
    expect(JSON.parse(await run('models', '--json'))).toMatchObject({
      data: [
        { name: 'main', lists: ['router', 'mover'], targets: [{ target: 'router/deepseek/v3:free', listed: true }] },
        { name: 'later', lists: ['router'], targets: [] },
      ],
    });
    expect(await run('check')).toContain('targets out of lists for 2 models');
    expect(await run('plan', '--model', 'main')).toContain('router/deepseek/v3:free#default');
    expect(await run('plan', '--model', 'later')).toContain(
      'Nobody could serve it now: no list holds a target for it.',
    );
  });

  it('is told to have none where nothing fits', async () => {
    const other = textOf().replace('deepseek*', 'nothing*');
    gateway.swap(configOf(other));
    await soon(async () => (await ask('main')).text.includes('no_listed_target'));
    const { status, retryAfter, text } = await ask('main');
    expect([status, retryAfter]).toEqual([503, null]);
    expect(text).toContain('has no target');
  });
});
