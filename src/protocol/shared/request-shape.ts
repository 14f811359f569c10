import {
  childrenOf,
  indexBounded,
  isKey,
  isSet,
  type JsonFault,
  type JsonIndex,
  kindOf,
  MAX_DEPTH,
  memberOf,
  NONE,
  stringOf,
} from '../json/index.ts';
import type { RequestProblem } from '../types.ts';
import { lengthOf } from './nodes.ts';
import { DECIDING } from './spelling.ts';

const MAX_MODEL_LENGTH = 256;

/**
 * What a body may hold, so that reading it costs little however it is made. Far beyond what any conversation needs:
 * texts and images are one value each, whatever their size.
 */
export const BODY_LIMITS = {
  /** Values of the whole body: members and elements at any depth. */
  values: 500_000,
  /** Members of the body itself. */
  members: 1024,
  /** Elements of its lists. */
  lists: { messages: 20_000, input: 20_000, tools: 2048, functions: 2048 },
  /** Elements of the lists of all messages together. */
  content: 50_000,
  tool_calls: 20_000,
} as const;

/** The longest that a model's name can be in escapes, quotes included. */
const MAX_MODEL_BYTES = MAX_MODEL_LENGTH * 6 + 2;

export const problem = (message: string, param: string | null = null): RequestProblem => ({ message, param });

const FAULTS: Readonly<Record<JsonFault, string>> = {
  broken: 'The request body is not valid JSON.',
  deep: `The request body is nested more than ${MAX_DEPTH} levels deep.`,
  large: `The request body holds more than ${BODY_LIMITS.values} JSON values.`,
};

/**
 * A client's body, noted down to `depth`, or what keeps it from being read: no JSON object, or one beyond the limits.
 */
export function indexBody(body: Uint8Array, depth: number): JsonIndex | RequestProblem {
  const index = indexBounded(body, depth, { values: BODY_LIMITS.values });
  if (typeof index === 'string') return problem(FAULTS[index]);
  if (kindOf(index, 0) !== 'object') return problem('The request body must be a JSON object.');
  const members = childrenOf(index, 0);
  if (members.length > BODY_LIMITS.members) {
    return problem(`The request body has more than ${BODY_LIMITS.members} members.`);
  }
  for (const node of members) {
    const found = kindOf(index, node) === 'array' ? lengthProblem(index, node) : null;
    if (found !== null) return found;
  }
  return index;
}

function lengthProblem(index: JsonIndex, list: number): RequestProblem | null {
  for (const [name, max] of Object.entries(BODY_LIMITS.lists)) {
    if (isKey(index, list, name) && childrenOf(index, list).length > max) {
      return problem(`"${name}" must not hold more than ${max} elements.`, name);
    }
  }
  return null;
}

/** Two readers of one body must not see two of a member that decides. */
export function repeatedProblem(index: JsonIndex): RequestProblem | null {
  const seen = new Set<string>();
  for (const node of childrenOf(index, 0)) {
    const name = DECIDING.find((member) => isKey(index, node, member));
    if (name === undefined) continue;
    if (seen.has(name)) return problem(`The member "${name}" stands more than once in the request body.`, name);
    seen.add(name);
  }
  return null;
}

export function modelProblem(index: JsonIndex): RequestProblem | null {
  const node = memberOf(index, 0, 'model');
  if (node === NONE) return problem('The member "model" is missing.', 'model');
  if (kindOf(index, node) !== 'string') return problem('"model" must be a string.', 'model');
  const model = lengthOf(index, node) > MAX_MODEL_BYTES ? null : stringOf(index, node);
  if (model === '') return problem('"model" must not be empty.', 'model');
  return model === null || model.length > MAX_MODEL_LENGTH
    ? problem(`"model" must not be longer than ${MAX_MODEL_LENGTH} characters.`, 'model')
    : null;
}

/** A member that may be absent or null, and is true or false otherwise. */
export function flagProblem(index: JsonIndex, name: string): RequestProblem | null {
  const node = memberOf(index, 0, name);
  return isSet(index, node) && kindOf(index, node) !== 'boolean'
    ? problem(`"${name}" must be true or false.`, name)
    : null;
}

/** A list that must be there and hold something. */
export function listProblem(index: JsonIndex, name: string): RequestProblem | null {
  const node = memberOf(index, 0, name);
  if (node === NONE) return problem(`The member "${name}" is missing.`, name);
  if (kindOf(index, node) !== 'array') return problem(`"${name}" must be a list.`, name);
  return childrenOf(index, node).length === 0 ? problem(`"${name}" must not be empty.`, name) : null;
}
