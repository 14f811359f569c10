import { type ChildProcess, fork, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../e2e/gateway-process.ts';
import type { Send } from './draw-plan.ts';
import type { FromProvider, ProviderOptions, ToProvider } from './provider-messages.ts';
import { type LogWatch, watchLog } from './watch-log.ts';
import { ADMIN_TOKEN } from './world.ts';

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export type Providers = {
  readonly ports: Readonly<Record<string, number>>;
  /** Resolves behind every send that has arrived, with the answers under way and the longest delay of its loop since. */
  sync(done: readonly string[]): Promise<{ readonly open: number; readonly lagMs: number }>;
  calm(): void;
  stop(): void;
};

type Waiting = { readonly resolve: (synced: Synced) => void; readonly reject: (error: Error) => void };
type Synced = Extract<FromProvider, { readonly kind: 'synced' }>;

/** All targets, in a process of their own. `onSend` hears of every send, in the order of arrival. */
export function startProviders({ seed, share }: ProviderOptions, onSend: (send: Send) => void): Promise<Providers> {
  const child = fork(pathOf('provider-process.ts'), [String(seed), String(share)]);
  const waiting = new Map<number, Waiting>();
  let next = 0;
  const tell = (message: ToProvider): void => void child.send(message);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      const error = new Error(`the providers have ended (${code})`);
      reject(error);
      for (const synced of waiting.values()) synced.reject(error);
    });
    child.on('message', (message: FromProvider) => {
      if (message.kind === 'sends') for (const send of message.sends) onSend(send);
      else if (message.kind === 'synced') {
        waiting.get(message.id)?.resolve(message);
        waiting.delete(message.id);
      } else {
        resolve({
          ports: message.ports,
          sync: (done) =>
            new Promise((resolved, rejected) => {
              const id = next++;
              waiting.set(id, { resolve: resolved, reject: rejected });
              tell({ kind: 'sync', id, done });
            }),
          calm: () => tell({ kind: 'calm' }),
          stop: () => void child.kill(),
        });
      }
    });
  });
}

export type Soaked = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly stateDir: string;
  readonly log: LogWatch;
  /** JSON of the management API. */
  manage(path: string): Promise<unknown>;
  metrics(): Promise<string>;
  /** Drains it; gives its exit code. */
  stop(): Promise<number | null>;
};

/** However long it takes: to look through an hour's records is work for minutes. */
function read(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text}`));
      });
    }).on('error', reject);
  });
}

/** The real command with this configuration, in a folder of its own. */
export async function startSoaked(folder: string, config: string): Promise<Soaked> {
  const port = await freePort();
  writeFileSync(join(folder, 'understudy.yaml'), config);
  const child = spawn(process.execPath, [pathOf('../../bin/understudy'), 'serve', '--port', String(port)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = watchLog(child.stdout, child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const url = `http://127.0.0.1:${port}`;
  const limit = performance.now() + 60_000;
  while (
    !(await fetch(`${url}/readyz`).then(
      (res) => res.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > limit) {
      child.kill('SIGKILL');
      throw new Error(`no gateway: ${log.problems().first.join('\n')}`);
    }
    await sleep(50);
  }
  return {
    child,
    pid: child.pid ?? 0,
    port,
    stateDir: join(folder, 'state'),
    log,
    manage: async (path) => JSON.parse(await read(url + path)),
    metrics: () => read(`${url}/metrics`),
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
