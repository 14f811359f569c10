import { z } from 'zod';
import { scriptSchema } from './schema.ts';

const SCHEMA_URL = 'https://unpkg.com/understudy-gateway/schema/simulate.schema.json';

/** The first line of a script, for editors. */
export const SCHEMA_LINE = `# yaml-language-server: $schema=${SCHEMA_URL}`;

/** The published schema of scripts (JSON Schema 2020-12), for editors. */
export function scriptJsonSchemaText(): string {
  const { $schema, ...rest } = z.toJSONSchema(scriptSchema, { io: 'input', unrepresentable: 'any', override });
  const schema = { $schema, $id: SCHEMA_URL, title: 'A script for understudy simulate', ...rest };
  return `${JSON.stringify(withoutReferences(schema), null, 2)}\n`;
}

/** Defaults and examples as a script has them, before units are worked in. */
function override({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: object;
}): void {
  const meta: Readonly<Record<string, unknown>> | undefined = z.globalRegistry.get(zodSchema);
  for (const key of ['default', 'examples']) {
    if (meta?.[key] !== undefined) Object.assign(jsonSchema, { [key]: meta[key] });
  }
}

/** Keys of the configuration may be references to the environment; scripts have none. */
function withoutReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutReferences);
  if (typeof node !== 'object' || node === null) return node;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutReferences(value)]),
  );
  if (!Array.isArray(anyOf)) return rest;
  const branches = anyOf.filter((branch) => branch.pattern !== '\\$\\{');
  return branches.length === 1 ? { ...branches[0], ...rest } : { anyOf: branches, ...rest };
}
