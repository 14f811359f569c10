import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { parseOpenFiles } from './read-process.ts';

export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly kernel: string;
  readonly node: string;
  /** Work that others did here as it began: above zero, figures tell of them too. */
  readonly load: number;
  readonly at: string;
};

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  kernel: release(),
  node: process.version,
  load: loadavg()[0] ?? Number.NaN,
  at: new Date().toISOString(),
});

/** The cores of a list such as `0-2,5`. */
export const parseCores = (list: string): readonly number[] =>
  list
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });

/** One core for the gateway, another for provider and clients. Throws an Error in words where there are not two. */
export function pickCores(): { readonly gateway: number; readonly load: number } {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [gateway, load] = parseCores(list);
  if (gateway === undefined || load === undefined) {
    throw new Error('The benchmark needs two cores: one for the gateway, one for provider and clients.');
  }
  return { gateway, load };
}

/** Throws an Error in words where a process may not open so many files. Node raises the soft limit to the hard one itself. */
export function checkFiles(needed: number): void {
  const hard = parseOpenFiles(readFileSync('/proc/self/limits', 'utf8'));
  if (hard >= needed) return;
  throw new Error(
    `These workloads need ${needed} open files in one process, and ${hard} are allowed (ulimit -Hn). As root: bash -c 'ulimit -n 65536 && npm run bench'`,
  );
}

/** Throws an Error in words where a program is missing that pins and ends processes. */
export function checkTools(tools: readonly string[] = ['taskset', 'setpriv']): void {
  if (process.platform !== 'linux') throw new Error('The benchmark runs on Linux only: it reads /proc and uses epoll.');
  for (const tool of tools) {
    if (spawnSync(tool, ['--version']).error !== undefined) {
      throw new Error(`There is no ${tool}, which the benchmark needs: apt-get install util-linux`);
    }
  }
}
