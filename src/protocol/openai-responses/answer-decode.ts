import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import { isObject } from '../shared/value.ts';
import { BOM_LENGTH, blockStart, createFrameSplitter, hasBom, readBlock } from '../sse/index.ts';
import type { AnswerDecoder } from '../translation.ts';
import { AnswerReader } from './answer-reader.ts';

const objectIn = (text: string): JsonObject | null => {
  try {
    const value = parseExact(text);
    return isObject<JsonObject>(value) ? value : null;
  } catch {
    return null;
  }
};

/** See `AnswerDecoder`. */
export function createAnswerDecoder(): AnswerDecoder {
  const reader = new AnswerReader();
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  return {
    push(bytes) {
      splitter.push(bytes, (chunk, start, end) => {
        const block = readBlock(chunk, blockStart(chunk, start, end), end);
        if (block.data.length === 0) return;
        const lines = block.data.map((line) => decodeUtf8(chunk.subarray(line.start, line.end)));
        const event = objectIn(lines.join('\n'));
        if (event !== null) reader.read(event, block.event);
      });
      return reader.take();
    },
    end() {
      reader.end();
      return reader.take();
    },
  };
}

/** A JSON answer as events. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const json = hasBom(body, 0, body.length) ? body.subarray(BOM_LENGTH) : body;
  const reader = new AnswerReader();
  reader.readWhole(objectIn(decodeUtf8(json)) ?? {});
  reader.end();
  return reader.take();
}
