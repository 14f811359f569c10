import { concatBytes, indexJson, kindOf, NONE, parseNode } from '../json/index.ts';
import { bytesOf } from '../shared/nodes.ts';
import { problem } from '../shared/request-shape.ts';
import type { RequestProblem } from '../types.ts';
import { memberAlong } from './outline.ts';

/**
 * The body of `countTokens`: contents alone, or a whole request under `generateContentRequest`. Gives the bytes of what
 * is to be counted, as a body that `decodeRequestFor` reads.
 */
export function readCounted(body: Uint8Array): Uint8Array | RequestProblem {
  const index = indexJson(body, 2);
  if (index === null || kindOf(index, 0) !== 'object') return problem('The request body must be a JSON object.');
  const whole = memberAlong(index, 'generateContentRequest');
  if (whole === NONE || parseNode(index, whole) === null) return body;
  return kindOf(index, whole) === 'object'
    ? concatBytes([bytesOf(index, whole)])
    : problem('"generateContentRequest" must be an object.', 'generateContentRequest');
}
