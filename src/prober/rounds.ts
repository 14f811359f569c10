import type { ProberHost } from './host.ts';
import { type RunningRound, runRound } from './run-round.ts';

/** One round at a time: two would ask one credential twice at once. */
export type Rounds = {
  /** Resolves when it has ended. One over the same models that is on, or waits, is that one. */
  run(names: readonly string[]): Promise<void>;
  isOn(): boolean;
  look(): void;
  /** Ends what is on, and what waits never begins. */
  stop(): void;
};

export function createRounds(host: ProberHost): Rounds {
  const asked = new Map<string, Promise<void>>();
  let running: RunningRound | null = null;
  let last: Promise<void> = Promise.resolve();
  let isStopped = false;

  const begin = async (names: readonly string[]): Promise<void> => {
    if (isStopped) return;
    running = runRound(host, names);
    await running.done;
    running = null;
  };
  return {
    run(names) {
      const key = JSON.stringify([...names].sort());
      const same = asked.get(key);
      if (same !== undefined) return same;
      const round = (asked.size === 0 ? begin(names) : last.then(() => begin(names))).then(() => {
        asked.delete(key);
        host.changed();
      });
      asked.set(key, round);
      last = round;
      return round;
    },
    isOn: () => asked.size > 0,
    look: () => running?.look(),
    stop() {
      isStopped = true;
      running?.stop();
    },
  };
}
