import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StartTranslator, TranslatorThread } from '../adapter/translation-thread/index.ts';

/**
 * Far more than the trees that it keeps and the largest body in work take: a body has at most 500,000 values before it comes
 * here. Where the engine runs out in the middle of a parse it may take the whole process along, so this is no limit to
 * count on.
 */
const HEAP_MB = 1024;

export function startTranslationThread({ onAnswer, onDeath }: Parameters<StartTranslator>[0]): TranslatorThread {
  // Beside this file, and like it in source or built.
  const worker = new Worker(new URL(`./translation-worker${extname(import.meta.url)}`, import.meta.url), {
    name: 'translation',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // It needs nothing of what the process was told, keys least of all.
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let isOver = false;
  const die = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    onDeath(error);
  };
  worker.on('message', onAnswer);
  worker.on('messageerror', die);
  worker.on('error', die);
  worker.on('exit', (code) => die(new Error(`the thread ended with code ${code}`)));
  worker.unref();
  return {
    post(message) {
      const bytes = message.type === 'ask' ? message.request?.original.buffer : undefined;
      worker.postMessage(message, bytes instanceof ArrayBuffer ? [bytes] : []);
    },
    async terminate() {
      isOver = true;
      await worker.terminate();
    },
  };
}

/** A thread inherits no cache of compiled sources, and without one it spends most of its start on erasing types. */
function compileCache(): NodeJS.ProcessEnv {
  // What it names is the part of this Node version; a thread looks for its own in the folder of all.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
