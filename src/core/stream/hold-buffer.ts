import type { Frame } from '../model/event.ts';

/**
 * Frames that wait. The machine counts and decides; this only keeps them in order.
 */
export type HoldBuffer = {
  keep(frame: Frame): void;
  /** Everything in order; the buffer is empty afterwards. */
  take(): readonly Frame[];
  readonly bytes: number;
};

export function createHoldBuffer(): HoldBuffer {
  let frames: Frame[] = [];
  let bytes = 0;
  return {
    keep(frame) {
      frames.push(frame);
      bytes += frame.bytes.length;
    },
    take() {
      const taken = frames;
      frames = [];
      bytes = 0;
      return taken;
    },
    get bytes() {
      return bytes;
    },
  };
}
