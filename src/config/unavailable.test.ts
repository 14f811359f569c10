import { describe, expect, it } from 'vitest';
import { configOf, problemsOf } from '../../test/kit/config-text.ts';
import { createJsonSchema, type JsonSchema } from './json-schema.ts';
import { UNAVAILABLE } from './unavailable.ts';

const REST = `
providers: { a: { preset: ollama } }
models: { main: { targets: [a/x] } }
`;

/** Lines of a file, and whether they pass. */
const OFF = [
  'server: { websocket: true, workers: 1 }',
  'network: { proxy: "", noProxy: "", ca: [] }',
  'readiness: { probe: { mode: off, every: 10m, targetReady: 8, maxProbes: 16 } }',
  'responses: { store: memory, maxBytes: 64MiB, keep: 1h }',
  'responses: { store: off }',
  'store: { kind: memory }',
  'store: { kind: sqlite, keep: 30d, maxSize: 2GiB, explain: failures }',
  'store: { kind: "${KIND:-sqlite}" }',
  'shared: { kind: none }',
  'telemetry: { otlp: "" }',
  'telemetry: { otlp: "${OTEL_EXPORTER_OTLP_ENDPOINT:-}" }',
  'modelDefaults: { hedge: off, midStream: error, strategy: weighted }',
  'server: { workers: "${N:-1}", websocket: "${W:-false}" }',
];

const ON: readonly (readonly [string, string])[] = [
  ['server: { workers: auto }', 'server.workers'],
  ['server: { workers: "${N:-4}" }', 'server.workers'],
  ['network: { proxy: "http://proxy:3128" }', 'network.proxy'],
  ['network: { ca: [/etc/ca.pem] }', 'network.ca'],
  ['auth: { keys: [{ name: k, key: x, rpm: 5 }] }', 'auth.keys[0].rpm'],
  ['auth: { keys: [{ name: k, key: x, tpm: 5 }] }', 'auth.keys[0].tpm'],
  ['auth: { keys: [{ name: k, key: x, budget: { usd: 5, per: day } }] }', 'auth.keys[0].budget'],
  ['modelDefaults: { hedge: { after: 3s, maxShare: 0.05 } }', 'modelDefaults.hedge'],
  ['modelDefaults: { midStream: continue }', 'modelDefaults.midStream'],
  ['modelDefaults: { strategy: least-latency }', 'modelDefaults.strategy'],
  ['responses: { store: disk }', 'responses.store'],
  ['store: { kind: postgres, url: "postgres://x" }', 'store.kind'],
  ['store: { url: "postgres://x" }', 'store.url'],
  ['shared: { kind: redis, url: "redis://x" }', 'shared.kind'],
];

describe('what this version does not have', () => {
  for (const line of OFF) {
    it(`may be switched off: ${line}`, () => {
      expect(configOf(line + REST).models.size).toBe(1);
    });
  }

  for (const [line, path] of ON) {
    it(`is refused by name: ${line}`, () => {
      const problems = problemsOf(line + REST).filter((problem) =>
        problem.message.endsWith('is not available in this version'),
      );
      expect(problems.map((problem) => problem.path)).toEqual([path]);
      expect(problems[0]?.line).toBe(1);
      expect(problems[0]?.hint).not.toBeNull();
    });
  }

  it('is refused at every place of a setting', () => {
    const text = `
providers: { a: { preset: ollama, hedge: { after: 1s } } }
models:
  main:
    strategy: lowest-cost
    midStream: continue
    targets: [{ provider: a, model: x, midStream: continue }]
`;
    expect(problemsOf(text).map((problem) => problem.path)).toEqual([
      'providers.a.hedge',
      'models.main.strategy',
      'models.main.midStream',
      'models.main.targets[0].midStream',
    ]);
  });

  it('is refused as a protocol or a preset, each once', () => {
    const MODELS = 'models: { m: { targets: [a/x] } }';
    const spoken = `providers: { a: { protocol: bedrock-converse, baseUrl: "http://127.0.0.1:1" } }\n${MODELS}`;
    expect(problemsOf(spoken).map((problem) => problem.message)).toEqual([
      'this protocol is not available in this version',
    ]);
    const known = `providers: { a: { preset: bedrock, apiKey: k } }\n${MODELS}`;
    expect(problemsOf(known).map((problem) => problem.message)).toEqual([
      'this preset is not available in this version',
    ]);
  });

  it('leaves the other protocols and presets', () => {
    for (const provider of ['protocol: gemini, baseUrl: "http://127.0.0.1:1"', 'preset: gemini, apiKey: k'])
      expect(configOf(`providers: { a: { ${provider} } }\nmodels: { m: { targets: [a/x] } }`).models.size).toBe(1);
  });

  it('tells when a store can not serve several instances', () => {
    const told = problemsOf(`store: { kind: sqlite }\nshared: { kind: redis }${REST}`);
    expect(told.map((problem) => problem.path)).toEqual(['shared.kind']);
  });

  it('is known to the schema', () => {
    const at = (node: JsonSchema, step: string): JsonSchema[] =>
      [node, ...(node.anyOf ?? [])].flatMap((branch) => {
        const member =
          step === '[]' ? branch.items : step === '*' ? branch.additionalProperties : branch.properties?.[step];
        return typeof member === 'object' ? [member] : [];
      });
    for (const pattern of UNAVAILABLE.flatMap((row) => row.at)) {
      const found = pattern
        .split('.')
        .reduce<JsonSchema[]>((nodes, step) => nodes.flatMap((node) => at(node, step)), [createJsonSchema()]);
      expect(found, pattern).not.toEqual([]);
    }
  });
});
