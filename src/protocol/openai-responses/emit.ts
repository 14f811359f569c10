import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import { encodeUtf8 } from '../json/index.ts';
import { frameOf } from '../shared/frame.ts';

/** An event of our own, with the name that its type is. */
export const eventBytes = (event: { readonly type: string } & Readonly<Record<string, unknown>>): Uint8Array =>
  encodeUtf8(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** A frame that carries the number of its event. */
export function numbered(
  bytes: Uint8Array,
  events: readonly CanonicalEvent[],
  edits: readonly RelayEdit[],
  sequence: number | null,
): Frame {
  const frame = frameOf(bytes, events, edits);
  return sequence === null ? frame : { ...frame, sequence };
}
