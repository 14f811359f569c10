import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runBeside } from '../../src/app/run/run-beside.ts';
import type { RunOptions } from '../../src/app/run/types.ts';
import type { FakeProvider, ScriptedAnswer } from '../kit/fake-provider.ts';
import { cleanUp, scratchFolder } from './gateway-process.ts';
import {
  answerJson,
  ask,
  closeProviders,
  FILES,
  failure,
  layOut,
  NOT_PROBED,
  OK,
  OK_STREAM,
  PROVIDER_KEY,
  provide,
  read,
  SILENT,
  verdictIn,
} from './run-kit.ts';
import { until } from './server-kit.ts';

vi.setConfig({ testTimeout: 60_000 });

afterAll(async () => {
  cleanUp();
  await closeProviders();
});

type Setting = Partial<Omit<RunOptions, 'command'>> & {
  readonly targets: readonly FakeProvider[] | string | null;
  readonly more?: string;
  readonly command: readonly string[] | ((home: string) => readonly string[]);
  readonly home?: string;
};

/** In this process; what the command says goes nowhere. */
async function run({ targets, more = NOT_PROBED, command, home = scratchFolder(), ...options }: Setting) {
  layOut(home, targets, more);
  const evidence = join(home, 'evidence');
  const result = await runBeside({
    command: typeof command === 'function' ? command(home) : command,
    evidence,
    port: 0,
    minReady: 1,
    readyTimeoutMs: 60_000,
    keepsKeys: false,
    env: { PATH: process.env['PATH'], HOME: home, PROVIDER_KEY },
    cwd: home,
    version: '0.0.0-test',
    ownCommand: 'understudy',
    exits: { configuration: 3, gateway: 4, noCapacity: 5, noChild: 6 },
    ...options,
  });
  expect(
    readdirSync(evidence)
      .filter((file) => file !== 'state')
      .toSorted(),
  ).toEqual(FILES);
  const verdict = verdictIn(evidence);
  expect(verdict).toMatchObject({ exit_code: result.exitCode, contract: 'understudy-run-v1' });
  expect(result.message ?? '').not.toContain('\n');
  return { ...result, verdict, home, evidence };
}

/** Leaves a trace of its start. */
const touch = (home: string): readonly string[] => ['touch', join(home, 'started')];
const wasStarted = (home: string): boolean => existsSync(join(home, 'started'));

