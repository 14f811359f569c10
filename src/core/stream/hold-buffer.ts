import type { Frame, RelayEdit } from '../model/event.ts';

/**
 * Frames that wait. The machine counts and decides; this only keeps them in order and notes their edits, so that a
 * record names the edits of what was given out and of nothing else.
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

/** Edits of given-out frames, each named once. */
export function collectEdits(into: Set<RelayEdit>, frames: readonly Frame[]): void {
  for (const frame of frames) for (const edit of frame.edits) into.add(edit);
}
