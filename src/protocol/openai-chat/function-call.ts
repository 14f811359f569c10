import type { CanonicalEvent } from '../../core/model/event.ts';
import { JsonFollower } from '../shared/json-follower.ts';
import { type MendList, mend } from '../shared/mend-list.ts';
import { addHeld, addRest, isEmptyValue, restOfTool, sayNothing } from './silent-call.ts';
import { SilentCalls } from './silent-calls.ts';
import { argumentsText, readName } from './tool-calls.ts';
import type { WireFunction } from './types.ts';

/** The older `function_call`, of which a choice has one or none. */
export type FunctionCall = {
  /** It has said something. */
  isOpen: boolean;
  name: string;
  readonly args: JsonFollower;
  /** Has it while it has neither name nor arguments. */
  readonly silent: SilentCalls;
};

export const openFunctionCall = (): FunctionCall => ({
  isOpen: false,
  name: '',
  args: new JsonFollower(),
  silent: new SilentCalls(),
});

/** One piece of it. Null for one that says nothing, which is left out. */
export function followFunctionCall(
  call: FunctionCall,
  fn: WireFunction,
  path: readonly (string | number)[],
  out: MendList,
): CanonicalEvent | null {
  const name = readName(fn.name);
  if (name === null && isSilent(call, fn)) {
    mend(out, 'noise_left_out', path, 'remove');
    return null;
  }
  const isNew = name !== null && call.name === '';
  const held = takeSilent(call, fn, path, out);
  call.isOpen = true;
  call.name ||= name ?? '';
  call.args.push(held ?? argumentsText(fn.arguments, [...path, 'arguments'], out));
  return { type: isNew ? 'tool_call' : 'tool_fragment' };
}

function isSilent({ isOpen, args, silent }: FunctionCall, fn: WireFunction): boolean {
  // Behind whole arguments an empty object is none of them.
  if (isOpen) return args.isWhole && isEmptyValue(fn.arguments);
  const told = sayNothing(silent.find(null, null)?.args ?? '', fn.arguments);
  if (told === null) return false;
  silent.note(null, null, { args: told, rest: restOfTool(fn) ?? {} });
  return true;
}

/** What the pieces told that were left out. Gives the arguments, where they had to be mended. */
function takeSilent(
  { silent }: FunctionCall,
  fn: WireFunction,
  path: readonly (string | number)[],
  out: MendList,
): string | null {
  const before = silent.find(null, null);
  if (before === null) return null;
  silent.take(before);
  addRest(before.rest, fn, path, out);
  return addHeld(before.args, fn, path, out);
}
