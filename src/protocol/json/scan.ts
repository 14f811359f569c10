import { scalarEnd, skipSpace, stringEnd } from './chars.ts';

/** Deeper nesting is refused: no reader of ours or of a provider needs it, and some would fall over. */
export const MAX_DEPTH = 512;

/** What is wrong with a text: no JSON, nested too deeply, or more values than the reader takes. */
export type JsonFault = 'broken' | 'deep' | 'large';

/** Per node: key start and end (quotes included, -1 in arrays), value start and end, the node behind its insides. */
const STRIDE = 5;

/**
 * Where the values of one JSON text lie, down to a depth. Node 0 is the text's value; the nodes inside a node follow it
 * directly. Spans are byte offsets, so a text can be edited without being written anew.
 */
export type JsonIndex = { readonly bytes: Uint8Array; readonly nodes: Int32Array; readonly count: number };

/** In place of a node: there is none. */
export const NONE = -1;

export type JsonLimits = {
  /** Values of a text, at any depth. How they are spread over its objects makes no difference to what they cost. */
  readonly values: number;
  /**
   * What lies in a member `logprobs` down to this depth does not count and is not noted: a long answer has millions of
   * log probabilities. Absent: it counts.
   */
  readonly logprobsDepth?: number;
};

const NO_LIMITS: JsonLimits = { values: 0x7fffffff };

/** What a parser gets from a provider, so that a tree costs no more than its text: nothing that answers comes near. */
export const ANSWER_LIMITS: JsonLimits = { values: 500_000 };

/** As deep as log probabilities lie: below output, item, content and part, or below choices and choice. */
export const LOGPROBS_DEPTH = 5;

/** The same for answers with many log probabilities. */
export const LOGPROBS_LIMITS: JsonLimits = { ...ANSWER_LIMITS, logprobsDepth: LOGPROBS_DEPTH };

/** The same for one event of a stream, in which a whole answer may lie. */
export const EVENT_LIMITS: JsonLimits = { ...ANSWER_LIMITS, logprobsDepth: LOGPROBS_DEPTH + 1 };

type Growing = { nodes: Int32Array; count: number };

// One scan runs at a time and to its end, so the stack of open containers can be shared.
const openNode = new Int32Array(MAX_DEPTH);
const openIsObject = new Uint8Array(MAX_DEPTH);

/**
 * Checks that `bytes` from `start` to `end` hold exactly one JSON value (RFC 8259, strictly; bytes that are no UTF-8
 * pass, since nothing here interprets them) and notes its values down to `maxDepth` (0: the value itself). Null when
 * the text is broken or nested too deeply. One pass, no recursion.
 */
export function indexJson(bytes: Uint8Array, maxDepth: number, start = 0, end = bytes.length): JsonIndex | null {
  const index: Growing = { nodes: new Int32Array(STRIDE * 24), count: 0 };
  const fault = scan(bytes, start, end, index, maxDepth, NO_LIMITS);
  return fault === null ? { bytes, nodes: index.nodes, count: index.count } : null;
}

/**
 * The same over a whole text of a stranger, within limits, so that what is done per value stays bounded; says what is
 * wrong.
 */
export function indexBounded(bytes: Uint8Array, maxDepth: number, limits: Partial<JsonLimits>): JsonIndex | JsonFault {
  const index: Growing = { nodes: new Int32Array(STRIDE * 24), count: 0 };
  const fault = scan(bytes, 0, bytes.length, index, maxDepth, { ...NO_LIMITS, ...limits });
  return fault ?? { bytes, nodes: index.nodes, count: index.count };
}

/** The same check without notes. */
export function isJson(bytes: Uint8Array, start = 0, end = bytes.length, limits = NO_LIMITS): boolean {
  return scan(bytes, start, end, null, -1, limits) === null;
}

/**
 * The same over a notebook that the caller keeps, for texts that are looked at once and forgotten: nothing is
 * allocated. The index is valid until the next call with this notebook.
 */
export function createIndexer(maxDepth: number): (bytes: Uint8Array, start: number, end: number) => JsonIndex | null {
  const notebook: Growing & { bytes: Uint8Array } = {
    bytes: new Uint8Array(0),
    nodes: new Int32Array(STRIDE * 64),
    count: 0,
  };
  return (bytes, start, end) => {
    notebook.bytes = bytes;
    notebook.count = 0;
    return scan(bytes, start, end, notebook, maxDepth, NO_LIMITS) === null ? notebook : null;
  };
}

