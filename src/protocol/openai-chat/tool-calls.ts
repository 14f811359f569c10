import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Mend } from '../json/index.ts';
import { hash64 } from './hash.ts';
import { isObject, nonEmpty, type WireFunction, type WireToolCall } from './types.ts';

/** Arguments longer than this are not kept, and so never known to be whole. */
const MAX_ARGUMENTS = 4 * 1024 * 1024;

/** One tool call of an answer, as its pieces so far tell. */
export type ToolCall = {
  /** As the client gets it. */
  readonly index: number;
  readonly id: string;
  /** As the provider wrote them; null: not at all. */
  readonly sourceIndex: number | null;
  sourceId: string | null;
  name: string;
  arguments: string;
};

/** Collects what has to be changed in a frame, with the name of each edit. */
export type MendList = { readonly mends: Mend[]; readonly edits: Set<RelayEdit> };

type Piece = {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly args: unknown;
  /** Place within the list of one frame: two entries of one list are two calls. */
  readonly position: number;
};

/**
 * Follows the `tool_calls` of one `delta`: finds the call of each piece by index, id or order, as far as the provider
 * gives them, and has indices, ids and object arguments mended. `seed` makes minted ids differ between answers.
 */
export function followToolCalls(
  calls: ToolCall[],
  list: readonly unknown[],
  path: readonly (string | number)[],
  seed: string,
  out: MendList,
): CanonicalEvent[] {
  const events: CanonicalEvent[] = [];
  for (const [position, item] of list.entries()) {
    if (!isObject<WireToolCall>(item)) continue;
    const fn: WireFunction = isObject<WireFunction>(item.function) ? item.function : {};
    const piece: Piece = {
      index: Number.isInteger(item.index) ? (item.index as number) : null,
      id: nonEmpty(item.id),
      name: nonEmpty(fn.name),
      args: fn.arguments,
      position,
    };
    const at = [...path, position];
    const known = findCall(calls, piece);
    const call = known ?? openCall(calls, piece, seed);
    if (call.index !== piece.index) mend(out, 'tool_index_mended', [...at, 'index'], { set: String(call.index) });
    if (known === null) {
      if (call.id !== piece.id) mend(out, 'tool_id_mended', [...at, 'id'], { set: JSON.stringify(call.id) });
    } else if (piece.id !== null) {
      // Client libraries join the ids of all pieces; the first has told it.
      mend(out, 'tool_id_mended', [...at, 'id'], 'remove');
    }
    const isNamed = takeName(call, piece, known !== null, at, out);
    takeArguments(call, piece.args, [...at, 'function', 'arguments'], out);
    events.push({ type: isNamed ? 'tool_call' : 'tool_fragment' });
  }
  return events;
}

function findCall(calls: readonly ToolCall[], piece: Piece): ToolCall | null {
  return piece.index === null ? findByOrder(calls, piece) : findByIndex(calls, piece, piece.index);
}

function findByIndex(calls: readonly ToolCall[], piece: Piece, index: number): ToolCall | null {
  const known = calls.findLast((call) => call.sourceIndex === index);
  // A counter that runs on within one call: its pieces repeat the id and have no name.
  if (known === undefined) return piece.name === null ? findById(calls, piece.id) : null;
  if (piece.name === null || known.name === '') return known;
  // Several calls that share an index: a name with another id, or behind whole arguments, opens the next.
  const isOther = piece.id === null ? hasWholeArguments(known, false) : isOtherId(known, piece.id);
  return isOther ? null : known;
}

const isOtherId = (call: ToolCall, id: string): boolean =>
  call.sourceId === null ? call.arguments !== '' : call.sourceId !== id;

function findByOrder(calls: readonly ToolCall[], piece: Piece): ToolCall | null {
  if (piece.id !== null) {
    const known = findById(calls, piece.id);
    return known !== null && piece.name !== null && hasWholeArguments(known, false) ? null : known;
  }
  const last = calls.at(-1) ?? null;
  const opens = piece.name !== null && last !== null && last.name !== '';
  return opens && (last.arguments !== '' || piece.position > 0) ? null : last;
}

const findById = (calls: readonly ToolCall[], id: string | null): ToolCall | null =>
  id === null ? null : (calls.findLast((call) => call.sourceId === id) ?? null);

function openCall(calls: ToolCall[], piece: Piece, seed: string): ToolCall {
  const isFree = piece.index !== null && !calls.some((call) => call.index === piece.index);
  const index = isFree ? piece.index : calls.reduce((top, call) => Math.max(top, call.index), -1) + 1;
  const isTaken = piece.id === null || calls.some((call) => call.id === piece.id);
  const id = isTaken ? mintId(seed, index, calls) : piece.id;
  const call: ToolCall = { index, id, sourceIndex: piece.index, sourceId: piece.id, name: '', arguments: '' };
  calls.push(call);
  return call;
}

/** An id that is the same each time the same bytes are read, and no other call's. */
export function mintId(seed: string, index: number, others: readonly { readonly id: string }[]): string {
  let id = `call_${hash64([seed, String(index)])}`;
  while (others.some((other) => other.id === id)) id = `call_${hash64([id])}`;
  return id;
}

/** True when this piece is the one that made the name known. Names come whole, in pieces, or again with each piece. */
function takeName(
  call: ToolCall,
  piece: Piece,
  isKnown: boolean,
  at: readonly (string | number)[],
  out: MendList,
): boolean {
  if (piece.name === null) return false;
  if (isKnown && piece.id !== null && piece.name === call.name) {
    mend(out, 'tool_id_mended', [...at, 'function', 'name'], 'remove');
    return false;
  }
  const isFirst = call.name === '';
  call.name += piece.name;
  call.sourceId ??= piece.id;
  return isFirst;
}

function takeArguments(call: ToolCall, value: unknown, at: readonly (string | number)[], out: MendList): void {
  let text = value;
  if (typeof value === 'object' && value !== null) {
    mend(out, 'tool_arguments_mended', at, 'stringify');
    text = JSON.stringify(value);
  }
  if (typeof text === 'string' && call.arguments.length <= MAX_ARGUMENTS) call.arguments += text;
}

/** Do the arguments so far parse? `allowEmpty`: none at all are whole as well. */
export function hasWholeArguments(call: Pick<ToolCall, 'arguments'>, allowEmpty: boolean): boolean {
  if (call.arguments.trim() === '') return allowEmpty;
  if (call.arguments.length > MAX_ARGUMENTS) return false;
  try {
    JSON.parse(call.arguments);
    return true;
  } catch {
    return false;
  }
}

export function mend(out: MendList, edit: RelayEdit, path: Mend['path'], change: Mend['change']): void {
  out.mends.push({ path, change });
  out.edits.add(edit);
}