describe.concurrent('the verdict on a run', () => {
  it('is ok where the command is, and then nothing is said', async () => {
    const targets = [await provide(failure(503)), await provide(OK)];
    const done = await run({ targets, command: (home) => ask(home) });
    expect(done).toMatchObject({ exitCode: 0, message: null });
    expect(done.verdict).toMatchObject({ outcome: 'ok', component: null, message: null, requests: { recovered: 1 } });
  });

  it.each([
    ['capacity', failure(503), 1, /^no capacity: .* 1 of its 1 request ended without an answer/, ''],
    ['configuration', failure(401), 1, /^the configuration is at fault: /, ''],
    // The request itself can't be served.
    ['command', failure(400), 1, /^$/, ''],
    // Two at once, and it takes one.
    ['gateway', { ...OK, headDelayMs: 1000 }, 2, /^the gateway is at fault: /, 'server: { maxInFlight: 1 }\n'],
  ] as const)('blames %s', async (component, answer, atOnce, said, more) => {
    const targets = [await provide(answer)];
    const done = await run({ targets, more: NOT_PROBED + more, command: (home) => ask(home, 1, 7, atOnce) });
    expect(done.exitCode).toBe(7);
    expect(done.message ?? '').toMatch(said);
    expect(done.verdict).toMatchObject({
      outcome: 'failed',
      component,
      requests: { total: atOnce, lost: { [component]: 1 } },
      lost_requests: [{ blame: component }],
    });
  });

  it('blames nobody for what the command leaves behind', async () => {
    const provider = await provide(SILENT);
    const script = (home: string): string =>
      `${ask(home).join(' ')} > /dev/null 2>&1 & until [ -e "$HOME/asks" ]; do sleep 0.05; done; exit 4`;
    const home = scratchFolder();
    const asking = until(() => provider.requests.length > 0, 30_000, 'no request').then(() =>
      writeFileSync(join(home, 'asks'), ''),
    );
    const more = `${NOT_PROBED}server: { drain: 300ms }\n`;
    const done = await run({ targets: [provider], home, more, command: ['sh', '-c', script(home)] });
    await asking;
    expect(done).toMatchObject({ exitCode: 4, message: null });
    expect(done.verdict).toMatchObject({ component: 'command', requests: { total: 1, left: 1, unanswered: 1 } });
  });

  it('says that the gateway was never asked', async () => {
    const targets = [await provide(OK)];
    const failed = await run({ targets, command: ['sh', '-c', 'exit 3'] });
    expect(failed).toMatchObject({ exitCode: 3, verdict: { component: 'never_contacted', contacted: false } });
    expect(failed.message).toMatch(/look elsewhere/);
    const fine = await run({ targets, command: ['true'] });
    expect(fine).toMatchObject({ exitCode: 0, verdict: { outcome: 'ok', component: null, contacted: false } });
    expect(fine.message).toMatch(/never asked the gateway/);
  });

  it('lets the management API to nobody, and the data plane to the one-time key alone', async () => {
    const status = (path: string, key: string): string =>
      `curl -s -o /dev/null -w '%{http_code} ' -H "authorization: Bearer ${key}" "$UNDERSTUDY_URL${path}"`;
    const calls = [
      status('/api/v1/requests', '$OPENAI_API_KEY'),
      status('/api/v1/requests', ''),
      status('/v1/models', 'wrong'),
      status('/v1/models', '$OPENAI_API_KEY'),
    ];
    const script = `(${calls.join('; ')}) > "$HOME/codes"`;
    const { home, verdict } = await run({ targets: [await provide(OK)], command: ['sh', '-c', script] });
    expect(read(home, 'codes')).toBe('401 401 401 200 ');
    expect(verdict).toMatchObject({ contacted: true, requests: { total: 0 } });
  });

  it('tells a signal that ended the command as a shell does', async () => {
    const done = await run({ targets: [await provide(OK)], command: ['sh', '-c', 'kill -KILL $$'] });
    expect(done.exitCode).toBe(137);
    expect(done.verdict.command).toEqual({ name: 'sh', started: true, exit_code: null, signal: 'SIGKILL' });
  });

  it('is the command’s where it can’t be started', async () => {
    const home = scratchFolder();
    writeFileSync(join(home, 'text'), 'no program', { mode: 0o600 });
    const targets = [await provide(OK)];
    const none = await run({ targets, command: ['no-such-command-here', PROVIDER_KEY] });
    expect(none).toMatchObject({ exitCode: 6, verdict: { component: 'command', command: { started: false } } });
    expect(none.message).toBe("no-such-command-here can't be started: there is no such command");
    const not = await run({ targets, command: [join(home, 'text')], home });
    expect(not).toMatchObject({ exitCode: 6, message: "text can't be started: it may not be executed" });
  });

  it.each([
    ['no file and no key', null, {}, /neither a configuration nor a key of a provider.*--config/],
    ['a file that is not valid', 'models: { main: { targets: [nobody/x] } }\n', {}, /understudy\.yaml:1:\d+ .*nobody/],
    ['a file that is not there', null, { config: 'nope.yaml' }, /nope\.yaml: the file can't be read/],
    [
      'a model that nobody has',
      'providers: { demo: { preset: demo } }\nmodels: { main: { targets: [demo/ok] } }\n',
      { model: 'mian' },
      /--model mian: .*did you mean "main"/,
    ],
    [
      'an alias that nobody has',
      'providers: { demo: { preset: demo } }\nmodels: { x: { aliases: [main, "z-*"], targets: [demo/ok] } }\n',
      { model: 'mian' },
      /--model mian: .*did you mean "main"/,
    ],
    [
      'a model like none',
      'providers: { demo: { preset: demo } }\nmodels: { x: { aliases: [main, "z-*"], targets: [demo/ok] } }\n',
      { model: 'something-else-again' },
      /: there are x, main, demo\/ok$/,
    ],
  ] as const)('is the configuration’s for %s, and nothing is started', async (_, targets, options, said) => {
    const done = await run({ targets, ...options, command: touch });
    expect(done).toMatchObject({ exitCode: 3, verdict: { component: 'configuration', command: { started: false } } });
    expect(done.message).toMatch(said);
    expect(wasStarted(done.home)).toBe(false);
  });

  it('is the gateway’s where it can’t be had', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const done = await run({ targets: [await provide(OK)], port, command: touch });
    taken.close();
    expect(done).toMatchObject({ exitCode: 4, verdict: { outcome: 'failed', component: 'gateway' } });
    expect(done.message).toContain(`Port ${port}`);
    expect(wasStarted(done.home)).toBe(false);
  });

  it('is told alone where there is no place for evidence', async () => {
    const home = scratchFolder();
    writeFileSync(join(home, 'evidence'), 'a file');
    await expect(run({ targets: null, home, command: ['true'] })).rejects.toThrow('ENOTDIR');
  });
});

