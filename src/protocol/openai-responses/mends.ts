import { type MendList, mend, mintId } from '../shared/mend-list.ts';
import { isObject, nonEmpty } from '../shared/value.ts';
import type { WireItem, WireResponse } from './types.ts';

type Path = readonly (string | number)[];

/** Answers that carry the name that was asked for. */
export function mendModel(response: WireResponse, path: Path, renameModel: string | null, out: MendList): void {
  if (renameModel === null || typeof response.model !== 'string' || response.model === renameModel) return;
  mend(out, 'model_renamed', [...path, 'model'], { set: JSON.stringify(renameModel) });
}

/**
 * A function call has its arguments as text, and an id under which its result is awaited. Both are made certain, in
 * each event that shows the call the same way: a missing id is made of the item's own, else of the answer's id and the
 * place.
 */
export function mendItem(item: unknown, path: Path, place: number, answerId: string | null, out: MendList): void {
  if (!isObject<WireItem>(item)) return;
  const isFunction = item.type === 'function_call';
  if (!isFunction && item.type !== 'custom_tool_call') return;
  if (isFunction && typeof item.arguments === 'object' && item.arguments !== null) {
    mend(out, 'tool_arguments_mended', [...path, 'arguments'], 'stringify');
  }
  if (nonEmpty(item.call_id) !== null) return;
  const id = nonEmpty(item.id) ?? mintId('call_', answerId ?? '', place, () => false);
  mend(out, 'tool_id_mended', [...path, 'call_id'], { set: JSON.stringify(id) });
}

export function mendOutput(items: readonly unknown[], path: Path, answerId: string | null, out: MendList): void {
  for (const [place, item] of items.entries()) mendItem(item, [...path, place], place, answerId, out);
}
