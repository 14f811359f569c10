import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep } from './server-kit.ts';

const BIN = fileURLToPath(new URL('../../bin/understudy', import.meta.url));

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

export interface CommandProcess {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<Ended>;
}

const children = new Set<ChildProcess>();
const folders: string[] = [];

/** Ends whatever a test left behind. */
export function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-e2e-'));
  folders.push(folder);
  return folder;
}

/** Starts the command with a bare environment and a HOME of its own. */
export function runCommand(
  args: readonly string[],
  options: { readonly home: string; readonly env?: Readonly<Record<string, string>> },
): CommandProcess {
  const { home, env } = options;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
  });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      children.delete(child);
      resolve({ code, out, err });
    });
  });
  return { child, out: () => out, err: () => err, ended };
}

/** A port that nobody listens on, a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

export type RunningGateway = CommandProcess & {
  readonly home: string;
  readonly port: number;
  readonly url: string;
  readonly file: string;
  /** Replaces the configuration file. */
  configure(text: string): void;
};

/** Starts a gateway and waits until it lives. `null`: without a configuration. `home`: where another one lived. */
export async function startGateway(
  config: string | null,
  env: Readonly<Record<string, string>> = {},
  home: string = scratchFolder(),
): Promise<RunningGateway> {
  const port = await freePort();
  const file = join(home, 'understudy.yaml');
  const configure = (text: string): void => writeFileSync(file, text);
  if (config !== null) configure(config);
  const command = runCommand(['serve', '--port', String(port)], { home, env });
  const url = `http://127.0.0.1:${port}`;
  const limit = performance.now() + 30_000;
  while (!(await isAlive(url))) {
    if (command.child.exitCode !== null || performance.now() > limit) throw new Error(`no gateway: ${command.err()}`);
    await sleep(25);
  }
  return { ...command, home, port, url, file, configure };
}

async function isAlive(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/livez`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Chat over fetch, as a page of text. */
export async function chat(
  url: string,
  model: string,
  options: { readonly stream?: boolean; readonly signal?: AbortSignal } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: options.stream ?? false, messages: [{ role: 'user', content: 'hi' }] }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { status: response.status, text: await response.text() };
}
