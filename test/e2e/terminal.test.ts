import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { hasPty, openTerminal, type Terminal } from '../kit/pty.ts';
import { freePort } from './gateway-process.ts';
import { until } from './server-kit.ts';

const BIN = fileURLToPath(new URL('../../bin/understudy', import.meta.url));
const CONFIG = 'providers: { demo: { preset: demo } }\nmodels: { main: { targets: [demo/slow-first-token] } }\n';

const folders: string[] = [];
const opened: Terminal[] = [];
afterEach(() => {
  for (const terminal of opened.splice(0)) terminal.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-terminal-'));
  folders.push(folder);
  return folder;
}

async function openOn(bin: string, home: string): Promise<{ readonly terminal: Terminal; readonly url: string }> {
  const port = await freePort();
  writeFileSync(join(home, 'understudy.yaml'), CONFIG);
  const terminal = openTerminal([process.execPath, bin, 'serve', '--port', String(port)], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, TERM: 'xterm' },
  });
  opened.push(terminal);
  return { terminal, url: `http://127.0.0.1:${port}` };
}

async function serveOn(bin: string, home: string): ReturnType<typeof openOn> {
  const serving = await openOn(bin, home);
  const { terminal } = serving;
  await until(() => terminal.out().includes('is listening on'), 30_000, `no gateway: ${terminal.out()}`);
  return serving;
}

const ask = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }], ...body }),
  });

/** Where the door takes the Node that opens it for an old one, and hands over to another process. */
function launchingBin(top: string): string {
  const source = readFileSync(BIN, 'utf8');
  const asked = 'isNewEnough(process.versions.node)';
  expect(source).toContain(asked);
  mkdirSync(join(top, 'bin'));
  const pinned = join(top, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  mkdirSync(pinned, { recursive: true });
  symlinkSync(process.execPath, join(pinned, 'node'));
  // Else it would compile all of it anew.
  symlinkSync(fileURLToPath(new URL('../../node_modules/.cache', import.meta.url)), join(top, 'node_modules/.cache'));
  symlinkSync(fileURLToPath(new URL('../../src', import.meta.url)), join(top, 'src'));
  for (const file of ['package.json', 'source-stamp.js'])
    copyFileSync(join(dirname(BIN), file), join(top, 'bin', file));
  const bin = join(top, 'bin/understudy');
  writeFileSync(bin, source.replace(asked, "isNewEnough(process.env.UNDERSTUDY_LAUNCHED ? '24.0.0' : '20.20.2')"));
  return bin;
}

describe.skipIf(!hasPty)('a gateway whose terminal is closed (needs python3)', () => {
  it.each([
    ['started as it is', () => BIN],
    ['started by the launcher', launchingBin],
  ])(
    '%s: ends, and lets what is under way end before',
    async (_how, binOf) => {
      const home = scratch();
      const { terminal, url } = await serveOn(binOf(home), home);
      const asked = ask(url, { stream: true }).then((response) => response.text());
      await until(async () =>
        (await (await fetch(`${url}/metrics`)).text()).includes('understudy_requests_in_flight 1'),
      );
      terminal.close();
      expect(await asked).toContain('[DONE]');
      expect(await terminal.ended).toBe(0);
      await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
    },
    60_000,
  );
});

const CTRL_S = '\u0013';
const CTRL_Q = '\u0011';

describe.skipIf(!hasPty)('a gateway whose terminal is stopped (needs python3)', () => {
  it('serves and ends as ever; the lines come when it goes on', { timeout: 30_000 }, async () => {
    const home = scratch();
    const { terminal, url } = await openOn(BIN, home);
    terminal.type(CTRL_S);
    await until(async () => (await fetch(`${url}/livez`).catch(() => null))?.ok === true, 30_000);
    const refusals = await Promise.all(Array.from({ length: 20 }, () => ask(url, { model: 'nobody' })));
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404));
    expect(terminal.out()).not.toContain('nobody');
    terminal.type(CTRL_Q);
    await until(() => terminal.out().split('nobody → nobody 404').length === 21, 10_000);
    // By another stream, and so perhaps behind them.
    await until(() => terminal.out().includes('is listening on'), 10_000);
    terminal.type(CTRL_S);
    await ask(url, { model: 'nobody' });
    process.kill(Number(/STARTED (\d+)/.exec(terminal.out())?.[1]), 'SIGTERM');
    expect(await terminal.ended).toBe(0);
  });
});
