import { createHash } from 'node:crypto';

/** Where a page ends: the next one begins behind this request. */
export type Place = { readonly at: number; readonly id: string };

const seal = (text: string): string => createHash('sha256').update(`requests ${text}`).digest('base64url').slice(0, 8);

/** Names a place in the ledger, not in a process: it is good after a restart too. */
export function writeCursor({ at, id }: Place): string {
  const text = Buffer.from(JSON.stringify([at, id])).toString('base64url');
  return `${text}.${seal(text)}`;
}

/** Null for what was not made by `writeCursor`. */
export function readCursor(cursor: string): Place | null {
  const [text, own, ...rest] = cursor.split('.');
  if (text === undefined || own !== seal(text) || rest.length > 0) return null;
  const [at, id]: [number, string] = JSON.parse(Buffer.from(text, 'base64url').toString());
  return { at, id };
}

/** Newest first; at one moment by id, as SQLite orders it: by bytes. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id === other.id ? 0 : Buffer.compare(Buffer.from(other.id), Buffer.from(one.id));
}
