import type { RuntimeConfig } from '../config/runtime.ts';
import { Secret } from '../core/redact/index.ts';

/** A configuration as data that another thread can be handed. */
export type PackedConfig = { readonly packed: unknown };

/** No key of a configuration begins like this. */
const MARK = '\0secret';

/**
 * Secrets stay in this thread: a simulation sends nothing, so that each has a stand-in, the same for the same. Empty
 * ones stay empty.
 */
export function packConfig(config: RuntimeConfig): PackedConfig {
  const standIns = new Map<string, string>();
  const standInOf = (secret: Secret): string => {
    const value = secret.reveal();
    const known = standIns.get(value) ?? (secret.isEmpty ? '' : `stand-in-for-secret-${standIns.size + 1}`);
    standIns.set(value, known);
    return known;
  };
  return { packed: mapTree(config, (node) => (node instanceof Secret ? { [MARK]: standInOf(node) } : undefined)) };
}

export const unpackConfig = ({ packed }: PackedConfig): RuntimeConfig =>
  mapTree(packed, (node) => (MARK in node ? new Secret(String(node[MARK])) : undefined)) as RuntimeConfig;

type Leaf = (node: Readonly<Record<string, unknown>>) => unknown;

/** The same tree, with what `leaf` makes of an object in its place; undefined: it is looked into. */
function mapTree(node: unknown, leaf: Leaf): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => mapTree(each, leaf));
  if (node instanceof Map) return new Map([...node].map(([key, value]) => [key, mapTree(value, leaf)]));
  const replaced = leaf(node as Record<string, unknown>);
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapTree(value, leaf)]));
}
