import { stringEnd } from '../json/chars.ts';
import {
  createIndexer,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  nodeBehind,
  parseNode,
  stringOf,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { isAt, type Span } from '../sse/index.ts';
import { deltaKey } from './text-sums.ts';
import { placeOf, type WireEvent } from './types.ts';

/** Deltas that decide nothing once the answer is committed. */
const QUIET_TYPES: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.mcp_call_arguments.delta',
]);

/** Members of such an event that differ from one to the next. */
const VARYING = ['delta', 'sequence_number', 'obfuscation'] as const;

const indexEvent = createIndexer(1);

/**
 * A quiet event: its number, the place of its item, the part that its text is for (null: the input of a call), and
 * where the text stands, quotes included.
 */
export type Quiet = {
  readonly sequence: number | null;
  readonly place: number;
  readonly key: string | null;
  readonly delta: Span;
};

type Slot = Span & { readonly name: (typeof VARYING)[number] };

/** A quiet frame: what stands between its varying members is the same in the next one. */
type Mould = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly slots: readonly Slot[];
  readonly place: number;
  readonly key: string | null;
};

export type Glancer = (bytes: Uint8Array, start: number, end: number, lines: number) => Quiet | null;

/**
 * Looks at frames without parsing them. Null: not known to be quiet, it has to be read. Most deltas differ from the one
 * before in their text, number and padding alone; those need no scan.
 */
export function createGlancer(): Glancer {
  let mould: Mould | null = null;
  return (bytes, start, end, lines) => {
    const fitting = mould === null ? null : matchMould(mould, bytes, start, end);
    if (fitting !== null) return fitting;
    const data = dataOf(bytes, start, end, lines);
    const index = data === null ? null : indexEvent(bytes, data.start, data.end);
    const seen = index === null || !isQuiet(index) ? null : readQuiet(index);
    mould = null;
    if (seen !== null && index !== null) {
      mould = { bytes, start, end, slots: slotsOf(index), place: seen.place, key: seen.key };
    }
    return seen;
  };
}

/** The data line of a frame that is nothing but its name and one data line, or the line alone. */
function dataOf(bytes: Uint8Array, start: number, end: number, lines: number): Span | null {
  let from = start;
  if (lines === 2 && isAt(bytes, start, end, 'event:')) {
    const eol = bytes.indexOf(0x0a, start);
    if (eol < 0 || eol >= end) return null;
    from = eol + 1;
  } else if (lines !== 1) return null;
  return isAt(bytes, from, end, 'data:') ? { start: from + 'data:'.length, end } : null;
}

function isQuiet(index: JsonIndex): boolean {
  if (kindOf(index, 0) !== 'object') return false;
  const type = stringOf(index, memberOf(index, 0, 'type'));
  const delta = memberOf(index, 0, 'delta');
  if (type === null || !QUIET_TYPES.has(type) || delta === NONE || kindOf(index, delta) !== 'string') return false;
  return !['error', 'errors', 'response'].some((name) => isSet(index, memberOf(index, 0, name)));
}

function readQuiet(index: JsonIndex): Quiet {
  const event: Record<string, unknown> = { delta: '' };
  for (const name of ['type', 'output_index', 'content_index', 'summary_index', 'sequence_number']) {
    event[name] = parseNode(index, memberOf(index, 0, name));
  }
  const { sequence_number: sequence, output_index: place } = event as WireEvent;
  const delta = memberOf(index, 0, 'delta');
  return {
    sequence: Number.isSafeInteger(sequence) ? (sequence as number) : null,
    place: placeOf(place),
    key: deltaKey(event['type'] as string, event),
    delta: { start: valueStart(index, delta), end: valueEnd(index, delta) },
  };
}

/** Repeated members make no mould: which one counts would have to be known. */
function slotsOf(index: JsonIndex): readonly Slot[] {
  const slots: Slot[] = [];
  const last = nodeBehind(index, 0);
  for (let node = 1; node < last; node = nodeBehind(index, node)) {
    const name = VARYING.find((each) => isKey(index, node, each));
    const kind = kindOf(index, node);
    if (name === undefined || kind !== (name === 'sequence_number' ? 'number' : 'string')) continue;
    slots.push({ name, start: valueStart(index, node), end: valueEnd(index, node) });
  }
  return new Set(slots.map(({ name }) => name)).size === slots.length ? slots : [];
}

function matchMould(mould: Mould, bytes: Uint8Array, start: number, end: number): Quiet | null {
  let known = mould.start;
  let pos = start;
  let sequence: number | null = null;
  let delta: Span | null = null;
  for (const slot of mould.slots) {
    pos = matchEnd(mould.bytes, known, slot.start, bytes, pos, end);
    if (pos < 0) return null;
    known = slot.end;
    const from = pos;
    pos = slot.name === 'sequence_number' ? digitsEnd(bytes, from, end) : textEnd(bytes, from, end);
    if (pos < 0) return null;
    if (slot.name === 'sequence_number') sequence = numberAt(bytes, from, pos);
    else if (slot.name === 'delta') delta = { start: from, end: pos };
  }
  if (delta === null || matchEnd(mould.bytes, known, mould.end, bytes, pos, end) !== end) return null;
  return { sequence, place: mould.place, key: mould.key, delta };
}

/** Behind the bytes that are the same as those of the mould, or -1. */
function matchEnd(known: Uint8Array, from: number, to: number, bytes: Uint8Array, pos: number, end: number): number {
  const length = to - from;
  if (pos + length > end) return -1;
  for (let i = 0; i < length; i++) if (known[from + i] !== bytes[pos + i]) return -1;
  return pos + length;
}

const textEnd = (bytes: Uint8Array, pos: number, end: number): number =>
  bytes[pos] === 0x22 ? stringEnd(bytes, pos, end) : -1;

/** A number without sign, fraction or leading zero, of at most 15 digits. */
function digitsEnd(bytes: Uint8Array, pos: number, end: number): number {
  let at = pos;
  while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at++;
  const length = at - pos;
  return length === 0 || length > 15 || (length > 1 && bytes[pos] === 0x30) ? -1 : at;
}

function numberAt(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + (bytes[at] as number) - 0x30;
  return number;
}
