import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { codeOf } from './error-code.ts';

export type ConfigFile = {
  /** Absolute. */
  readonly file: string;
  readonly format: 'yaml' | 'json';
  readonly text: string;
};

export type FindResult =
  | { readonly kind: 'found'; readonly file: ConfigFile }
  /** None was named and none lies where one is looked for. */
  | { readonly kind: 'none'; readonly tried: readonly string[] }
  /** One was named, or lies there, and can't be read. */
  | { readonly kind: 'unreadable'; readonly file: string; readonly message: string; readonly hint: string };

export type FindInput = {
  /** `--config` */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};

const NAMES = ['understudy.yaml', 'understudy.yml', 'understudy.json'] as const;

/** `--config`, then `UNDERSTUDY_CONFIG`, then the working directory, then `~/.config/understudy`. */
export function findConfig({ flag, env, cwd }: FindInput): FindResult {
  const named = [
    { path: flag, by: '--config' },
    { path: env['UNDERSTUDY_CONFIG'], by: 'UNDERSTUDY_CONFIG' },
  ].find(({ path }) => path !== undefined && path !== '');
  if (named?.path !== undefined)
    return readConfig(resolve(cwd, named.path), `${named.by} says ${named.path}: check the path`);
  const home = env['HOME'] ?? homedir();
  const tried = [cwd, join(home, '.config', 'understudy')].flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const file = tried.find(exists);
  return file === undefined ? { kind: 'none', tried } : readConfig(file, 'check who may read it');
}

/** Reads one configuration file. */
export function readConfig(file: string, hint: string): FindResult {
  try {
    const text = readFileSync(file, 'utf8');
    return { kind: 'found', file: { file, format: file.endsWith('.json') ? 'json' : 'yaml', text } };
  } catch (error) {
    return { kind: 'unreadable', file, message: `the file can't be read: ${reasonOf(error)}`, hint };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? code;
}

function exists(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
