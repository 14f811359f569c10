import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Client } from './client.ts';
import { TRACE } from './script.ts';

/** Clients under way. */
const running = new Set<() => void>();

/** Ends whatever client is under way. */
export function stopClients(): void {
  for (const stop of running) stop();
}

/** A client that has not ended by then is stopped, in ms. */
export const LIMIT_MS = 60_000;

export type Run = {
  /** Null: it was stopped. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  /** How often its tool ran. */
  readonly traces: number;
};

/**
 * Runs a client to its end in folders of its own, with nothing of the caller's environment. `proxy`: where it is sent for
 * all that is not on this machine.
 */
export async function runClient(
  client: Client,
  options: { readonly url: string; readonly model: string; readonly installed: string; readonly proxy: string },
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-client-'));
  const [home = '', work = '', scratch = ''] = ['home', 'work', 'tmp'].map((name) => join(folder, name));
  for (const each of [home, work, scratch]) mkdirSync(each);
  const { command, args, env } = client.launch({ ...options, home, work });
  const xdg = { CONFIG: '.config', DATA: '.local/share', CACHE: '.cache', STATE: '.local/state' };
  try {
    const ended = await run(command, args, work, {
      PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      HOME: home,
      TMPDIR: scratch,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      CI: '1',
      NO_COLOR: '1',
      ...Object.fromEntries(Object.entries(xdg).map(([name, at]) => [`XDG_${name}_HOME`, join(home, at)])),
      ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((n) => [n, options.proxy])),
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
      ...env,
    });
    return { ...ended, traces: countLines(join(work, TRACE)) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Ended = Omit<Run, 'traces'>;

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const since = performance.now();
  return new Promise((resolve) => {
    // A group of its own, so that what it started ends with it.
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const texts = { out: '', err: '' };
    const end = (signal: NodeJS.Signals): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // Nobody of it is left.
      }
    };
    let isStopped = false;
    const limit = setTimeout(() => {
      isStopped = true;
      end('SIGKILL');
    }, LIMIT_MS);
    const stop = (): void => end('SIGKILL');
    running.add(stop);
    const finish = (code: number | null): void => {
      running.delete(stop);
      clearTimeout(limit);
      end('SIGKILL');
      resolve({ code: isStopped ? null : code, ...texts, ms: performance.now() - since });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      texts.err += text;
    });
    child.stdin.on('error', () => {}).end();
    child.once('error', (error) => {
      texts.err += String(error);
      finish(-1);
    });
    // Not `close`: somebody whom it left behind may hold its pipes.
    child.once('exit', (code) => setTimeout(() => finish(code ?? -1), 50));
  });
}

function countLines(file: string): number {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '').length;
  } catch {
    return 0;
  }
}
