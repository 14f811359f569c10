import type { RelayEdit } from '../../core/model/event.ts';
import type { Mend } from '../json/index.ts';
import { hash64 } from './hash.ts';

/** Collects what has to be changed in a frame, with the name of each edit. */
export type MendList = { readonly mends: Mend[]; readonly edits: Set<RelayEdit> };

export function mend(out: MendList, edit: RelayEdit, path: Mend['path'], change: Mend['change']): void {
  out.mends.push({ path, change });
  out.edits.add(edit);
}

/** An id that is the same each time the same bytes are read, and no other call's. */
export function mintId(prefix: string, seed: string, index: number, isTaken: (id: string) => boolean): string {
  let id = `${prefix}${hash64([seed, String(index)])}`;
  while (isTaken(id)) id = `${prefix}${hash64([id])}`;
  return id;
}
