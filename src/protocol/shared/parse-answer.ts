import type { RelayEdit } from '../../core/model/event.ts';
import {
  ANSWER_LIMITS,
  applyEdits,
  concatBytes,
  decodeUtf8,
  type Edit,
  indexBounded,
  indexJson,
  isKey,
  isSet,
  type JsonIndex,
  nodeBehind,
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
  const light = index === 'large' ? withoutLogprobs(json) : null;
  if (light === null || typeof indexBounded(light, 0, ANSWER_LIMITS) === 'string') return null;
  const whole = indexJson(json, depth);
  return whole === null ? null : { index: whole, value: JSON.parse(decodeUtf8(light)) };
}

/** As deep as log probabilities lie: below output, item, content and part, or below choices and choice. */
const LOGPROBS_DEPTH = 5;

function withoutLogprobs(json: Uint8Array): Uint8Array | null {
  const index = indexJson(json, LOGPROBS_DEPTH);
  if (index === null) return null;
  const edits: Edit[] = [];
  for (let node = 1; node < index.count; ) {
    const isGone = isKey(index, node, 'logprobs') && isSet(index, node);
    if (isGone) edits.push(replaceValue(index, node, 'null'));
    node = isGone ? nodeBehind(index, node) : node + 1;
  }
  return edits.length === 0 ? null : concatBytes(applyEdits(json, edits));
}
