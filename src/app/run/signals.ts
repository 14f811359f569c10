import { isatty } from 'node:tty';
import type { Clock } from '../../port/clock.ts';

const FOLLOWED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** A terminal sends these to every process on it, the command among them. */
const OF_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];
/** Whoever started this process may pass on what the whole group was sent: that is one word, said twice. */
const ECHO_MS = 500;

/** The signals that come for a run. From its making to `release` none of them ends this process. */
export interface RunSignals {
  /** The first that came; null: none has. */
  first(): NodeJS.Signals | null;
  /** Passes on each from now on, and gives back what ends that. */
  passOn(send: (signal: NodeJS.Signals) => void): () => void;
  /** Those that were passed on. */
  readonly forwarded: readonly NodeJS.Signals[];
  release(): void;
}

export function followSignals(clock: Clock): RunSignals {
  let first: NodeJS.Signals | null = null;
  let send: ((signal: NodeJS.Signals) => void) | null = null;
  const forwarded: NodeJS.Signals[] = [];
  const lastAt = new Map<NodeJS.Signals, number>();
  const hear = (signal: NodeJS.Signals): void => {
    first ??= signal;
    const now = clock.now();
    const isEcho = now < (lastAt.get(signal) ?? -ECHO_MS) + ECHO_MS;
    lastAt.set(signal, now);
    if (send === null || isEcho || (OF_TERMINAL.includes(signal) && isatty(0))) return;
    forwarded.push(signal);
    send(signal);
  };
  for (const signal of FOLLOWED) process.on(signal, hear);
  return {
    first: () => first,
    passOn(next) {
      send = next;
      return () => {
        send = null;
      };
    },
    forwarded,
    release: () => {
      for (const signal of FOLLOWED) process.removeListener(signal, hear);
    },
  };
}
