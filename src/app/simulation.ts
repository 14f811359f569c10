import { codeOf } from '../config/error-code.ts';
import type { Simulation } from '../management/index.ts';
import type { Clock, Timer } from '../port/clock.ts';
import { packConfig } from './pack-config.ts';
import { API_BOUNDS } from './simulation-bounds.ts';
import { type StartSimulation, startSimulationThread } from './simulation-thread.ts';

type Answer = Awaited<ReturnType<Simulation['simulate']>>;

/** Playing is ended in order behind this, and what came of it till then is told. */
const MOST_MS = 20_000;
/** A thread that has not answered so long after it is ended without a result. */
const GRACE_MS = 20_000;

const refuse = (message: string): Answer => ({ ok: false, isBusy: false, message });
const TOO_LONG = 'The simulation took too long: ask for fewer requests or words. The command simulate takes more.';
const TOO_LARGE =
  'The simulation needs too much memory: ask for fewer requests or words. The command simulate takes more.';

/** Nothing is wrong with what was asked: another gateway may play it. */
const LEAVING: Answer = { ok: false, isBusy: true, message: 'The gateway is ending.' };

/**
 * Simulations for the management API: one at a time, within bounds, in a thread of their own, so that requests are
 * served as if there were none. Once closed, the one that runs is ended and none begins.
 */
export function createSimulation(
  clock: Pick<Clock, 'setTimer'>,
  start: StartSimulation = startSimulationThread,
): Simulation & { close(): void } {
  let endRunning: ((answer: Answer) => void) | null = null;
  let isClosed = false;

  const play: Simulation['simulate'] = ({ script, model, show, config, onLeave }) =>
    new Promise((resolve, reject) => {
      const task = { script, model, show, config: packConfig(config), mostMs: MOST_MS };
      let timer: Timer | null = null;
      const close = (): boolean => {
        if (endRunning !== end) return false;
        endRunning = null;
        timer?.cancel();
        thread.stop();
        return true;
      };
      const end = (answer: Answer): void => {
        if (close()) resolve(answer);
      };
      // A fault of ours: nothing is wrong with what was asked.
      const fail = (error: unknown): void => {
        if (close()) reject(error);
      };
      const thread = start(task, {
        onResult: (result) => end(result.ok ? result : refuse(result.message)),
        onDeath: (error) => (isOutOfMemory(error) ? end(refuse(TOO_LARGE)) : fail(error)),
      });
      // What can't be started has not begun.
      endRunning = end;
      timer = clock.setTimer(MOST_MS + GRACE_MS, () => end(refuse(TOO_LONG)));
      onLeave?.(() => end(refuse('Whoever asked has left.')));
    });

  return {
    async simulate(asked) {
      if (asked.script.length > API_BOUNDS.script)
        return refuse(`The script is longer than ${API_BOUNDS.script / 1024} KiB.`);
      if (isClosed) return LEAVING;
      if (endRunning !== null)
        return { ok: false, isBusy: true, message: 'A simulation runs already: ask again when it is over.' };
      return await play(asked);
    },
    close() {
      isClosed = true;
      endRunning?.(LEAVING);
    },
  };
}

const isOutOfMemory = (error: unknown): boolean => codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
