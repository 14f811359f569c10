import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/**
 * A node that says `value`, made of the one that stood there: what is the same stays as it was written, with its comments,
 * its order and its quotes.
 */
export function mergeNode(document: Document, node: unknown, value: unknown): Node {
  if (isNode(node) && isSame(document, node, value)) return node;
  if (isMap(node) && isPlainMap(value)) return mergeMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return mergeList(document, node, value);
  if (isScalar(node) && (value === null || typeof value !== 'object')) return changeScalar(node, value);
  return document.createNode(value) as Node;
}

const isPlainMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a node says as data, whatever it is written with. */
export function dataOf(document: Document, node: unknown): unknown {
  const target = isAlias(node) ? node.resolve(document) : node;
  return isNode(target) ? plain(target.toJS(document)) : (target ?? null);
}

const isSame = (document: Document, node: Node, value: unknown): boolean =>
  isDeepStrictEqual(dataOf(document, node), plain(value));

/** Without prototypes and undefined members, by which equal data would differ. */
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

function changeScalar(node: Scalar, value: unknown): Node {
  node.value = value;
  // How a number was written is of that number alone.
  delete node.source;
  return node;
}

function mergeMap(document: Document, map: YAMLMap, value: Readonly<Record<string, unknown>>): Node {
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, nameOf(key)));
  for (const pair of map.items) pair.value = mergeNode(document, pair.value, value[nameOf(pair.key)]);
  const known = new Set(map.items.map(({ key }) => nameOf(key)));
  for (const [key, member] of Object.entries(value)) {
    if (!known.has(key)) map.items.push(document.createPair(key, member));
  }
  return map;
}

/** A key as the configuration reads it: as it is written. */
export const nameOf = (key: unknown): string =>
  isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))) : String(key);

/** An item stays with its comment when it is the same, or the same thing with other settings. */
function mergeList(document: Document, list: YAMLSeq, value: readonly unknown[]): Node {
  const left = [...list.items];
  const take = (test: (item: unknown) => boolean): unknown => {
    const at = left.findIndex(test);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const same = value.map((member) => take((item) => isNode(item) && isSame(document, item, member)));
  list.items = value.map((member, index) => {
    const found = same[index] ?? take((item) => isSameThing(dataOf(document, item), member));
    return mergeNode(document, found, member);
  });
  return list;
}

/** Targets are told apart by provider and model, credentials and keys by their names. */
function isSameThing(one: unknown, other: unknown): boolean {
  const id = identityOf(one);
  return id !== null && id === identityOf(other);
}

function identityOf(item: unknown): string | null {
  if (typeof item === 'string') return item;
  if (!isPlainMap(item)) return null;
  const { name, provider, model } = item;
  if (typeof name === 'string') return name;
  return typeof provider === 'string' && typeof model === 'string' ? `${provider}/${model}` : null;
}
