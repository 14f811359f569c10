import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildNative } from './build-native.ts';
import { killChildren } from './children.ts';
import { pickCores } from './machine.ts';
import { type LoadArguments, type Loaded, runLoad } from './run-load.ts';
import { type Provider, startProvider, statsOf } from './start-provider.ts';

const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-test-'));
afterAll(() => {
  killChildren();
  rmSync(folder, { recursive: true, force: true });
});

const core = pickCores().load;
const native = buildNative(folder);
writeFileSync(join(folder, 'body.json'), '{"model":"m"}');

async function ask(provider: Provider, path: string, more: LoadArguments = {}): Promise<Loaded> {
  const args = { port: provider.port, path, body: join(folder, 'body.json'), seconds: 1, connections: 4, ...more };
  return runLoad(native.load, args, { core, folder }, () => undefined);
}

it('provider and clients agree, and the clients see every wrong answer', { timeout: 120_000 }, async () => {
  const provider = await startProvider(native.provider, folder, core);
  const { faultPort: port, port: controlPort } = provider;
  const right: readonly (readonly [string, LoadArguments])[] = [
    ['/json-1024/', { bytes: 1024 }],
    ['/json-1048576/', { bytes: 1_048_576 }],
    ['/sse-100-0-1/', { stream: 1, tokens: 100 }],
    ['/sse-100-0-100/', { stream: 1, tokens: 100 }],
    ['/sse-10-100-1/', { stream: 1, tokens: 10 }],
    ['/json-1024/', { rate: 100, bytes: 1024 }],
    ['/sse-9-0-1-503/', { stream: 1, tokens: 9 }],
    ['/sse-9-0-1-503/', { port, rate: 50, expect: 'status' }],
    ['/sse-9-0-1-error/', { port, rate: 50, expect: 'error', stream: 1 }],
    ['/sse-9-0-1-reset/', { port, rate: 50, expect: 'reset' }],
  ];
  for (const [path, more] of right) {
    const { requests, errors, firstError } = await ask(provider, path, more);
    expect([path, errors, firstError]).toEqual([path, 0, '']);
    expect(requests).toBeGreaterThan(10);
  }
  const held = await ask(provider, '/sse-0-30-1/', {
    stream: 1,
    connections: 200,
    hold: 500,
    'control-port': controlPort,
    'warm-ms': 1_500,
  });
  expect(held).toMatchObject({ errors: 0, open: 200 });
  expect(held.tokens).toBeGreaterThan(200 * 20);
  const wrong: readonly (readonly [string, LoadArguments, string])[] = [
    ['/json-1024/', { bytes: 1023 }, 'bytes (1024)'],
    ['/sse-9-0-1/', { stream: 1, tokens: 10 }, 'tokens (9)'],
    ['/json-1024/', { stream: 1 }, 'a stream without its end'],
    ['/nothing/', {}, 'status (404)'],
    ['/json-1024-503/', { port }, 'status (503)'],
    ['/json-1024-half/', { port }, 'status (503)'],
    ['/sse-9-0-1-error/', { port, stream: 1 }, 'a stream without its end'],
    ['/json-1024-reset/', { port }, 'the connection has ended within an answer'],
    ['/json-1024/', { expect: 'reset' }, 'an answer where none was due'],
    ['/json-1024/', { expect: 'status' }, 'status (200)'],
  ];
  for (const [path, more, message] of wrong) {
    const { errors, firstError } = await ask(provider, path, { rate: 50, ...more });
    expect([path, firstError]).toEqual([path, expect.stringContaining(message)]);
    expect(errors).toBeGreaterThan(10);
  }
  expect((await statsOf(provider)).bad).toBeGreaterThan(0);
});
