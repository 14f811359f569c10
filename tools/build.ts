// Puts the command and its threads into a few files in dist/: Node starts them sooner than a thousand sources. Runs with
// `npm ci`; without the development packages there is nothing to build with, and the command runs from its sources, as it
// does whenever they have changed since.
//
//   npm run prepare
import { existsSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { InputOptions } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const { stampOf, writeStamp } = createRequire(import.meta.url)('../bin/source-stamp.js') as {
  stampOf: (root: string) => string;
  writeStamp: (root: string, sources: string) => void;
};

const OPTIONS: InputOptions = {
  cwd: root,
  input: {
    main: 'src/cli/main.ts',
    // Threads are started by the name of their file, beside whoever starts them.
    worker: 'src/adapter/store-sqlite/worker.ts',
    'simulation-worker': 'src/app/simulation-worker.ts',
    'translation-worker': 'src/app/translation-worker.ts',
  },
  platform: 'node',
  // Its paths are for the compiler alone.
  tsconfig: false,
  // Loaded by name: where logs are for people; where traces are sent, by packages that may be missing.
  external: [/^node:/, 'pino-pretty', /^@opentelemetry\//],
  logLevel: 'warn',
};

async function build(): Promise<void> {
  const rolldown = await import('rolldown').catch(() => null);
  if (rolldown === null) {
    console.log('dist/ is not built: the development packages are not installed. The command runs from its sources.');
    return;
  }
  // Of the sources as they are before: what changes meanwhile makes the build an old one.
  const sources = stampOf(root);
  const [made, old] = [`${root}/dist.new-${process.pid}`, `${root}/dist.old-${process.pid}`];
  const bundle = await rolldown.rolldown(OPTIONS);
  await bundle.write({ dir: made, format: 'esm', sourcemap: true, chunkFileNames: '[name].js' });
  await bundle.close();
  await buildDashboard(made);
  // There is a whole one at nearly any moment: a gateway that runs from it may still want a part.
  if (existsSync(`${root}/dist`)) renameSync(`${root}/dist`, old);
  renameSync(made, `${root}/dist`);
  rmSync(old, { recursive: true, force: true });
  writeStamp(root, sources);
}

/** The pages of the dashboard, beside the command that serves them. */
async function buildDashboard(folder: string): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    configFile: `${root}/dashboard/vite.config.ts`,
    build: { outDir: `${folder}/dashboard`, emptyOutDir: false },
  });
}

await build();
