import type { Clock, Timer } from '../../port/clock.ts';
import type { Journal } from './journal.ts';

export type FlusherOptions = {
  readonly clock: Clock;
  readonly journal: Pick<Journal, 'flush' | 'pendingBytes'>;
  /** Tells the reader of the journal that there is more. */
  readonly wake: () => void;
};

/** Writes the journal soon after a fact came, and goes on trying while the disk refuses. */
export interface Flusher {
  arm(): void;
  cancel(): void;
}

const FLUSH_MS = 50;
/** Between the parts of a large backlog others get their turn. */
const PART_MS = 1;
const RETRY = { firstMs: 250, lastMs: 5_000 } as const;

export function createFlusher({ clock, journal, wake }: FlusherOptions): Flusher {
  let timer: Timer | null = null;
  let retryMs: number = RETRY.firstMs;
  const arm = (delayMs: number): void => {
    timer ??= clock.setTimer(delayMs, tick);
  };
  const tick = (): void => {
    timer = null;
    const isWritten = journal.flush(true);
    wake();
    if (!isWritten) {
      arm(retryMs);
      retryMs = Math.min(RETRY.lastMs, retryMs * 2);
      return;
    }
    retryMs = RETRY.firstMs;
    if (journal.pendingBytes() > 0) arm(PART_MS);
  };
  return {
    arm: () => arm(FLUSH_MS),
    cancel() {
      timer?.cancel();
      timer = null;
    },
  };
}

/** False if the disk did not take all. */
export function flushAll(journal: Pick<Journal, 'flush' | 'pendingBytes'>): boolean {
  while (journal.flush(true)) if (journal.pendingBytes() === 0) return true;
  return false;
}
