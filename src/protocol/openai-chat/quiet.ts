import {
  createIndexer,
  isKey,
  isSet,
  type JsonIndex,
  keyEndOf,
  keyStartOf,
  kindOf,
  memberOf,
  NONE,
  nodeBehind,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { fits, type Mould } from '../shared/mould.ts';
import { isAt, type Span } from '../sse/index.ts';

/** choices → choice → delta → its members. */
const DEPTH = 4;

/**
 * - `quiet`: a whole chunk that decides nothing. `model`: where its model name stands, if asked for.
 * - `loud`: a row of some table may apply: it has to be read. - `broken`: no whole JSON object.
 */
export type Glance = { readonly kind: 'quiet' | 'loud' | 'broken'; readonly model: Span | null };

const QUIET: Glance = { kind: 'quiet', model: null };
const LOUD: Glance = { kind: 'loud', model: null };
const BROKEN: Glance = { kind: 'broken', model: null };

const indexChunk = createIndexer(DEPTH);

export type Glancer = (bytes: Uint8Array, start: number, end: number) => Glance;

/**
 * Looks at the JSON of data frames without parsing it: no string and no object is made. Quiet are text, reasoning and
 * other deltas; loud are errors, finish reasons, usage, tool calls, and everything without choices.
 *
 * Most chunks differ from the one before in their text alone. Such a one is quiet if its text is a whole JSON string,
 * and needs no scan; every other is looked at member by member.
 */
export function createGlancer(wantsModel: boolean): Glancer {
  let mould: Mould | null = null;
  return (bytes, start, end) => {
    if (mould !== null && fits(mould, bytes, start, end)) return QUIET;
    const { seen, text } = glance(bytes, start, end, wantsModel);
    mould = seen.kind === 'quiet' && !wantsModel && text !== null ? { bytes, start, end, text } : null;
    return seen;
  };
}

type Look = { readonly seen: Glance; readonly text: Span | null };

const seenAs = (seen: Glance): Look => ({ seen, text: null });

function glance(bytes: Uint8Array, start: number, end: number, wantsModel: boolean): Look {
  const index = indexChunk(bytes, start, end);
  if (index === null || kindOf(index, 0) !== 'object') return seenAs(BROKEN);
  let choices = NONE;
  let model = NONE;
  const last = nodeBehind(index, 0);
  for (let node = 1; node < last; node = nodeBehind(index, node)) {
    if (isKey(index, node, 'choices')) choices = node;
    else if (isKey(index, node, 'model')) model = node;
    else if (isLoudMember(index, node)) return seenAs(LOUD);
  }
  if (choices === NONE || kindOf(index, choices) !== 'array' || isLoudList(index, choices)) return seenAs(LOUD);
  if (!wantsModel) return { seen: QUIET, text: textOf(index, choices) };
  const span = model === NONE ? null : { start: valueStart(index, model), end: valueEnd(index, model) };
  return seenAs({ kind: 'quiet', model: span });
}

function isLoudMember(index: JsonIndex, node: number): boolean {
  if (!isSet(index, node)) return false;
  switch (keyEndOf(index, node) - keyStartOf(index, node) - 2) {
    case 2:
    case 7:
      return false;
    case 5:
      return isKey(index, node, 'error') || isKey(index, node, 'usage');
    case 6:
      if (isKey(index, node, 'object'))
        return isAt(index.bytes, valueStart(index, node), valueEnd(index, node), '"error');
      return isKey(index, node, 'x_groq');
    default:
      // Longer keys may be one of these in escapes.
      return isKey(index, node, 'error') || isKey(index, node, 'usage') || isKey(index, node, 'object');
  }
}

/** No choice at all is loud too: usage or filter results. */
function isLoudList(index: JsonIndex, choices: number): boolean {
  const last = nodeBehind(index, choices);
  for (let node = choices + 1; node < last; node = nodeBehind(index, node)) {
    if (kindOf(index, node) !== 'object' || isLoudChoice(index, node)) return true;
  }
  return last === choices + 1;
}

function isLoudChoice(index: JsonIndex, choice: number): boolean {
  const last = nodeBehind(index, choice);
  for (let node = choice + 1; node < last; node = nodeBehind(index, node)) {
    if (!isSet(index, node)) continue;
    if (isKey(index, node, 'delta')) {
      if (kindOf(index, node) === 'object' && isLoudDelta(index, node)) return true;
    } else if (isKey(index, node, 'index')) {
      // Who counts choices from elsewhere has to be followed.
      if (!isAt(index.bytes, valueStart(index, node), valueEnd(index, node), '0')) return true;
    } else if (isKey(index, node, 'finish_reason') || isKey(index, node, 'error') || isKey(index, node, 'usage')) {
      return true;
    }
  }
  return false;
}

/** Where the text of the first choice's delta stands, quotes included: the last of its strings, a role comes first. */
function textOf(index: JsonIndex, choices: number): Span | null {
  const delta = memberOf(index, choices + 1, 'delta');
  if (delta === NONE || kindOf(index, delta) !== 'object') return null;
  const last = nodeBehind(index, delta);
  let text: Span | null = null;
  for (let node = delta + 1; node < last; node = nodeBehind(index, node)) {
    if (kindOf(index, node) === 'string') text = { start: valueStart(index, node), end: valueEnd(index, node) };
  }
  return text;
}

function isLoudDelta(index: JsonIndex, delta: number): boolean {
  const last = nodeBehind(index, delta);
  for (let node = delta + 1; node < last; node = nodeBehind(index, node)) {
    if (isSet(index, node) && (isKey(index, node, 'tool_calls') || isKey(index, node, 'function_call'))) return true;
  }
  return false;
}
