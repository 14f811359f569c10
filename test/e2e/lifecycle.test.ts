import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chat, cleanUp, type RunningGateway, runCommand, scratchFolder, startGateway } from './gateway-process.ts';
import { sleep } from './server-kit.ts';

afterEach(cleanUp);

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

async function untilLogged(gateway: RunningGateway, text: string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (gateway.out().includes(text)) return;
    await sleep(25);
  }
  throw new Error(`not logged: ${text}`);
}

describe('the end', () => {
  it('SIGTERM with nothing under way: as soon as the time to drain is over, at most', async () => {
    const gateway = await startGateway(config('1s'));
    const { code, ms } = await stop(gateway, 'SIGTERM');
    expect(code).toBe(0);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(2500);
  });

  it('SIGINT with nothing under way: at once', async () => {
    const gateway = await startGateway(config('30s'));
    expect(await stop(gateway, 'SIGINT')).toMatchObject({ code: 0 });
  });

  it('an answer under way is ended in its own time', async () => {
    const gateway = await startGateway(config('30s'));
    const answer = chat(gateway.url, 'main', { stream: true });
    await sleep(500);
    const { code, ms } = await stop(gateway, 'SIGTERM');
    expect((await answer).text).toContain('data: [DONE]');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });

  it('whatever is left then is told so, in its own protocol', async () => {
    const gateway = await startGateway(config('1s'));
    const started = chat(gateway.url, 'main', { stream: true });
    const waiting = chat(gateway.url, 'silent');
    await sleep(300);
    const ended = stop(gateway, 'SIGTERM');
    await sleep(300);
    const ready = await fetch(`${gateway.url}/readyz`);
    expect(ready.status).toBe(503);
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
    await sleep(300);
    gateway.child.kill('SIGTERM');
    await sleep(100);
    gateway.child.kill('SIGTERM');
    await sleep(600);
    expect(gateway.child.exitCode, 'an echo of the first is no second signal').toBe(null);
    const { code, ms } = await stop(gateway, 'SIGTERM');
    expect(code).toBe(1);
    expect(ms).toBeLessThan(1500);
    expect(await lost).toBe('cut');
  });
});

describe('a change of the file', () => {
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
    await sleep(500);
    expect((await chat(gateway.url, 'main')).status).toBe(200);
  });
});

describe('a start', () => {
  it('makes its state directory, for its user alone', async () => {
    const gateway = await startGateway(config('1s'), { UNDERSTUDY_STATE_DIR: './deep/state' });
    expect(statSync(join(gateway.home, 'deep', 'state')).mode & 0o777).toBe(0o700);
  });

  it('on a port that is taken ends with a word on that', async () => {
    const gateway = await startGateway(config('1s'));
    const second = await runCommand(['serve', '--port', String(gateway.port), '--state-dir', `${gateway.home}/other`], {
      home: gateway.home,
    }).ended;
    expect(second.code).toBe(3);
    expect(second.err).toContain(`Port ${gateway.port}`);
    expect(second.err).toContain('--port');
  });

  it('on a state directory that another gateway has ends with a word on that', async () => {
    const gateway = await startGateway(config('1s'));
    const second = await runCommand(['serve', '--port', '0'], { home: gateway.home }).ended;
    expect(second.code).toBe(3);
    expect(second.err).toContain('Another gateway');
    expect(second.err).toContain('--state-dir');
  });

  it.each([
    ['a configuration that is not valid', ['serve', '--config', 'x.yaml'], 3, "can't be read"],
    ['--wait-ready', ['serve', '--wait-ready'], 2, 'not available'],
    ['an unknown option', ['serve', '--nonsense'], 2, '--nonsense'],
    ['an unknown command', ['dance'], 2, 'dance'],
    ['a port that is none', ['--port', '70000'], 2, '70000'],
    ['a gateway that is not there', ['requests', '--url', 'http://127.0.0.1:9'], 4, 'No gateway answers'],
    ['a check without its file', ['check', '--config', 'x.yaml'], 1, "can't be read"],
  ])('%s', async (_name, args, code, word) => {
    const ended = await runCommand(args, { home: scratchFolder() }).ended;
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(word);
    expect(ended.out).toBe('');
  });
});
