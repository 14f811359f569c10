import type { Clock } from '../port/clock.ts';
import type { Gateway } from './wire.ts';

/** So long new connections are still taken: balancers need a while to see that `/readyz` says no. */
const LISTENER_OPEN_MS = 2000;
/** What clients get to read the last words that were written to them. */
const LAST_WORDS_MS = 250;
const LOOK_EVERY_MS = 25;

export type DrainOptions = {
  readonly drainMs: number;
  /** Somebody at a terminal waits: when nothing is under way, end at once. */
  readonly isHasty: boolean;
};

type Drained = Pick<Gateway, 'server' | 'engine' | 'telemetry' | 'endBackground'> & { readonly clock: Clock };

/**
 * Leaves: says so for a while, takes nothing new, lets what is under way end within `drainMs`, ends the rest with the
 * protocol's error. What no client waits for (simulations, probes) is ended at once. Resolves when nothing is open any more.
 */
export async function drainGateway(
  { server, engine, telemetry, clock, endBackground }: Drained,
  options: DrainOptions,
): Promise<void> {
  const startedAt = clock.now();
  const endsAt = startedAt + options.drainMs;
  const isIdle = (): boolean => server.inFlight() === 0;
  telemetry.notice('info', 'draining', { in_flight: server.inFlight(), drain_ms: options.drainMs });
  server.drain();
  endBackground();
  const closesAt = startedAt + Math.min(LISTENER_OPEN_MS, options.drainMs);
  await until(clock, () => clock.now() >= closesAt || (options.isHasty && isIdle()));
  server.close();
  await until(clock, () => isIdle() || clock.now() >= endsAt);
  if (!isIdle()) {
    telemetry.notice('warn', 'the time to drain is over: what is under way is ended', { in_flight: server.inFlight() });
    engine.abandonAll();
    const patienceEndsAt = clock.now() + LAST_WORDS_MS;
    await until(clock, () => isIdle() || clock.now() >= patienceEndsAt);
  }
  server.destroy();
  telemetry.notice('info', 'drained', { took_ms: Math.round(clock.now() - startedAt) });
}

function until(clock: Clock, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isSo()) resolve();
      else clock.setTimer(LOOK_EVERY_MS, look);
    };
    look();
  });
}
