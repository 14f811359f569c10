import type { RelayEdit } from '../../core/model/event.ts';
import {
  ANSWER_LIMITS,
  applyEdits,
  concatBytes,
  decodeUtf8,
  type Edit,
  indexBounded,
  isKey,
  isSet,
  type JsonIndex,
  LOGPROBS_DEPTH,
  LOGPROBS_LIMITS,
  replaceValue,
} from '../json/index.ts';
import { BOM_LENGTH, hasBom } from '../sse/index.ts';

export type ParsedAnswer = {
  /** The body without a byte order mark, and the name of that edit. */
  readonly json: Uint8Array;
  readonly edits: readonly RelayEdit[];
  /** The index of `json` and its value; null for a text that is no JSON, or beyond `ANSWER_LIMITS`. */
  readonly parsed: { readonly index: JsonIndex; readonly value: unknown } | null;
};

/**
 * A JSON answer, noted down to `depth` and parsed. Log probabilities, of which a long answer has millions, do not count
 * to its limits; where they are many the value goes without them.
 */
export function parseAnswer(body: Uint8Array, depth: number): ParsedAnswer {
  const isMarked = hasBom(body, 0, body.length);
  const json = isMarked ? body.subarray(BOM_LENGTH) : body;
  return { json, edits: isMarked ? ['noise_left_out'] : [], parsed: parse(json, depth) };
}

function parse(json: Uint8Array, depth: number): ParsedAnswer['parsed'] {
  const index = indexBounded(json, depth, ANSWER_LIMITS);
  if (typeof index !== 'string') return { index, value: JSON.parse(decodeUtf8(json)) };
  // The depth at which log probabilities lie is noted, so that they can be taken out.
  const found = index === 'large' ? indexBounded(json, LOGPROBS_DEPTH, LOGPROBS_LIMITS) : index;
  const whole = typeof found === 'string' ? found : indexBounded(json, depth, LOGPROBS_LIMITS);
  if (typeof found === 'string' || typeof whole === 'string') return null;
  return { index: whole, value: JSON.parse(decodeUtf8(withoutLogprobs(json, found))) };
}

function withoutLogprobs(json: Uint8Array, index: JsonIndex): Uint8Array {
  const edits: Edit[] = [];
  for (let node = 1; node < index.count; node++) {
    if (isKey(index, node, 'logprobs') && isSet(index, node)) edits.push(replaceValue(index, node, 'null'));
  }
  return concatBytes(applyEdits(json, edits));
}
