import { expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { logOf } from './open-telemetry.ts';

const configWith = (telemetry: string) =>
  configOf(`${telemetry}\nproviders: { a: { preset: ollama } }\nmodels: { m: { targets: [a/x] } }`);

it.each([
  ['', {}, 'pretty', { level: 'info', format: 'pretty' }],
  ['', {}, 'json', { level: 'info', format: 'json' }],
  ['telemetry: { log: { format: json } }', {}, 'pretty', { level: 'info', format: 'json' }],
  ['telemetry: { log: { level: warn, format: pretty } }', {}, 'json', { level: 'warn', format: 'pretty' }],
  ['telemetry: { log: { format: json } }', { level: 'silent' }, 'pretty', { level: 'silent', format: 'json' }],
] as const)('%s, above it %j, else %s', (text, above, otherwise, log) => {
  expect(logOf(configWith(text), above, otherwise)).toEqual(log);
});
