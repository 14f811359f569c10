import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Job, Seen } from './types.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = 'src';
const COPIED = `${SOURCES} test docs bin tools schema deploy package.json tsconfig.base.json tsconfig.json vitest.config.ts dashboard/tsconfig.json`;

/** A copy of this repository that may be broken, and a process that runs its tests. */
export interface Tree {
  /** One at a time. Null: nothing came within `limitMs`; the tree is then as new. */
  ask(job: Job, limitMs: number): Promise<Seen | null>;
  close(): void;
}

/** The sources in a folder of their own. */
export type Copy = {
  readonly folder: string;
  /** Puts a file or folder there as it is here. */
  readonly copy: (name: string) => void;
  readonly remove: () => void;
};

export function copySources(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-mutation-'));
  const copy = (name: string): void => cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of COPIED.split(' ')) copy(name);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, copy, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function createTree(): Tree {
  const { folder, copy, remove } = copySources();
  let worker: ChildProcess | null = null;

  const start = async (): Promise<ChildProcess> => {
    worker = fork(join(folder, 'test/mutation/worker.ts'), [folder], {
      // The tests' own output says nothing here: their faults are wanted.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NO_COLOR: '1', NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: join(folder, '.cache') },
      detached: true,
    });
    await once(worker, 'message');
    return worker;
  };
  const stop = (): void => {
    kill(worker);
    worker = null;
  };
  return {
    async ask(job, limitMs) {
      const asked = worker ?? (await start());
      const seen = await answerOf(asked, job, limitMs);
      if (seen !== null) return seen;
      stop();
      copy(SOURCES);
      return null;
    },
    close() {
      stop();
      remove();
    },
  };
}

function answerOf(worker: ChildProcess, job: Job, limitMs: number): Promise<Seen | null> {
  return new Promise((done) => {
    const finish = (seen: Seen | null): void => {
      clearTimeout(timer);
      worker.off('message', finish).off('exit', giveUp);
      done(seen);
    };
    const giveUp = (): void => finish(null);
    const timer = setTimeout(giveUp, limitMs);
    worker.once('message', finish).once('exit', giveUp);
    worker.send(job);
  });
}

/** With all that it started. */
function kill(worker: ChildProcess | null): void {
  if (worker?.pid === undefined || worker.exitCode !== null || worker.signalCode !== null) return;
  process.kill(-worker.pid, 'SIGKILL');
}
