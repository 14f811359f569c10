import type { CanonicalEvent } from '../../core/model/event.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import type { CallBook, ToolCall } from './call-book.ts';
import { addHeld, addRest, isEmptyValue, restOf, sayNothing, type Told } from './silent-call.ts';
import type { SilentCall } from './silent-calls.ts';
import { isObject, nonEmpty, type WireFunction, type WireToolCall } from './types.ts';

type Piece = {
  readonly item: WireToolCall;
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** Where the name stands within the piece; null: its type stands for it. */
  readonly namePath: readonly string[] | null;
  /** Where a name stands that is nothing but blanks. */
  readonly blankName: readonly string[] | null;
  readonly args: unknown;
  /** Place within the list of one frame: two entries of one list are two calls. */
  readonly position: number;
};

/**
 * Follows the `tool_calls` of one `delta`: finds the call of each piece by index, id or order, as far as the provider
 * gives them, and has indices, ids and object arguments mended. A call is opened by the first of its pieces that has a
 * name or arguments; those before it are left out. `seed` makes minted ids differ between answers. Null when there are
 * more calls than an answer may have.
 */
export function followToolCalls(
  calls: CallBook,
  list: readonly unknown[],
  path: readonly (string | number)[],
  seed: string,
  out: MendList,
): CanonicalEvent[] | null {
  const events: CanonicalEvent[] = [];
  const silent: number[] = [];
  for (const [position, item] of list.entries()) {
    const said = isObject<WireToolCall>(item)
      ? followPiece(calls, readPiece(item, position), [...path, position], seed, out)
      : 'silent';
    if (said === null) return null;
    if (said === 'silent') silent.push(position);
    else events.push(said);
  }
  leaveOut(silent, list, path, out);
  return events;
}

function followPiece(
  calls: CallBook,
  piece: Piece,
  at: readonly (string | number)[],
  seed: string,
  out: MendList,
): CanonicalEvent | 'silent' | null {
  const { item } = piece;
  const known = findCall(calls, piece);
  if (known !== null) {
    // Client libraries join the ids of all pieces; the first has told it.
    if (piece.id !== null) mend(out, 'tool_id_mended', [...at, 'id'], 'remove');
    return takePiece(calls, known, piece, true, null, at, out);
  }
  const before = calls.silent.find(piece.index, piece.id);
  if (before === null && calls.isFull) return null;
  const told = readSilent(item, before?.args ?? '');
  if (told !== null) {
    calls.silent.note(piece.index, piece.id, told);
    return 'silent';
  }
  const call = openCall(calls, piece, before, seed);
  if (call.id !== piece.id) mend(out, 'tool_id_mended', [...at, 'id'], { set: JSON.stringify(call.id) });
  // What the pieces that were left out said of it besides, its first one has to say.
  if (before !== null) addRest(before.rest, item, at, out);
  const held = before === null ? null : addHeld(before.args, item.function, [...at, 'function'], out);
  return takePiece(calls, call, piece, false, held, at, out);
}

/** What a piece says of its call. `held`: its arguments, where they were mended. */
function takePiece(
  calls: CallBook,
  call: ToolCall,
  piece: Piece,
  isKnown: boolean,
  held: string | null,
  at: readonly (string | number)[],
  out: MendList,
): CanonicalEvent {
  if (call.index !== piece.index) mend(out, 'tool_index_mended', [...at, 'index'], { set: String(call.index) });
  const isNamed = takeName(calls, call, piece, isKnown, at, out);
  calls.grow(call, held ?? argumentsText(piece.args, [...at, 'function', 'arguments'], out));
  if (hasInput(piece.item)) calls.fill(call);
  return { type: isNamed ? 'tool_call' : 'tool_fragment' };
}

/**
 * What a piece tells that has neither a name nor arguments, `held` being those of the pieces before it: a call that is
 * no more than that is none. Null for one that speaks.
 */
export function readSilent(item: WireToolCall, held: string): Told | null {
  if (nameOf(item).name !== null || hasInput(item)) return null;
  const args = sayNothing(held, isObject<WireFunction>(item.function) ? item.function.arguments : null);
  return args === null ? null : { args, rest: restOf(item) };
}

/** Takes entries out of a list of calls; the list goes with the last of them. */
export function leaveOut(
  positions: readonly number[],
  list: readonly unknown[],
  path: readonly (string | number)[],
  out: MendList,
): void {
  if (positions.length === 0) return;
  if (positions.length === list.length) mend(out, 'noise_left_out', path, 'remove');
  else for (const position of positions) mend(out, 'noise_left_out', [...path, position], 'remove');
}

function openCall(calls: CallBook, piece: Piece, silent: SilentCall | null, seed: string): ToolCall {
  if (silent === null) return calls.open(piece.index, piece.id, seed);
  calls.silent.take(silent);
  return calls.open(piece.index ?? silent.index, piece.id ?? silent.id, seed);
}

