import { jsonSchemaText } from '../../config/json-schema.ts';
import type { Terminal } from '../terminal.ts';

/** Prints the JSON Schema of the configuration file. */
export function printSchema(terminal: Terminal): void {
  terminal.out(jsonSchemaText());
}
