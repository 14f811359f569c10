import { hash64 } from '../shared/hash.ts';
import type { Dialect } from './dialects.ts';

/** What the client calls a tool. */
export type ToolName = {
  readonly name: string;
  readonly namespace: string | null;
  readonly kind: 'function' | 'custom';
};

/** Names of tools as a provider gets them, and back again. The same for the same tools, whatever else the request holds. */
export interface ToolNames {
  /** As the provider is to call it. */
  toProvider(tool: ToolName): string;
  /** Undefined: the provider made the name up. */
  toClient(name: string, namespace: string | null): ToolName | undefined;
  /** All that `toClient` knows, for `recallToolNames`. */
  list(): readonly KnownTool[];
}

/** By a key that only this file makes. */
export type KnownTool = readonly [string, ToolName];

const SEPARATOR = '__';
/** Its length, with the line in front of it. */
const SUM = 9;

/** A sum of what was cut off or replaced, so that two long names stay two. */
const sumOf = (text: string): string => hash64([text]).slice(0, SUM - 1);

/** The text with only such letters, so long at most. */
export function shapeName(text: string, max: number, letter: RegExp): string {
  let out = '';
  for (const each of text) out += letter.test(each) ? each : '_';
  if (out === text && out.length <= max && out !== '') return out;
  return `${out.slice(0, max - SUM)}_${sumOf(text)}`;
}

const keyIn =
  ({ hasNamespaces }: Dialect) =>
  (name: string, namespace: string | null): string =>
    JSON.stringify([hasNamespaces ? namespace : null, name]);

/** The way back alone, from what `list` gave. */
export function recallToolNames(dialect: Dialect, tools: readonly KnownTool[]): Pick<ToolNames, 'toClient'> {
  const known = new Map(tools);
  const keyOf = keyIn(dialect);
  return { toClient: (name, namespace) => known.get(keyOf(name, namespace)) };
}

export function createToolNames(dialect: Dialect): ToolNames {
  const { maxToolName, toolNameLetter, toolNameStart, hasNamespaces } = dialect;
  const known = new Map<string, ToolName>();
  const keyOf = keyIn(dialect);
  return {
    toProvider(tool) {
      const { namespace } = tool;
      const full = namespace === null || hasNamespaces ? tool.name : `${namespace}${SEPARATOR}${tool.name}`;
      const isBegun = toolNameStart === undefined || toolNameStart.test(full.slice(0, 1));
      const name = shapeName(isBegun ? full : `_${full}`, maxToolName, toolNameLetter);
      const holder = known.get(keyOf(name, namespace));
      // A plain tool of that very name may stand beside it: the later one gets a sum behind its name.
      const isTaken = holder !== undefined && (holder.name !== tool.name || holder.namespace !== namespace);
      const own = isTaken ? `${name.slice(0, maxToolName - SUM)}_${sumOf(`${namespace} ${tool.name}`)}` : name;
      const key = keyOf(own, namespace);
      if (!known.has(key)) known.set(key, tool);
      return own;
    },
    toClient: (name, namespace) => known.get(keyOf(name, namespace)),
    list: () => [...known],
  };
}
