import { jsonSchemaText } from '../../config/json-schema.ts';
import { scriptJsonSchemaText } from '../../simulate/script/index.ts';
import type { Terminal } from '../terminal.ts';

/** The files that have a schema, by the word that names each. */
const SCHEMAS = { config: jsonSchemaText, simulate: scriptJsonSchemaText } as const;

export type SchemaName = keyof typeof SCHEMAS;

/** Prints the JSON Schema of the configuration, or of scripts for `simulate`. */
export function printSchema(terminal: Terminal, name: SchemaName): void {
  terminal.out(SCHEMAS[name]());
}
