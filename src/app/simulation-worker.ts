import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createSystemClock } from '../adapter/clock-system/index.ts';
import { runSimulation, type SimulationTask } from './simulation-task.ts';

const LOW = 10;

// Where a thread has a priority of its own, requests come first on the last core, too. Elsewhere it is the process's.
if (process.platform === 'linux') setPriority(LOW);

// The thread of one simulation: it is handed its task as it starts, answers once, and is over.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin to target.
parentPort?.postMessage(await runSimulation(workerData as SimulationTask, createSystemClock()));
