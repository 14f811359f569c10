import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { FakeProvider } from '../kit/fake-provider.ts';
import { cleanUp, runCommand, scratchFolder } from './gateway-process.ts';
import {
  ask,
  closeProviders,
  failure,
  layOut,
  linesIn,
  NOT_PROBED,
  OK,
  PROVIDER_KEY,
  provide,
  read,
  SILENT,
  verdictIn,
} from './run-kit.ts';
import { until } from './server-kit.ts';

// A start alone may take long on a machine with other work.
vi.setConfig({ testTimeout: 90_000 });
const PATIENCE_MS = 60_000;

afterAll(async () => {
  cleanUp();
  await closeProviders();
});

type Setting = {
  readonly targets: readonly FakeProvider[];
  /** A script of the shell. */
  readonly script: string;
  readonly more?: string;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
};

function start({
  targets,
  script,
  more = NOT_PROBED,
  options = ['--evidence', 'evidence'],
  env = {},
  home = scratchFolder(),
}: Setting) {
  layOut(home, targets, more);
  const started = runCommand(['run', ...options, '--', 'sh', '-c', script], {
    home,
    env: { PROVIDER_KEY, TMPDIR: home, ...env },
  });
  return { ...started, home, evidence: join(home, 'evidence') };
}

const untilThere = (home: string, file: string): Promise<void> =>
  until(() => existsSync(join(home, file)), PATIENCE_MS, `no ${file}`);

/** Every file below, as one text. */
function textOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

describe.concurrent('understudy run, as a process', () => {
  it('passes inputs, outputs and the exit code through, and leaves evidence without a secret', async () => {
    const home = scratchFolder();
    const asks = ask(home, 2, 7).join(' ');
    const script = `cat > said; echo out; echo err >&2; printf %s "$OPENAI_API_KEY" > key; env > env; ${asks}`;
    const targets = [await provide(failure(503)), await provide(OK)];
    const started = start({ targets, script, home, env: { OTHER: `x${PROVIDER_KEY}` } });
    started.child.stdin?.end('from the caller');
    expect(await started.ended).toEqual({ code: 7, out: 'out\n', err: 'err\n' });
    const { evidence } = started;
    expect([read(home, 'said'), read(home, 'asked')]).toEqual(['from the caller', '200\n200\n']);
    expect(verdictIn(evidence)).toMatchObject({
      contract: 'understudy-run-v1',
      outcome: 'failed',
      component: 'command',
      message: null,
      exit_code: 7,
      command: { name: 'sh', started: true, exit_code: 7, signal: null },
      model: 'main',
      requests: { total: 2, served: 2, recovered: 2, lost: { capacity: 0, configuration: 0, gateway: 0, command: 0 } },
      contacted: true,
    });
    const requests = linesIn(evidence, 'requests.jsonl');
    expect(requests).toMatchObject([{ outcome: 'ok', served_by: 'p1/m', attempt_count: 2 }, { outcome: 'ok' }]);
    expect(linesIn(evidence, 'attempts.jsonl').slice(0, 2)).toMatchObject([
      { request: requests[0]?.['id'], n: 1, target: 'p0/m', outcome: 'server_error', status: 503 },
      { request: requests[0]?.['id'], n: 2, target: 'p1/m', outcome: 'ok' },
    ]);
    expect(linesIn(evidence, 'events.jsonl').map(({ event }) => event)).toContain('request_ended');
    expect(read(evidence, 'summary.md')).toMatch(/p0\/m server_error 503 → p1\/m ok 200/);
    const key = read(home, 'key');
    expect(key.length).toBeGreaterThan(40);
    expect(targets[0]?.requests[0]?.headers['authorization']).toBe(`Bearer ${PROVIDER_KEY}`);
    for (const secret of [PROVIDER_KEY, key]) expect(textOf(evidence)).not.toContain(secret);
    expect(readdirSync(join(evidence, 'state'))).toContain('ledger.db');
    expect(readdirSync(join(evidence, 'state'))).not.toContain('fingerprint.key');
    expect(read(home, 'env')).not.toContain(PROVIDER_KEY);
  });

  it('keeps nothing where no evidence is asked for', async () => {
    const home = scratchFolder();
    const { ended } = start({ targets: [await provide(OK)], script: ask(home).join(' '), home, options: [] });
    expect(await ended).toEqual({ code: 0, out: '', err: '' });
    expect(readdirSync(home).toSorted()).toEqual(['ask.mjs', 'asked', 'understudy.yaml']);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on, and waits for the end', async (signal) => {
    const script = `trap 'echo got; exit 9' ${signal.slice(3)}; touch there; while :; do sleep 0.05; done`;
    const started = start({ targets: [await provide(OK)], script });
    await untilThere(started.home, 'there');
    started.child.kill(signal);
    expect(await started.ended).toMatchObject({ code: 9, out: 'got\n' });
    expect(verdictIn(started.evidence)).toMatchObject({ exit_code: 9, forwarded: [signal] });
  });

  it('leaves what it has where it is killed itself', async () => {
    const home = scratchFolder();
    const script = `echo $$ > pid; ${ask(home).join(' ')}; touch there; exec sleep 60`;
    const started = start({ targets: [await provide(OK)], script, home });
    await untilThere(home, 'there');
    started.child.kill('SIGKILL');
    await once(started.child, 'exit');
    process.kill(Number(read(home, 'pid')), 'SIGKILL');
    expect(verdictIn(started.evidence)).toMatchObject({ outcome: 'unfinished', component: null, exit_code: null });
    expect(linesIn(started.evidence, 'requests.jsonl.part')).toMatchObject([{ outcome: 'ok' }]);
  });

  it('leaves when it is told to while it waits for routes', async () => {
    const provider = await provide(SILENT);
    const started = start({ targets: [provider], more: '', script: 'touch started' });
    await until(() => provider.requests.length > 0, PATIENCE_MS, 'no probe');
    started.child.kill('SIGTERM');
    const { code, err } = await started.ended;
    // On a busy machine the wait may be told of first.
    expect([code, err.split('\n').at(-2)]).toEqual([
      143,
      'understudy: stopped by SIGTERM before the command was started',
    ]);
    expect(verdictIn(started.evidence)).toMatchObject({ outcome: 'failed', component: null });
    expect(read(started.evidence, 'summary.md')).toContain('`sh`, not started; run ended with 143');
    expect(existsSync(join(started.home, 'started'))).toBe(false);
  });
});
