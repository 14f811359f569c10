import type { Clock } from '../../port/clock.ts';

const WINDOW_MS = 60_000;
/** Nobody mistypes a token more often, and nobody finds one at that pace. */
const PER_ADDRESS = 5;
/** From all addresses together: an attacker may have many. */
const TOGETHER = 60;

/** How often somebody may try to log in. */
export interface LogInLimit {
  /** Null: now; else in how many ms. What is let in counts. */
  enter(address: string): number | null;
}

/** Tries of the last minute; there are never more than may be together. */
export function createLogInLimit(clock: Clock): LogInLimit {
  let tries: { readonly at: number; readonly address: string }[] = [];
  return {
    enter(address) {
      const now = clock.now();
      tries = tries.filter(({ at }) => at > now - WINDOW_MS);
      const own = tries.filter((each) => each.address === address);
      const full = own.length >= PER_ADDRESS ? own : tries.length >= TOGETHER ? tries : null;
      if (full !== null) return (full[0]?.at ?? now) + WINDOW_MS - now;
      tries.push({ at: now, address });
      return null;
    },
  };
}
