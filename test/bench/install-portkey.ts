import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Portkey's gateway as npm has it does not start: it wants older packages than its own manifest allows, and a patch of
 * `async-retry` that it carries along. With these it does.
 */
const PACKAGES = { '@portkey-ai/gateway': '1.15.2', 'patch-package': '8.0.0' };
const OVERRIDES = { hono: '4.9.7', '@hono/node-server': '1.13.5' };

/** Installs it into a folder of its own; gives that. Throws an Error in words where that fails. */
export function installPortkey(folder: string): string {
  const home = join(folder, 'portkey');
  mkdirSync(home);
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ private: true, dependencies: PACKAGES, overrides: OVERRIDES }),
  );
  run(home, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  run(home, join(home, 'node_modules/.bin/patch-package'), ['--patch-dir', 'node_modules/@portkey-ai/gateway/patches']);
  return home;
}

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) throw new Error(`Portkey can't be installed: ${error?.message ?? stderr}`);
}
