import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { needsRestart } from './needs-restart.ts';

const load = (text: string) =>
  configOf(
    `${text}\nproviders: { a: { protocol: openai-chat, baseUrl: "https://a.test" } }\nmodels: { m: { targets: [a/x] } }`,
  );
const ALL = `
server: { host: localhost, port: 1, headersTimeout: 1s, keepAliveTimeout: 1s, maxHeaderSize: 16KiB, maxConnections: 5 }
telemetry: { log: { level: warn }, otlp: "http://127.0.0.1:4318" }
stateDir: /elsewhere
store: { keep: 1h }
`;

it('is what differs from the start, all of it in the docs', () => {
  const started = load('');
  expect(needsRestart(started, load(''))).toEqual([]);
  expect(needsRestart(started, load('server: { drain: 5s }'))).toEqual([]);
  const changed = needsRestart(started, load(ALL));
  expect(changed).toHaveLength(10);
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [told = ''] = /These need a restart[\s\S]*?\n\n/.exec(page) ?? [];
  const names = [...told.matchAll(/`((?:server|telemetry)\.\w+|store|stateDir)`/g)].map(([, name = '']) => name);
  expect(new Set(names)).toEqual(new Set([...changed, 'server.tls']));
});
