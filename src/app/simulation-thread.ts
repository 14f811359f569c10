import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SimulationResult, SimulationTask } from './simulation-task.ts';

export type SimulationEvents = {
  readonly onResult: (result: SimulationResult) => void;
  /** It ended without one. */
  readonly onDeath: (error: unknown) => void;
};

/** Plays in a thread, or wherever else it does not keep requests waiting. `stop` ends it without a result. */
export type StartSimulation = (task: SimulationTask, events: SimulationEvents) => { readonly stop: () => void };

/** More than the largest script within the bounds needs; above it the thread dies, and nothing else. */
const HEAP_MB = 1024;

export const startSimulationThread: StartSimulation = (task, { onResult, onDeath }) => {
  // Beside this file, and like it in source or built.
  const worker = new Worker(new URL(`./simulation-worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: task,
    name: 'simulation',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // It needs nothing of what the process was told, keys least of all.
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.on('message', onResult);
  worker.on('error', onDeath);
  worker.on('exit', (code) => onDeath(new Error(`the thread ended with code ${code}`)));
  worker.unref();
  return { stop: () => void worker.terminate() };
};

/** A thread inherits no cache of compiled sources, and without one it spends most of its start on erasing types. */
function compileCache(): NodeJS.ProcessEnv {
  // What it names is the part of this Node version; a thread looks for its own in the folder of all.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
