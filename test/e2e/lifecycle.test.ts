import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { chat, cleanUp, type RunningGateway, runCommand, scratchFolder, startGateway } from './gateway-process.ts';
import { until } from './server-kit.ts';

const PATIENCE_MS = 15_000;
// A start alone may take long on a machine with other work.
vi.setConfig({ testTimeout: 60_000 });

const config = (drain: string, models = 'main: { targets: [demo/ok] }') => `
server: { drain: ${drain} }
providers: { demo: { preset: demo } }
models:
  ${models}
  silent: { targets: [demo/silent] }
`;

const stop = async (gateway: RunningGateway, signal: NodeJS.Signals) => {
  const at = performance.now();
  gateway.child.kill(signal);
  const { code } = await gateway.ended;
  return { code, ms: performance.now() - at };
};

const untilLogged = (gateway: RunningGateway, text: string, times = 1): Promise<void> =>
  until(() => gateway.out().split(text).length > times, PATIENCE_MS, `not logged: ${text}`);

type Listed = { readonly model: string; readonly outcome: string | null; readonly committed_at_ms: number | null };

/** Waits for a request that is under way and, if that is asked for, has begun to answer. */
function untilUnderWay({ url }: RunningGateway, model: string, answers: boolean): Promise<void> {
  return until(
    async () => {
      const { data } = (await (await fetch(`${url}/api/v1/requests`)).json()) as { data: readonly Listed[] };
      return data.some(
        (each) => each.model === model && each.outcome === null && (each.committed_at_ms !== null) === answers,
      );
    },
    PATIENCE_MS,
    `no request for ${model}`,
  );
}

/** Waits until it takes no more requests; the answer that says so. */
async function untilDraining({ url }: RunningGateway): Promise<Response> {
  let ready = new Response();
  await until(
    async () => {
      ready = await fetch(`${url}/readyz`);
      return ready.status === 503;
    },
    PATIENCE_MS,
    'no drain',
  );
  return ready;
}

describe('the end', () => {
  afterEach(cleanUp);

  it('SIGTERM with nothing under way: as soon as the time to drain is over, at most', async () => {
    const gateway = await startGateway(config('1s'));
    const { code, ms } = await stop(gateway, 'SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(PATIENCE_MS);
  });

  it('SIGINT with nothing under way: at once', async () => {
    const gateway = await startGateway(config('30s'));
    expect(await stop(gateway, 'SIGINT')).toMatchObject({ code: 0 });
  });

  it('an answer under way is ended in its own time', async () => {
    const gateway = await startGateway(config('30s'));
    const answer = chat(gateway.url, 'main', { stream: true });
    await untilUnderWay(gateway, 'main', true);
    const { code, ms } = await stop(gateway, 'SIGTERM');
    expect((await answer).text).toContain('data: [DONE]');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(25_000);
  });

  it('whatever is left then is told so, in its own protocol', async () => {
    const gateway = await startGateway(config('2s'));
    const waiting = chat(gateway.url, 'silent');
    await untilUnderWay(gateway, 'silent', false);
    const started = chat(gateway.url, 'main', { stream: true });
    await untilUnderWay(gateway, 'main', true);
    const ended = stop(gateway, 'SIGTERM');
    const ready = await untilDraining(gateway);
    expect(ready.headers.get('connection')).toBe('close');
    expect((await ended).code).toBe(0);
    const { status, text } = await waiting;
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'gateway_overloaded', understudy: { component: 'gateway' } },
    });
    const stream = await started;
    expect(stream.text).toContain('stream_interrupted');
    expect(stream.text).not.toContain('[DONE]');
  });

  it('a second signal ends at once', async () => {
    const gateway = await startGateway(config('30s'));
    const lost = chat(gateway.url, 'silent').catch(() => 'cut');
    await untilUnderWay(gateway, 'silent', false);
    const at = performance.now();
    gateway.child.kill('SIGTERM');
    await untilDraining(gateway);
    // The same word again and again: within half a second it is an echo of the first, and behind that it is the second.
    await until(
      () => {
        gateway.child.kill('SIGTERM');
        return gateway.out().includes('ended at once by a second signal') || gateway.child.exitCode !== null;
      },
      PATIENCE_MS,
      'no end',
    );
    expect((await gateway.ended).code).toBe(1);
    expect(performance.now() - at, 'an echo of the first is no second signal').toBeGreaterThan(490);
    expect(performance.now() - at, 'not the time to drain').toBeLessThan(25_000);
    expect(await lost).toBe('cut');
  });
});

