import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import { EMPTY, encodeUtf8 } from '../json/index.ts';
import type { AnswerState } from './inspect.ts';

/** Fewer words for the frames that a decoder makes itself. */
export const frameOf = (
  bytes: Uint8Array,
  events: readonly CanonicalEvent[],
  edits: readonly RelayEdit[] = [],
  count = 1,
): Frame => ({ bytes, events, edits, count });

export const leftOut = (event: CanonicalEvent, edit: RelayEdit): Frame => frameOf(EMPTY, [event], [edit]);

export const DONE_BYTES: Uint8Array = encodeUtf8('data: [DONE]\n\n');

export const dataFrame = (value: unknown): Uint8Array => encodeUtf8(`data: ${JSON.stringify(value)}\n\n`);

/** A chunk of our own, with the id, time and model of the answer that it belongs to. */
export function chunkFrame(
  head: AnswerState['head'],
  renameModel: string | null,
  choices: readonly unknown[],
): Uint8Array {
  return dataFrame({
    id: head?.id ?? '',
    object: 'chat.completion.chunk',
    created: head?.created ?? 0,
    model: renameModel ?? head?.model ?? '',
    choices,
  });
}
