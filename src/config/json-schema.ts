import { z } from 'zod';
import { configSchema } from './schema/index.ts';
import { UNAVAILABLE, type UnavailableRow } from './unavailable.ts';

/** A node of a JSON Schema, as far as it is walked here. */
export type JsonSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
  description?: string;
};

const NOT_HERE = 'not available in this version';

/** The published schema of the configuration file (JSON Schema 2020-12), for editors. */
export function createJsonSchema(): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any', override });
  const schema = {
    $schema,
    $id: 'https://unpkg.com/understudy-gateway/schema/understudy.schema.json',
    title: 'Configuration of Understudy',
    ...rest,
  } as JsonSchema;
  for (const row of UNAVAILABLE) markUnavailable(schema, row);
  return schema;
}

/** Defaults and examples are as the file writes them, so they hold although a unit is worked in afterwards. */
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

/** The schema as it is checked in. */
export const jsonSchemaText = (): string => `${JSON.stringify(createJsonSchema(), null, 2)}\n`;

function markUnavailable(schema: JsonSchema, row: UnavailableRow): void {
  const note = unavailableNote(row);
  for (const pattern of row.at) {
    let nodes: readonly JsonSchema[] = [schema];
    for (const step of pattern.split('.')) nodes = nodes.flatMap((node) => schemasAt(node, step));
    for (const node of nodes) node.description = `${node.description ?? ''} (${note})`.trim();
  }
}

/** How far a key is available, in words. */
export function unavailableNote(row: UnavailableRow): string {
  if (row.refuse !== undefined) return `${NOT_HERE}: ${row.refuse.join(', ')}`;
  if (row.accept === undefined) return NOT_HERE;
  return `only ${row.accept.map((value) => (value === '' ? 'empty' : value)).join(', ')} in this version`;
}

function schemasAt(node: JsonSchema, step: string): readonly JsonSchema[] {
  const branches = [node, ...(node.anyOf ?? [])];
  return branches.flatMap((branch) => {
    if (step === '[]') return branch.items ? [branch.items] : [];
    if (step === '*') return typeof branch.additionalProperties === 'object' ? [branch.additionalProperties] : [];
    const member = branch.properties?.[step];
    return member ? [member] : [];
  });
}