// One loop over locals, bytes as numbers: see chars.ts. At its head `pos` is at a value, in an object at its key.
// oxlint-disable-next-line complexity -- calls between its parts would have to carry the cursor: three times slower
function scan(
  bytes: Uint8Array,
  start: number,
  end: number,
  index: Growing | null,
  maxDepth: number,
  limits: JsonLimits,
): JsonFault | null {
  let pos = skipSpace(bytes, start, end);
  let depth = 0;
  let isObject = false;
  let left = limits.values;
  const logprobsDepth = limits.logprobsDepth ?? 0;
  /** Depth of the member in which nothing counts, 0 outside of one. */
  let free = 0;
  for (;;) {
    if (free === 0 && --left < 0) return 'large';
    let keyStart = -1;
    let keyEnd = -1;
    if (isObject) {
      keyStart = pos;
      if (pos >= end || bytes[pos] !== 0x22) return 'broken';
      keyEnd = stringEnd(bytes, pos, end);
      if (keyEnd < 0) return 'broken';
      pos = skipSpace(bytes, keyEnd, end);
      if (pos >= end || bytes[pos] !== 0x3a) return 'broken';
      pos = skipSpace(bytes, pos + 1, end);
    }
    const isNoted = index !== null && depth <= maxDepth && free === 0;
    const node = isNoted ? note(index, keyStart, keyEnd, pos) : NONE;
    if (free === 0 && depth <= logprobsDepth && isLogprobs(bytes, keyStart, keyEnd)) free = depth;
    const c = pos < end ? (bytes[pos] as number) : 0;
    if (c === 0x7b || c === 0x5b) {
      if (depth === MAX_DEPTH) return 'deep';
      openNode[depth] = node;
      openIsObject[depth] = isObject ? 1 : 0;
      depth++;
      isObject = c === 0x7b;
      pos = skipSpace(bytes, pos + 1, end);
      // The closing bracket of each kind stands two behind its opening one. An empty container is closed below.
      if (pos >= end || bytes[pos] !== c + 2) continue;
    } else {
      pos = scalarEnd(bytes, pos, end);
      if (pos < 0) return 'broken';
      if (index !== null && node !== NONE) close(index, node, pos);
    }
    for (;;) {
      if (depth === free) free = 0;
      pos = skipSpace(bytes, pos, end);
      if (depth === 0) return pos === end ? null : 'broken';
      const next = pos < end ? bytes[pos] : 0;
      if (next === 0x2c) {
        pos = skipSpace(bytes, pos + 1, end);
        break;
      }
      if (next !== (isObject ? 0x7d : 0x5d)) return 'broken';
      pos++;
      depth--;
      isObject = openIsObject[depth] === 1;
      const container = openNode[depth] as number;
      if (index !== null && container !== NONE) close(index, container, pos);
    }
  }
}

const LOGPROBS = Uint8Array.from('"logprobs"', (letter) => letter.charCodeAt(0));

const isLogprobs = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === LOGPROBS.length && LOGPROBS.every((byte, i) => bytes[start + i] === byte);

function note(index: Growing, keyStart: number, keyEnd: number, start: number): number {
  const node = index.count++;
  const at = node * STRIDE;
  if (at + STRIDE > index.nodes.length) {
    const larger = new Int32Array(index.nodes.length * 2);
    larger.set(index.nodes);
    index.nodes = larger;
  }
  const { nodes } = index;
  nodes[at] = keyStart;
  nodes[at + 1] = keyEnd;
  nodes[at + 2] = start;
  return node;
}

function close(index: Growing, node: number, end: number): void {
  const at = node * STRIDE;
  index.nodes[at + 3] = end;
  index.nodes[at + 4] = index.count;
}

export const valueStart = (index: JsonIndex, node: number): number => index.nodes[node * STRIDE + 2] as number;
export const valueEnd = (index: JsonIndex, node: number): number => index.nodes[node * STRIDE + 3] as number;
export const keyStartOf = (index: JsonIndex, node: number): number => index.nodes[node * STRIDE] as number;
export const keyEndOf = (index: JsonIndex, node: number): number => index.nodes[node * STRIDE + 1] as number;

/** The node behind `node` and its insides: the next member or element of the same container, if it is one. */
export const nodeBehind = (index: JsonIndex, node: number): number => index.nodes[node * STRIDE + 4] as number;