describe.concurrent('a run that waits for ready routes', () => {
  it('starts the command when there is one, with the others still silent', async () => {
    const targets = [await provide(SILENT), await provide(OK_STREAM, OK)];
    const done = await run({ targets, more: '', command: touch });
    expect(done.exitCode).toBe(0);
    expect(wasStarted(done.home)).toBe(true);
    expect(done.verdict.readiness).toMatchObject({ model: 'main', wanted: 1, ready: 1 });
    expect(JSON.parse(read(done.evidence, 'readiness.json'))).toMatchObject({
      contract: 'understudy-readiness-v1',
      models: [{ model: 'main', candidates: 2, ready: 1 }],
    });
    // Its own probes are none of the command's requests.
    expect(done.verdict).toMatchObject({ requests: { total: 0 }, contacted: false });
  });

  it('ends with 5 where none can come, long before the time is over', async () => {
    const headers = { 'retry-after': '3600', 'content-type': 'application/json' };
    const limited: ScriptedAnswer = { ...failure(429, 'rate_limit_exceeded'), headers };
    const targets = [await provide(limited), await provide(failure(404, 'model_not_found'))];
    const done = await run({ targets, more: '', command: touch });
    expect(done).toMatchObject({ exitCode: 5, verdict: { outcome: 'failed', component: 'capacity' } });
    expect(done.message).toMatch(/^the command was not started: no route of main is ready after .*rate_limited 1/);
    expect(done.verdict.duration_ms).toBeLessThan(30_000);
    expect(wasStarted(done.home)).toBe(false);
    expect(JSON.parse(read(done.evidence, 'readiness.json'))).toMatchObject({ models: [{ ready: 0, candidates: 2 }] });
  });

  it('takes free targets out of a list, and the paid one behind them', async () => {
    const entry = (id: string, price: string) => ({
      id,
      pricing: { prompt: price, completion: price },
      supported_parameters: ['tools'],
    });
    const list = answerJson(200, { data: [entry('free/one', '0'), entry('paid/two', '0.001')] });
    const free = await provide(list, OK_STREAM, failure(503));
    const paid = await provide(OK_STREAM, OK);
    const targets = `providers:
  free: { preset: openrouter, baseUrl: "${free.origin}/v1", apiKey: "\${PROVIDER_KEY}", discover: true }
  paid: { protocol: openai-chat, baseUrl: "${paid.origin}/v1", apiKey: "\${PROVIDER_KEY}" }
models:
  main:
    targets:
      - { tier: 0, discover: { providers: [free], price: free, capabilities: { tools: true } } }
      - { tier: 1, provider: paid, model: m }
`;
    const done = await run({ targets, minReady: 2, command: (home) => ask(home) });
    expect(done).toMatchObject({ exitCode: 0, verdict: { outcome: 'ok', requests: { recovered: 1 } } });
    expect(read(done.evidence, 'summary.md')).toContain('free/free/one server_error 503 → paid/m ok 200');
    expect(read(done.evidence, 'summary.md')).not.toContain('paid/two');
  });

  it('ends with 3 where all keys are refused', async () => {
    const targets = [await provide(failure(401)), await provide(failure(403))];
    const done = await run({ targets, more: '', command: touch });
    expect(done).toMatchObject({ exitCode: 3, verdict: { component: 'configuration' } });
    expect(done.message).toMatch(/auth 1/);
  });

  it('ends with 5 when the time is over', async () => {
    const done = await run({ targets: [await provide(SILENT)], more: '', readyTimeoutMs: 300, command: touch });
    expect(done).toMatchObject({ exitCode: 5, verdict: { component: 'capacity' } });
    expect(done.message).toMatch(/is ready after 0\.\d s: /);
  });

  it('waits for nobody where nobody is wanted ready', async () => {
    const done = await run({ targets: [await provide(SILENT)], more: '', minReady: 0, command: ['true'] });
    expect(done).toMatchObject({ exitCode: 0, verdict: { readiness: null } });
  });
});
