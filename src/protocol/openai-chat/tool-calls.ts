import type { CanonicalEvent } from '../../core/model/event.ts';
import { JsonFollower } from '../shared/json-follower.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import type { CallBook, ToolCall } from './call-book.ts';
import { isObject, nonEmpty, type WireFunction, type WireToolCall } from './types.ts';

type Piece = {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  /** Where the name stands within the piece; null: its type stands for it. */
  readonly namePath: readonly string[] | null;
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
    if (!isObject<WireToolCall>(item)) continue;
    const piece = readPiece(item, position);
    const at = [...path, position];
    const known = findCall(calls, piece);
    if (known === null && calls.isFull && !calls.isSilent(piece.index)) return null;
    if (known === null && isSilent(item)) {
      calls.noteSilent(piece.index, { id: piece.id, type: nonEmpty(item.type) });
      silent.push(position);
      continue;
    }
    const call = known ?? openCall(calls, piece, item, at, seed, out);
    if (call.index !== piece.index) mend(out, 'tool_index_mended', [...at, 'index'], { set: String(call.index) });
    if (known !== null && piece.id !== null) {
      // Client libraries join the ids of all pieces; the first has told it.
      mend(out, 'tool_id_mended', [...at, 'id'], 'remove');
    }
    const isNamed = takeName(calls, call, piece, known !== null, at, out);
    calls.grow(call, argumentsText(piece.args, [...at, 'function', 'arguments'], out));
    if (hasInput(item)) calls.fill(call);
    events.push({ type: isNamed ? 'tool_call' : 'tool_fragment' });
  }
  leaveOut(silent, list, path, out);
  return events;
}

/** It has neither a name nor arguments: a call that is no more than that is none. */
export function isSilent(item: WireToolCall): boolean {
  const { name } = nameOf(item);
  return name === null && isBlank(isObject<WireFunction>(item.function) ? item.function : {}) && !hasInput(item);
}

/** Without a name and without arguments. */
export const isBlank = ({ name, arguments: args }: WireFunction): boolean =>
  readName(name) === null && (typeof args === 'string' ? args.trim() === '' : !isObject(args) && !Array.isArray(args));

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

/** What the pieces that were left out said of it besides, its first one has to say. */
function openCall(
  calls: CallBook,
  piece: Piece,
  item: WireToolCall,
  at: readonly (string | number)[],
  seed: string,
  out: MendList,
): ToolCall {
  const silent = calls.takeSilent(piece.index);
  const call = calls.open(piece.index, piece.id ?? silent?.id ?? null, seed);
  if (call.id !== piece.id) mend(out, 'tool_id_mended', [...at, 'id'], { set: JSON.stringify(call.id) });
  if (silent !== null && silent.type !== null && nonEmpty(item.type) === null) {
    mend(out, 'tool_id_mended', [...at, 'type'], { set: JSON.stringify(silent.type) });
  }
  return call;
}

/** Numbers that are no place in a list are no index. */
const MAX_INDEX = 1_000_000;

function readPiece(item: WireToolCall, position: number): Piece {
  const fn: WireFunction = isObject<WireFunction>(item.function) ? item.function : {};
  const { name, path: namePath } = nameOf(item);
  const index = Number.isInteger(item.index) ? (item.index as number) : -1;
  return {
    index: index >= 0 && index <= MAX_INDEX ? index : null,
    id: nonEmpty(item.id),
    name,
    namePath,
    args: fn.arguments,
    position,
  };
}

/** Of a function or a custom tool. Calls of other types may have their names anywhere: the type stands for it. */
export function nameOf(item: WireToolCall): Pick<Piece, 'name'> & { readonly path: Piece['namePath'] } {
  for (const kind of ['function', 'custom'] as const) {
    const tool = item[kind];
    if (isObject<WireFunction>(tool)) return { name: readName(tool.name), path: [kind, 'name'] };
  }
  return { name: item.type === 'function' ? null : nonEmpty(item.type), path: null };
}

function findCall(calls: CallBook, piece: Piece): ToolCall | null {
  return piece.index === null ? findByOrder(calls, piece) : findByIndex(calls, piece, piece.index);
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
  if (calls.isSilent(null)) return null;
  const { last } = calls;
  const opens = piece.name !== null && last !== null && last.name !== '';
  return opens && (!last.args.isEmpty || piece.position > 0) ? null : last;
}

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
  if (piece.name === null) return false;
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

/** The older `function_call`. */
export type FunctionCall = { name: string; readonly args: JsonFollower };

export const openFunctionCall = (): FunctionCall => ({ name: '', args: new JsonFollower() });
