import {
  createIndexer,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  nodeBehind,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { fits, type Mould } from '../shared/mould.ts';
import { isAt, readBlock, type Span, trimSpan } from '../sse/index.ts';

const EVENT = 'content_block_delta';

/** delta → its members. */
const DEPTH = 2;

/** Deltas that decide nothing behind the commit, and the member that carries their text. */
const QUIET_DELTAS: readonly (readonly [type: string, member: string])[] = [
  ['"text_delta"', 'text'],
  ['"input_json_delta"', 'partial_json'],
  ['"thinking_delta"', 'thinking'],
];

const indexEvent = createIndexer(DEPTH);

/** `true`: a whole frame (from the first byte of its first line) that decides nothing. */
export type Glancer = (bytes: Uint8Array, from: number, end: number) => boolean;

/**
 * Looks at frames without parsing them. Quiet is one named `content_block_delta` that brings text, thinking or a piece
 * of a tool's input, and nothing else that any row could apply to. Most differ from the one before in their text alone,
 * and are known by that.
 */
export function createGlancer(): Glancer {
  let mould: Mould | null = null;
  return (bytes, from, end) => {
    if (mould !== null && fits(mould, bytes, from, end)) return true;
    const text = textOfQuiet(bytes, from, end);
    mould = text === null ? null : { bytes, start: from, end, text };
    return text !== null;
  };
}

/** Where the text of a quiet frame stands, quotes included; null for every other frame. */
function textOfQuiet(bytes: Uint8Array, from: number, end: number): Span | null {
  const { event, data, errors, others } = readBlock(bytes, from, end);
  const [only] = data;
  if (event !== EVENT || data.length !== 1 || only === undefined || errors.length > 0 || others.length !== 1) {
    return null;
  }
  const { start, end: to } = trimSpan(bytes, only);
  const index = bytes[start] === 0x7b ? indexEvent(bytes, start, to) : null;
  return index === null || isLoud(index) ? null : textOf(index);
}

function isLoud(index: JsonIndex): boolean {
  if (!isText(index, memberOf(index, 0, 'type'), `"${EVENT}"`)) return true;
  const block = memberOf(index, 0, 'index');
  if (block === NONE || kindOf(index, block) !== 'number') return true;
  const last = nodeBehind(index, 0);
  for (let node = 1; node < last; node = nodeBehind(index, node)) {
    if (isSet(index, node) && isKey(index, node, 'error')) return true;
  }
  return false;
}

function textOf(index: JsonIndex): Span | null {
  const delta = memberOf(index, 0, 'delta');
  if (delta === NONE || kindOf(index, delta) !== 'object') return null;
  const type = memberOf(index, delta, 'type');
  const member = QUIET_DELTAS.find(([name]) => isText(index, type, name))?.[1];
  const text = member === undefined ? NONE : memberOf(index, delta, member);
  if (text === NONE || kindOf(index, text) !== 'string') return null;
  return { start: valueStart(index, text), end: valueEnd(index, text) };
}

const isText = (index: JsonIndex, node: number, text: string): boolean =>
  node !== NONE &&
  valueEnd(index, node) - valueStart(index, node) === text.length &&
  isAt(index.bytes, valueStart(index, node), valueEnd(index, node), text);
