import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Counts } from './counts.ts';

/**
 * What a request may cost, in things that can be counted: times are those of a machine, counts are those of the code. Each
 * is what it costs today and some slack, for a process that is hardly warm. Whoever makes one smaller lowers it here.
 */
const BUDGET = {
  parsesOfAStream: 4,
  parsesOfAJsonAnswer: 3,
  timersOfARequest: 10,
  writesForARead: 1.02,
  /** Heap of the head, the plan, the records, the log: once for each request. */
  bytesForARequest: 350_000,
  /** Heap for a token that is read and written by itself. */
  bytesForAToken: 10_000,
};

const TOKENS = 300;
const REQUESTS = 10;
const WARMING = 4;

const folder = mkdtempSync(join(tmpdir(), 'understudy-budget-'));
const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;

/** Has the provider go on: the client has what came before, so that the gateway reads each token by itself. */
let next: () => void = () => {};

const provider = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => {
    const { stream, max_tokens: tokens } = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
    if (stream !== true) {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    next = () => {
      if (sent++ < Number(tokens)) res.write(chunk({ role: 'assistant', content: `word ${sent} ` }));
      else res.end(`${chunk({}, { finish_reason: 'stop' })}data: [DONE]\n\n`);
    };
    next();
  });
});

const ANSWER = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

let gateway: ChildProcess;
let port = 0;

async function told<T>(): Promise<T> {
  const [message] = (await once(gateway, 'message')) as [T];
  return message;
}

async function ask(stream: boolean, tokens: number): Promise<void> {
  const req = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', authorization: 'Bearer client-counted-1234567890' },
  });
  req.end(
    JSON.stringify({
      model: 'main',
      stream,
      max_tokens: tokens,
      messages: [{ role: 'user', content: 'x'.repeat(2000) }],
    }),
  );
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  res.on('data', () => next());
  await once(res, 'end');
  expect(res.statusCode).toBe(200);
}

async function count(times: number, run: () => Promise<void>): Promise<Counts> {
  const begun = told();
  gateway.send('begin');
  await begun;
  for (let n = 0; n < times; n++) await run();
  const counted = told<Counts>();
  gateway.send('end');
  return counted;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  gateway = fork(fileURLToPath(new URL('counted-gateway.ts', import.meta.url)), [folder, origin], {
    stdio: ['ignore', openSync(join(folder, 'log.jsonl'), 'w'), 'inherit', 'ipc'],
  });
  ({ port } = await told<{ port: number }>());
  for (let n = 0; n < WARMING; n++) await ask(n % 2 === 0, TOKENS);
}, 60_000);

afterAll(async () => {
  const ended = once(gateway, 'exit');
  gateway.send('stop');
  await ended;
  provider.closeAllConnections();
  provider.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('what a request costs', () => {
  it('a stream: nothing is parsed for a token, and a read is a write', async () => {
    const short = await count(REQUESTS, () => ask(true, 1));
    const long = await count(REQUESTS, () => ask(true, TOKENS));
    const reads = long.reads - short.reads;
    expect(reads).toBeGreaterThan(REQUESTS * TOKENS * 0.9);
    expect((long.writes - short.writes) / reads).toBeLessThan(BUDGET.writesForARead);
    expect(long.parses / REQUESTS).toBeLessThanOrEqual(BUDGET.parsesOfAStream);
    expect(long.timers / REQUESTS).toBeLessThanOrEqual(BUDGET.timersOfARequest);
    expect(short.allocated / REQUESTS).toBeLessThan(BUDGET.bytesForARequest);
    expect((long.allocated - short.allocated) / reads).toBeLessThan(BUDGET.bytesForAToken);
  });

  it('a JSON answer: one write', async () => {
    const counted = await count(REQUESTS, () => ask(false, 1));
    expect(counted.writes / REQUESTS).toBe(1);
    expect(counted.parses / REQUESTS).toBeLessThanOrEqual(BUDGET.parsesOfAJsonAnswer);
    expect(counted.timers / REQUESTS).toBeLessThanOrEqual(BUDGET.timersOfARequest);
    expect(counted.allocated / REQUESTS).toBeLessThan(BUDGET.bytesForARequest);
  });
});
