// Puts the command and its threads into a few files in dist/: Node starts them in half the time that a thousand sources
// take. Runs with `npm ci`; without the development packages there is nothing to build with, and the command runs from
// its sources, as it does whenever they have changed since.
//
//   npm run prepare
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { InputOptions } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const { stampFile, stampOf } = createRequire(import.meta.url)('../bin/source-stamp.js') as {
  stampFile: (root: string) => string;
  stampOf: (root: string) => string;
};

const OPTIONS: InputOptions = {
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    // Threads are started by the name of their file, beside whoever starts them.
    worker: 'src/adapter/store-sqlite/worker.ts',
    'simulation-worker': 'src/app/simulation-worker.ts',
  },
  platform: 'node',
  // Loaded by name, and only where logs are for people.
  external: [/^node:/, 'pino-pretty'],
  logLevel: 'warn',
};

async function build(): Promise<void> {
  const rolldown = await import('rolldown').catch(() => null);
  if (rolldown === null) {
    console.log('dist/ is not built: the development packages are not installed. The command runs from its sources.');
    return;
  }
  // Of the sources as they are before: what changes meanwhile makes the build an old one.
  const stamp = stampOf(root);
  rmSync(`${root}/dist`, { recursive: true, force: true });
  const bundle = await rolldown.rolldown(OPTIONS);
  await bundle.write({ dir: `${root}/dist`, format: 'esm', sourcemap: true, chunkFileNames: '[name].js' });
  await bundle.close();
  writeFileSync(stampFile(root), stamp);
}

await build();
