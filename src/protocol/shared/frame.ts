import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import { EMPTY } from '../json/index.ts';

/** Fewer words for the frames that a decoder makes itself. */
export const frameOf = (
  bytes: Uint8Array,
  events: readonly CanonicalEvent[],
  edits: readonly RelayEdit[] = [],
  count = 1,
): Frame => ({ bytes, events, edits, count });

export const leftOut = (event: CanonicalEvent, ...edits: RelayEdit[]): Frame => frameOf(EMPTY, [event], edits);
