import { hasReady } from '../core/readiness/has-ready.ts';
import type { Clock, Timer } from '../port/clock.ts';
import type { Telemetry } from '../port/telemetry.ts';
import type { Prober } from '../prober/index.ts';
import type { ReadinessPort } from '../server/index.ts';

/** From the end of a round in vain to the next one; held routes are not asked before their time in any case. */
const PAUSE_MS = 10_000;
/** Traffic makes routes ready as well, and tells nobody. */
const LOOK_EVERY_MS = 1000;

export type ReadyGate = ReadinessPort & {
  /** Asks round by round until there is what is waited for; does nothing where nothing is. */
  start(): void;
  close(): void;
};

type Parts = {
  readonly prober: Pick<Prober, 'ready' | 'report' | 'probe'>;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'notice'>;
  readonly waitFor: number | null;
};

/**
 * What `/readyz` and `serve --wait-ready` rest on: whether some model has had ready routes. What was reached stays so: who
 * serves is taken out of service by nobody because its providers fail.
 */
export function createReadyGate({ prober, clock, telemetry, waitFor }: Parts): ReadyGate {
  let most = 0;
  let isClosed = false;
  const timers = new Set<Timer>();
  const reached = (min: number): boolean => {
    if (most >= min) return true;
    const ready = prober.ready();
    most = Math.max(most, ...ready.values());
    return hasReady(ready, min);
  };
  const later = (ms: number, act: () => void): void => {
    const timer = clock.setTimer(ms, () => {
      timers.delete(timer);
      if (!isClosed) act();
    });
    timers.add(timer);
  };
  const close = (): void => {
    isClosed = true;
    for (const timer of timers) timer.cancel();
    timers.clear();
  };
  const look = (min: number): void => {
    if (!reached(min)) {
      later(LOOK_EVERY_MS, () => look(min));
      return;
    }
    telemetry.notice('info', 'ready: what was waited for is there', {
      ready_routes: most,
      wait_ready: min,
    });
    close();
  };
  const ask = async (): Promise<void> => {
    // A round that fails has told who it is already.
    await prober.probe(null).catch(() => {});
    if (!isClosed) later(PAUSE_MS, () => void ask());
  };
  return {
    waitFor,
    reached,
    report: () => prober.report(),
    start() {
      if (waitFor === null) return;
      look(waitFor);
      if (!isClosed) void ask();
    },
    close,
  };
}
