import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('packages/', import.meta.url));

/** What runs without its steps after the install, and without what it has only for some. */
const LEAN = ['--ignore-scripts', '--omit=optional'];

/** Folders of `packages/`: each is installed by itself, so that nobody loads a gigabyte for a small one. */
const INSTALLS = {
  'claude-code': [],
  codex: [],
  'gemini-cli': LEAN,
  opencode: [],
  'qwen-code': LEAN,
  sdk: LEAN,
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PackageName = keyof typeof INSTALLS;

/** Outside of the clone, which stays as small as it is: `UNDERSTUDY_CLIENTS_DIR`, else the cache of the user. */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return env['UNDERSTUDY_CLIENTS_DIR'] || join(cache, 'understudy-clients');
}

/** Version of one package, from the manifest that pins it. */
export function versionOf(name: PackageName, dependency: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8'));
  return dependencies[dependency];
}

/** The folder with the package's `node_modules`: installed by its lock once, and used again as long as the lock stays. */
export async function install(name: PackageName, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const from = join(PACKAGES, name);
  const hash = createHash('sha256')
    .update(readFileSync(join(from, 'package-lock.json')))
    .digest('hex');
  const cache = cacheFolder(env);
  const folder = join(cache, `${name}-${hash.slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  console.log(`installing ${name} into ${folder}`);
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, '.installing-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(from, file), join(scratch, file));
    // Steps after an install write into HOME: they get one that goes away.
    const home = join(scratch, '.home');
    mkdirSync(home);
    const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error', ...INSTALLS[name]];
    const loaded = env['npm_config_cache'] ?? join(homedir(), '.npm');
    await run('npm', args, scratch, { ...env, HOME: home, npm_config_cache: loaded });
    rmSync(home, { recursive: true, force: true });
    renameSync(scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args[0]} ended with ${code}`));
    });
  });
}
