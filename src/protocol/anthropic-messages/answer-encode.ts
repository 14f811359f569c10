import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonValue } from '../../core/model/json-value.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';
import type { AnswerOptions } from '../translation.ts';
import { AnswerWriter } from './answer-writer.ts';
import { MessageBuilder } from './assemble.ts';
import { inputObject } from './tool-input.ts';
import type { WireOut } from './wire-out.ts';

/** An answer as JSON: the sum of the events that a stream would tell, where the input of a call has to be an object. */
export function writeAnswer(events: readonly AnswerEvent[], options: AnswerOptions): Uint8Array {
  const builder = new MessageBuilder();
  const inputs = new Map<JsonValue | undefined, string>();
  for (const event of new AnswerWriter(options).write(events)) {
    const piece = inputPiece(event);
    const { index } = event;
    const input = inputs.get(index) ?? '';
    if (piece !== null) inputs.set(index, input + piece);
    else {
      if (event.type === 'content_block_stop' && input !== '') builder.add(inputDelta(index, input));
      builder.add(event);
    }
  }
  return encodeUtf8(builder.build());
}

function inputPiece({ delta }: WireOut): string | null {
  const piece = isJsonObject(delta) ? delta['partial_json'] : undefined;
  return typeof piece === 'string' ? piece : null;
}

const inputDelta = (index: JsonValue | undefined, input: string): Record<string, unknown> => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: stringifyExact(inputObject(input)) },
});