/** Numbers that are no place in a list are no index. */
const MAX_INDEX = 1_000_000;

function readPiece(item: WireToolCall, position: number): Piece {
  const fn: WireFunction = isObject<WireFunction>(item.function) ? item.function : {};
  const { name, path: namePath, blank: blankName } = nameOf(item);
  const index = Number.isInteger(item.index) ? (item.index as number) : -1;
  return {
    item,
    index: index >= 0 && index <= MAX_INDEX ? index : null,
    id: nonEmpty(item.id),
    name,
    namePath,
    blankName,
    args: fn.arguments,
    position,
  };
}

/** Of a function or a custom tool. Calls of other types may have their names anywhere: the type stands for it. */
export function nameOf(item: WireToolCall): Name {
  for (const kind of ['function', 'custom'] as const) {
    const tool = item[kind];
    if (!isObject<WireFunction>(tool)) continue;
    const name = readName(tool.name);
    const path = [kind, 'name'];
    return { name, path, blank: name === null && nonEmpty(tool.name) !== null ? path : null };
  }
  return { name: item.type === 'function' ? null : nonEmpty(item.type), path: null, blank: null };
}

type Name = {
  readonly name: string | null;
  readonly path: readonly string[] | null;
  /** Of a name that is nothing but blanks, and so none. */
  readonly blank: readonly string[] | null;
};

function findCall(calls: CallBook, piece: Piece): ToolCall | null {
  const call = piece.index === null ? findByOrder(calls, piece) : findByIndex(calls, piece, piece.index);
  // Behind whole arguments an empty object is none of them, whatever it says.
  const isOther = call?.args.isWhole === true && piece.name === null && isEmptyValue(piece.args);
  return isOther ? null : call;
}

function findByIndex(calls: CallBook, piece: Piece, index: number): ToolCall | null {
  const known = calls.bySourceIndex(index);
  // A counter that runs on within one call: its pieces repeat the id and have no name.
  if (known === null) return piece.name === null ? calls.bySourceId(piece.id) : null;
  if (piece.name === null || known.name === '') return known;
  // Several calls that share an index: a name with another id, or behind whole arguments, opens the next.
  const isOther = piece.id === null ? known.args.isWhole : isOtherId(known, piece.id);
  return isOther ? null : known;
}

const isOtherId = (call: ToolCall, id: string): boolean =>
  call.sourceId === null ? !call.args.isEmpty : call.sourceId !== id;

function findByOrder(calls: CallBook, piece: Piece): ToolCall | null {
  if (piece.id !== null) {
    const known = calls.bySourceId(piece.id);
    return known !== null && piece.name !== null && known.args.isWhole ? null : known;
  }
  const { last, silent } = calls;
  if (last === null) return null;
  const isBehind = silent.isLast && silent.hasUnplaced;
  if (piece.name === null) return isBehind && !isHalfway(last) ? null : last;
  if (last.name === '') return isBehind ? null : last;
  return !last.args.isEmpty || piece.position > 0 || silent.isLast ? null : last;
}

const isHalfway = ({ args }: ToolCall): boolean => !args.isBlank && !args.isWhole;

/** Blanks are no name. */
export function readName(value: unknown): string | null {
  const name = nonEmpty(value);
  return name === null || name.trim() === '' ? null : name;
}

/** Of a custom tool, which is no JSON. */
export const hasInput = ({ custom }: WireToolCall): boolean =>
  isObject<{ readonly input?: unknown }>(custom) && nonEmpty(custom.input) !== null;

/** True when this piece is the one that made the name known. Names come whole, in pieces, or again with each piece. */
function takeName(
  calls: CallBook,
  call: ToolCall,
  piece: Piece,
  isKnown: boolean,
  at: readonly (string | number)[],
  out: MendList,
): boolean {
  if (piece.name === null) {
    // Client libraries join the names of all pieces.
    if (piece.blankName !== null) mend(out, 'tool_id_mended', [...at, ...piece.blankName], { set: '""' });
    return false;
  }
  if (isKnown && piece.id !== null && piece.name === call.name) {
    if (piece.namePath !== null) mend(out, 'tool_id_mended', [...at, ...piece.namePath], 'remove');
    return false;
  }
  const isFirst = call.name === '';
  calls.name(call, piece.name);
  if (call.sourceId === null && piece.id !== null) calls.tellId(call, piece.id);
  return isFirst;
}

/** Arguments as text; an object, which some give instead, is mended to one. */
export function argumentsText(value: unknown, path: readonly (string | number)[], out: MendList): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  mend(out, 'tool_arguments_mended', path, 'stringify');
  return JSON.stringify(value);
}