describe('a change of the file', () => {
  afterEach(cleanUp);

  it('is taken without a restart; one that is not valid is reported and left', async () => {
    const gateway = await startGateway(config('1s'));
    const running = chat(gateway.url, 'main', { stream: true });
    expect((await chat(gateway.url, 'second')).status).toBe(404);
    gateway.configure(config('1s', 'second: { targets: [demo/ok] }'));
    await untilLogged(gateway, 'is in force');
    expect((await chat(gateway.url, 'second')).status).toBe(200);
    expect((await chat(gateway.url, 'main')).status).toBe(404);
    expect((await running).text).toContain('[DONE]');
    gateway.configure('models: [');
    await untilLogged(gateway, 'not valid');
    expect((await chat(gateway.url, 'second')).status).toBe(200);
    gateway.configure(config('1s'));
    gateway.child.kill('SIGHUP');
    await untilLogged(gateway, 'is in force', 2);
    expect((await chat(gateway.url, 'main')).status).toBe(200);
    // What a restart would bring in is counted from the start, not from the last change.
    const limited = config('1s').replace('drain', 'maxConnections: 50, drain');
    const texts = [limited, `${limited}# an edit\n`, config('1s')];
    for (const [i, text] of texts.entries()) {
      gateway.configure(text);
      await untilLogged(gateway, 'is in force', 3 + i);
    }
    const needs = [...gateway.out().matchAll(/"needs_restart":(null|"[^"]*")/g)].map(([, value]) => value);
    expect(needs.slice(-3)).toEqual(['"server.maxConnections"', '"server.maxConnections"', 'null']);
  });
});

describe('a start', () => {
  const env = { UNDERSTUDY_STATE_DIR: './deep/state' };
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway(config('1s'), env);
  }, 60_000);
  afterAll(cleanUp);

  it('makes its state directory, for its user alone', () => {
    expect(statSync(join(gateway.home, 'deep', 'state')).mode & 0o777).toBe(0o700);
  });

  it('on a port that is taken ends with a word on that', async () => {
    const { home, port } = gateway;
    const second = await runCommand(['serve', '--port', String(port), '--state-dir', 'other'], { home }).ended;
    expect(second.code).toBe(3);
    expect(second.err).toContain(`Port ${port}`);
    expect(second.err).toContain('--port');
  });

  it('on a state directory that another gateway has ends with a word on that', async () => {
    const second = await runCommand(['serve', '--port', '0'], { home: gateway.home, env }).ended;
    expect(second.code).toBe(3);
    expect(second.err).toContain(`Another gateway (process ${gateway.child.pid}, at ${gateway.url})`);
    expect(second.err).toContain('--state-dir');
  });

  it.each([
    ['a configuration that is not valid', ['serve', '--config', 'x.yaml'], 3, "can't be read"],
    ['--wait-ready', ['serve', '--wait-ready=0'], 2, 'a whole number from 1'],
    ['an unknown option', ['serve', '--nonsense'], 2, '--nonsense'],
    ['an unknown command', ['dance'], 2, 'dance'],
    ['a port that is none', ['--port', '70000'], 2, '70000'],
    ['a state directory that can not be', ['serve', '--state-dir', '/dev/null/x'], 3, "can't be made (a file"],
    ['a gateway that is not there', ['requests', '--url', 'http://127.0.0.1:9'], 4, 'No gateway answers'],
    ['a check without its file', ['check', '--config', 'x.yaml'], 1, "can't be read"],
  ])('%s', async (_name, args, code, word) => {
    const ended = await runCommand(args, { home: scratchFolder() }).ended;
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(word);
    expect(ended.out).toBe('');
  });
});

describe('a signal while it starts', () => {
  it.each(['SIGTERM', 'SIGINT'])('%s is not lost, and ends it with 0', async (signal) => {
    // Behind so many promises the door is open, and nothing listens yet: that takes turns of the event loop.
    const act = `let n=0;const step=()=>Promise.resolve().then(n++<5000?step:()=>process.kill(process.pid,'${signal}'));step()`;
    const early = `data:text/javascript,${encodeURIComponent(act)}`;
    const env = { NODE_OPTIONS: `--import ${early}` };
    const ended = await runCommand(['serve', '--port', '0'], { home: scratchFolder(), env }).ended;
    expect(ended.code).toBe(0);
    expect(ended.err).not.toMatch(/^ +at /m);
  });
});
