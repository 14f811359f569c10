import type { AnswerEvent } from '../../core/model/answer.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import { BOM_LENGTH, blockStart, createFrameSplitter, hasBom, readBlock } from '../sse/index.ts';
import type { AnswerDecoder } from '../translation.ts';
import { AnswerReader } from './answer-read.ts';
import { isJsonObject } from './members.ts';

/** Frames, as `StreamDecoder` gave them, as events. The end mark says nothing that `end` does not. */
export function createAnswerDecoder(): AnswerDecoder {
  const reader = new AnswerReader();
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  return {
    push(bytes) {
      splitter.push(bytes, (chunk, start, end) => {
        const block = readBlock(chunk, blockStart(chunk, start, end), end);
        const value = parseObject(
          block.data.map((span) => decodeUtf8(chunk.subarray(span.start, span.end))).join('\n'),
        );
        if (isJsonObject(value)) reader.take(value, 'delta');
      });
      return reader.give();
    },
    end() {
      reader.end();
      return reader.give();
    },
  };
}

/** Nothing for what is no object: the end mark, a comment's frame. */
function parseObject(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return parseExact(text);
  } catch {
    return null;
  }
}

/** A JSON answer that `decodeResponse` found good, as events. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const reader = new AnswerReader();
  const json = hasBom(body, 0, body.length) ? body.subarray(BOM_LENGTH) : body;
  const value = parseObject(decodeUtf8(json));
  if (isJsonObject(value)) reader.take(value, 'message');
  reader.end();
  return reader.give();
}
