import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { ResponseFormat } from '../../core/model/prompt.ts';
import type { Dropped } from '../shared/extensions.ts';
import { isJsonObject, without } from '../shared/json-object.ts';

/** `output_config.format`; null: nobody here has a word for it. */
export function readFormat(format: unknown): ResponseFormat | null {
  if (!isJsonObject(format) || format['type'] !== 'json_schema' || !isJsonObject(format['schema'])) return null;
  if (Object.keys(without(format, ['type', 'schema'])).length > 0) return null;
  return { type: 'json_schema', name: null, description: null, schema: format['schema'], strict: null };
}

/**
 * A schema binds the answer in any case, so that `strict` says nothing here, and a name is for nobody. JSON without a
 * schema can't be asked for.
 */
export function writeFormat(format: ResponseFormat | undefined, dropped: Dropped): JsonObject | null {
  if (format?.type === 'json_object') dropped.add('responseFormat');
  if (format?.type !== 'json_schema') return null;
  const { schema, description } = format;
  const isDescribed = description !== null && !Object.hasOwn(schema, 'description');
  const told = isDescribed ? { ...schema, description } : schema;
  return { type: 'json_schema', schema: closed(told) as JsonObject };
}

/** Members that hold schemas by name, and those that hold one or a list of them. */
const BY_NAME: readonly string[] = ['properties', '$defs', 'definitions', 'patternProperties'];
const INSIDE: readonly string[] = ['items', 'anyOf', 'allOf', 'oneOf', 'prefixItems', 'not'];

/** Objects have to say that they hold nothing else; where nothing was said of it, they do so from here on. */
function closed(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return (schema as readonly JsonValue[]).map(closed);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).map(([name, value]): [string, JsonValue] => {
    if (INSIDE.includes(name)) return [name, closed(value)];
    const isMap = BY_NAME.includes(name) && isJsonObject(value);
    return [name, isMap ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)])) : value];
  });
  const isOpen = schema['type'] === 'object' && !Object.hasOwn(schema, 'additionalProperties');
  return Object.fromEntries(isOpen ? [...members, ['additionalProperties', false]] : members);
}
