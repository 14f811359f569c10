import type { CacheMark, Extensions } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isObject } from './types.ts';

export const PROTOCOL = 'anthropic-messages';

/** Names of what is not said, each once. */
export type Dropped = Set<string>;

const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean };

/** An object with members; a number that is kept as it was written (`parseExact`) is none. */
export const isMembers = (value: unknown): value is JsonObject => isObject(value) && !isRawJSON(value);

export const listOf = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? (value as JsonValue[]) : []);

/** The members of an object, but for some. */
export const without = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Members that nobody here has a word for, as a part of what they stood in. */
export const keptAs = (rest: JsonObject): { readonly extensions?: Extensions } =>
  Object.keys(rest).length === 0 ? {} : { extensions: { [PROTOCOL]: rest } };

/** Objects of which an extension may hold but some members. */
const SHARED: ReadonlySet<string> = new Set(['cache_control', 'thinking', 'output_config', 'metadata', 'tool_choice']);

/** What was written of an object, with the members that were kept for this protocol; those kept for others are named. */
export function withExtensions(built: JsonObject, extensions: Extensions | undefined, dropped: Dropped): JsonObject {
  for (const [protocol, members] of Object.entries(extensions ?? {})) {
    if (protocol !== PROTOCOL) for (const name of Object.keys(members)) dropped.add(name);
  }
  const own = extensions?.[PROTOCOL];
  if (own === undefined) return built;
  const merged = Object.entries(own).map(([name, value]): [string, JsonValue] => {
    const before = Object.hasOwn(built, name) ? built[name] : undefined;
    return [name, SHARED.has(name) && isMembers(before) && isMembers(value) ? { ...before, ...value } : value];
  });
  return Object.fromEntries([...Object.entries(built).filter(([name]) => !Object.hasOwn(own, name)), ...merged]);
}

/** The mark of `cache_control`, and what else it said. */
export function readCache(value: unknown): { readonly cache?: CacheMark; readonly rest: JsonObject } {
  if (value === undefined || value === null) return { rest: {} };
  if (!isMembers(value) || value['type'] !== 'ephemeral') return { rest: { cache_control: value as JsonValue } };
  const { type: _type, ttl, ...others } = value;
  const isTold = typeof ttl === 'string';
  const left: JsonObject = isTold || ttl === undefined || ttl === null ? others : { ...others, ttl };
  const rest: JsonObject = Object.keys(left).length === 0 ? {} : { cache_control: left };
  return { cache: { ttl: isTold ? ttl : null }, rest };
}

/** Ways to say how long; those of others are left to the provider. */
const TTLS: ReadonlySet<string> = new Set(['5m', '1h']);

export const writeCache = ({ cache }: { readonly cache?: CacheMark }): JsonObject => {
  if (cache === undefined) return {};
  return {
    cache_control: { type: 'ephemeral', ...(cache.ttl !== null && TTLS.has(cache.ttl) ? { ttl: cache.ttl } : {}) },
  };
};
