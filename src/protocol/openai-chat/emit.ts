import { encodeUtf8 } from '../json/index.ts';
import type { AnswerState } from './inspect.ts';

export { frameOf, leftOut } from '../shared/frame.ts';

export const DONE = 'data: [DONE]\n\n';

export const DONE_BYTES: Uint8Array = encodeUtf8(DONE);

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
