import type { CacheMark } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { type Dropped, type Extended, extendedBy, foreignNames } from '../shared/extensions.ts';
import { isJsonObject } from '../shared/json-object.ts';

export const PROTOCOL = 'anthropic-messages';

export const extended = (rest: JsonObject): Extended => extendedBy(PROTOCOL, rest);

/** Objects of which an extension may hold but some members. */
const SHARED: ReadonlySet<string> = new Set(['cache_control', 'thinking', 'output_config', 'metadata', 'tool_choice']);

/** What was written of an object, with the members that were kept for this protocol; those kept for others are named. */
export function withExtensions(built: JsonObject, of: Extended, dropped: Dropped): JsonObject {
  for (const name of foreignNames(of, PROTOCOL)) dropped.add(name);
  const own = of.extensions?.[PROTOCOL];
  if (own === undefined) return built;
  const merged = Object.entries(own).map(([name, value]): [string, JsonValue] => {
    const before = Object.hasOwn(built, name) ? built[name] : undefined;
    return [name, SHARED.has(name) && isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value];
  });
  return Object.fromEntries([...Object.entries(built).filter(([name]) => !Object.hasOwn(own, name)), ...merged]);
}

/** The mark of `cache_control`, and what else it said. */
export function readCache(value: unknown): { readonly cache?: CacheMark; readonly rest: JsonObject } {
  if (value === undefined || value === null) return { rest: {} };
  if (!isJsonObject(value) || value['type'] !== 'ephemeral') return { rest: { cache_control: value as JsonValue } };
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
