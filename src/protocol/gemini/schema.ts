import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';
import { camel } from './members.ts';

/** What a keyword's value is made of. `number`: a whole number, which Google's JSON writes as text. */
type Form = 'type' | 'schema' | 'schemas' | 'named' | 'number' | 'nullable' | 'format';

const FORMS: Readonly<Record<string, Form>> = {
  type: 'type',
  nullable: 'nullable',
  format: 'format',
  items: 'schema',
  anyOf: 'schemas',
  properties: 'named',
  minItems: 'number',
  maxItems: 'number',
  minLength: 'number',
  maxLength: 'number',
  minProperties: 'number',
  maxProperties: 'number',
};

const MAX_DEPTH = 128;

/**
 * The protocol's own form of a schema (a part of OpenAPI 3.0: `type: "STRING"`, `nullable`) as the JSON schema that it
 * means. Members that it has no other form for stay as they are.
 */
export function toJsonSchema(value: JsonObject, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) return value;
  const schema = camel(value);
  const isNullable = schema['nullable'] === true;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, member]) => {
      const form = own(FORMS, name);
      if (form === undefined) return [[name, member] as const];
      const read = READERS[form](member, depth, isNullable);
      return read === undefined ? [] : [[name, read] as const];
    }),
  );
}

const inner = (value: JsonValue, depth: number): JsonValue =>
  isJsonObject(value) ? toJsonSchema(value, depth + 1) : value;

type Reader = (value: JsonValue, depth: number, isNullable: boolean) => JsonValue | undefined;

const READERS: { readonly [F in Form]: Reader } = {
  type: (value, _depth, isNullable) => {
    if (typeof value !== 'string') return value;
    const type = value.toLowerCase();
    if (type === 'type_unspecified') return undefined;
    return isNullable ? [type, 'null'] : type;
  },
  nullable: () => undefined,
  // `enum` only says that `enum` is set.
  format: (value) => (value === 'enum' ? undefined : value),
  schema: inner,
  schemas: (value, depth) => (Array.isArray(value) ? value.map((each: JsonValue) => inner(each, depth)) : value),
  named: (value, depth) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each, depth)]))
      : value,
  number: (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
};
