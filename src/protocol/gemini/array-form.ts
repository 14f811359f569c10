import { concatBytes, decodeUtf8, EMPTY, encodeUtf8 } from '../json/index.ts';
import { blockStart, createFrameSplitter, readBlock } from '../sse/index.ts';

/** A stream for a client that asked for one without `alt=sse`: one JSON array of all chunks. */
export interface ArrayForm {
  /** Bytes of whole frames as the engine gives them out; comments become white space, which keeps a client waiting. */
  push(frames: Uint8Array): Uint8Array;
  /** The body has ended. An error is an element like any other, so that the array is closed behind it as well. */
  end(): Uint8Array;
}

const OPEN = encodeUtf8('[');
const COMMA = encodeUtf8('\n,\r\n');
const CLOSE = encodeUtf8('\n]\n');
const BLANK = encodeUtf8('\n');

export function createArrayForm(): ArrayForm {
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  let count = 0;
  return {
    push(frames) {
      const pieces: Uint8Array[] = [];
      splitter.push(frames, (bytes, start, end) => {
        const { data } = readBlock(bytes, blockStart(bytes, start, end), end);
        const text = concatBytes(data.map((span) => bytes.subarray(span.start, span.end)));
        if (decodeUtf8(text).trimStart().startsWith('{')) pieces.push(count++ === 0 ? OPEN : COMMA, text);
        else pieces.push(BLANK);
      });
      return pieces.length === 0 ? EMPTY : concatBytes(pieces);
    },
    end: () => (count === 0 ? encodeUtf8('[]\n') : CLOSE),
  };
}
