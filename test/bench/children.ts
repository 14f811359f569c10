import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';

/** How a program is started: on which core, in which folder, with which environment, and where its output goes. */
export type Place = {
  readonly core: number;
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file; without one, standard output is a pipe. */
  readonly log?: string;
};

export type Child = {
  readonly pid: number;
  readonly process: ChildProcess;
  /** What it has said on standard error, the last of it. */
  readonly complaints: () => string;
  readonly ended: Promise<number | null>;
  /** Asks it to end, and makes it after two seconds. */
  stop(): Promise<void>;
};

const PATIENCE_MS = 2_000;
const running = new Set<ChildProcess>();

/** Ends all that runs, at once. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts a program on one core. It ends with this process, even if that is killed; and its id is that of the program, since
 * those in between replace themselves.
 */
export async function startChild(command: readonly string[], place: Place): Promise<Child> {
  const { core, folder, env, log } = place;
  const file: FileHandle | null = log === undefined ? null : await open(log, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'taskset', '-c', String(core), ...command], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', file?.fd ?? 'pipe', 'pipe'],
  });
  running.add(child);
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2_000);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  }).then((code) => {
    running.delete(child);
    return code;
  });
  try {
    await once(child, 'spawn');
  } finally {
    await file?.close();
  }
  return {
    pid: child.pid ?? 0,
    process: child,
    complaints: () => complaints,
    ended,
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}
