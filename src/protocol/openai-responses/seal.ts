import { type JsonIndex, memberOf, stringOf } from '../json/index.ts';
import { hash64 } from '../shared/hash.ts';
import { isObject, nonEmpty } from '../shared/value.ts';
import type { ItemNode } from './outline.ts';

/** An item is a conversation in sealed form: without it the rest is half of what was said. */
export const isSealed = (type: unknown): boolean => typeof type === 'string' && type.includes('compaction');

/** By what a sealed conversation is known again; its id is not always sent back. */
const sumOf = (sealed: string): string => hash64([sealed]);

/** The seals of an answer's items, in order. */
export const sealsIn = (items: readonly unknown[]): readonly string[] =>
  items.flatMap((item) => {
    const sealed = isObject(item) && isSealed(item['type']) ? nonEmpty(item['encrypted_content']) : null;
    return sealed === null ? [] : [sumOf(sealed)];
  });

/** The same of a request's input. */
export const readSeals = (index: JsonIndex, items: readonly ItemNode[]): readonly string[] =>
  items.flatMap(({ type, node }) => {
    const sealed = isSealed(type) ? nonEmpty(stringOf(index, memberOf(index, node, 'encrypted_content'))) : null;
    return sealed === null ? [] : [sumOf(sealed)];
  });
