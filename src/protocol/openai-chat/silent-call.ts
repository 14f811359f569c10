import { type MendList, mend } from '../shared/mend-list.ts';
import { isObject, type WireFunction } from './types.ts';

type Members = Record<string, unknown>;

/** What a piece without a name tells of its call, when its arguments say nothing. */
export type Told = {
  /** All arguments so far: nothing, an empty object or list, or the first half of one; without white space. */
  readonly args: string;
  /** Whatever else the piece says, but for its index and id. */
  readonly rest: Members;
};

/** `{` or `[`: it may yet say something. */
export const isHalf = (args: string): boolean => args.length === 1;

const isWholeEmpty = (args: string): boolean => args.length > 1;

const EMPTY_VALUE = /^(?:\{\s*\}?|\[\s*\]?)?$/;

/** Arguments that say nothing, or nothing yet, without their white space; null for those that say something. */
function readNothing(text: string): string | null {
  const trimmed = text.trim();
  if (!EMPTY_VALUE.test(trimmed)) return null;
  return trimmed.length < 2 ? trimmed : `${trimmed[0]}${trimmed.at(-1)}`;
}

/** As text; null for an object or list with something in it. */
function textOf(args: unknown): string | null {
  if (typeof args === 'string') return args;
  if (Array.isArray(args)) return args.length === 0 ? '[]' : null;
  if (!isObject(args)) return '';
  return Object.keys(args).length === 0 ? '{}' : null;
}

/** Nothing goes on behind an empty value: it stood in for what comes now. */
const join = (held: string, text: string): string => (isWholeEmpty(held) && text.trim() !== '' ? text : held + text);

/** All arguments of a call, `held` and those of one more piece, when they say nothing. Null when they do. */
export function sayNothing(held: string, args: unknown): string | null {
  const text = textOf(args);
  return text === null ? null : readNothing(join(held, text));
}

/** An empty object or list: no part of arguments that are whole already. */
export function isEmptyValue(args: unknown): boolean {
  const nothing = sayNothing('', args);
  return nothing !== null && isWholeEmpty(nothing);
}

/** Members that are not kept, since they are read: of a call, and of the tool within it. */
const READ: ReadonlySet<string> = new Set(['index', 'id']);
const READ_OF_TOOL: ReadonlySet<string> = new Set(['name', 'arguments', 'input']);
const TOOLS: ReadonlySet<string> = new Set(['function', 'custom']);

/** What a piece of a call says besides. */
export function restOf(piece: object): Members {
  const rest: Members = {};
  for (const [name, value] of Object.entries(piece)) {
    if (READ.has(name)) continue;
    const kept = TOOLS.has(name) && isObject(value) ? restOfTool(value) : value;
    if (isTold(kept)) define(rest, name, kept);
  }
  return rest;
}

/** Null for nothing. */
export function restOfTool(tool: object): Members | null {
  const kept = Object.entries(tool).filter(([name, value]) => !READ_OF_TOOL.has(name) && isTold(value));
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

const isTold = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const memberOf = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

/** As JSON means it: a member called `__proto__` is a member. */
function define(members: Members, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Object by object; where both tell something, the first stands. */
export function mergeInto(members: Members, more: Members): void {
  for (const [name, value] of Object.entries(more)) {
    const present = memberOf(members, name);
    if (!isTold(present)) define(members, name, value);
    else if (isObject(present) && isObject(value)) mergeInto(present, value);
  }
}

/** The piece that opens a call says all that those before it told, but for what it says itself. */
export function addRest(rest: Members, piece: object, path: readonly (string | number)[], out: MendList): void {
  for (const [name, value] of Object.entries(rest)) {
    const present = memberOf(piece as Members, name);
    if (!isTold(present)) mend(out, 'tool_id_mended', [...path, name], { set: JSON.stringify(value) });
    else if (!isObject(present) || !isObject(value)) continue;
    else if (TOOLS.has(name)) addRest(value, present, [...path, name], out);
    else {
      const before = JSON.stringify(present);
      mergeInto(present, value);
      const merged = JSON.stringify(present);
      if (merged !== before) mend(out, 'tool_id_mended', [...path, name], { set: merged });
    }
  }
}

/** Puts what was held in front of the arguments of the piece that opens a call. Null where its own stand. */
export function addHeld(held: string, fn: unknown, path: readonly (string | number)[], out: MendList): string | null {
  if (held === '' || !isObject<WireFunction>(fn)) return null;
  const { arguments: args } = fn;
  if (typeof args === 'object' && args !== null) return null;
  const text = typeof args === 'string' ? args : '';
  const joined = join(held, text);
  if (joined === text) return null;
  mend(out, 'tool_arguments_mended', [...path, 'arguments'], { set: JSON.stringify(joined) });
  return joined;
}
