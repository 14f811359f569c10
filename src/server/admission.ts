import type { RuntimeConfig } from '../config/runtime.ts';
import type { Engine } from '../engine/index.ts';

/** One admitted request. Everything it holds is given back by `leave`, once, however it ends. */
export type Admitted = {
  /** False: the memory for bodies and held answers is used up. */
  reserve(bytes: number): boolean;
  /** The engine counts what it holds from here on. */
  releaseBody(): void;
  leave(): void;
};

export type Admission = {
  /** Null: the gateway is full. */
  enter(config: RuntimeConfig): Admitted | null;
};

/** How many requests and how many bytes the gateway takes on: `server.maxInFlight` and `server.maxBuffered`. */
export function createAdmission(engine: Pick<Engine, 'buffered'>): Admission {
  let inFlight = 0;
  let bodyBytes = 0;

  const isFull = (config: RuntimeConfig): boolean => bodyBytes + engine.buffered() > config.server.maxBuffered;

  return {
    enter(config) {
      if (inFlight >= config.server.maxInFlight || isFull(config)) return null;
      inFlight++;
      let held = 0;
      let hasLeft = false;
      const releaseBody = (): void => {
        bodyBytes -= held;
        held = 0;
      };
      return {
        reserve(bytes) {
          held += bytes;
          bodyBytes += bytes;
          return !isFull(config);
        },
        releaseBody,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          inFlight--;
          releaseBody();
        },
      };
    },
  };
}
