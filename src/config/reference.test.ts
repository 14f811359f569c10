import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configOf } from '../../test/kit/config-text.ts';
import { PRESETS } from '../provider/registry.ts';
import { createJsonSchema, type JsonSchema, jsonSchemaText } from './json-schema.ts';
import { fillSections, keyTable, referenceSections } from './reference.ts';

const TOP = join(import.meta.dirname, '..', '..');
const SCHEMA_FILE = join(TOP, 'schema', 'understudy.schema.json');
const PAGES = ['configuration.md', 'providers.md'].map((name) => join(TOP, 'docs', name));

/** `UPDATE_GENERATED=1 npx vitest run src/config/reference.test.ts` writes what is generated. */
const isUpdate = process.env['UPDATE_GENERATED'] === '1';

function read(file: string, wanted: string): string {
  if (isUpdate) writeFileSync(file, wanted);
  return readFileSync(file, 'utf8');
}

/** Every node of the schema with its path. */
function nodes(node: JsonSchema, path: string): [string, JsonSchema][] {
  const branches = [node, ...(node.anyOf ?? [])];
  const inside = branches.flatMap((branch) => [
    ...Object.entries(branch.properties ?? {}).flatMap(([key, member]) => nodes(member, `${path}.${key}`)),
    ...(branch.items ? nodes(branch.items, `${path}[]`) : []),
    ...(typeof branch.additionalProperties === 'object' ? nodes(branch.additionalProperties, `${path}.*`) : []),
  ]);
  return [[path, node], ...inside];
}

describe('the published schema', () => {
  it('is the one that the code makes', () => {
    expect(read(SCHEMA_FILE, jsonSchemaText())).toBe(jsonSchemaText());
  });

  it('tells a range with the bounds that it has', () => {
    const rows = keyTable(
      {
        properties: {
          a: { type: 'integer', minimum: 1 },
          b: { type: 'number', maximum: 2 },
          c: { type: 'integer' },
          d: { type: 'integer', minimum: 1, maximum: 2 },
        },
      },
      '',
    );
    const values = [...rows.matchAll(/^\| `\w` \| ([^|]+) \|/gm)].map(([, value]) => value);
    expect(values).toEqual(['integer from 1', 'number up to 2', 'integer', 'integer 1–2']);
  });

  it('describes every key', () => {
    const bare = nodes(createJsonSchema(), '').filter(([path, node]) => /[a-z$]$/i.test(path) && !node.description);
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it('knows every section of the file', () => {
    expect(Object.keys(createJsonSchema().properties ?? {})).toEqual([
      '$schema',
      'stateDir',
      'server',
      'network',
      'auth',
      'providers',
      'modelDefaults',
      'models',
      'health',
      'readiness',
      'responses',
      'store',
      'shared',
      'telemetry',
    ]);
  });

  it('states defaults that change nothing when they are written out', () => {
    const bare = 'providers: { a: { preset: ollama } }\nmodels: { m: { targets: [a/x] } }';
    const written = parse(bare);
    const { properties = {} } = createJsonSchema();
    for (const key of ['server', 'auth', 'network', 'health', 'telemetry', 'store', 'shared']) {
      written[key] = defaultsOf(properties[key] ?? {});
    }
    written.stateDir = properties['stateDir']?.default;
    written.modelDefaults = defaultsOf(properties['modelDefaults'] ?? {});
    expect(written.modelDefaults.timeouts.total).toBe('60m');
    expect(JSON.stringify(configOf(JSON.stringify(written)))).toBe(JSON.stringify(configOf(bare)));
    const [a, b] = [configOf(JSON.stringify(written)), configOf(bare)];
    expect([...a.models]).toEqual([...b.models]);
    expect([...a.providers].map(([, provider]) => provider.settings)).toEqual(
      [...b.providers].map(([, provider]) => provider.settings),
    );
  });
});

function defaultsOf(node: JsonSchema): unknown {
  if (node.default !== undefined) return node.default;
  const entries = [node, ...(node.anyOf ?? [])].flatMap((branch) => Object.entries(branch.properties ?? {}));
  const values = entries
    .map(([key, member]) => [key, defaultsOf(member)] as const)
    .filter(([, value]) => value !== undefined);
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

describe('the reference pages', () => {
  for (const page of PAGES) {
    it(`${page.slice(TOP.length + 1)} prints what the data says`, () => {
      const wanted = fillSections(readFileSync(page, 'utf8'), referenceSections(PRESETS));
      expect(read(page, wanted)).toBe(wanted);
    });

    it(`${page.slice(TOP.length + 1)} has samples that load`, () => {
      const samples = [...readFileSync(page, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
        (match) => match[1] ?? '',
      );
      expect(samples.length).toBeGreaterThan(0);
      const env = {
        UNDERSTUDY_KEY: 'k',
        OPENAI_API_KEY: 'k1',
        ANTHROPIC_API_KEY: 'k6',
        GROQ_API_KEY: 'k2',
        GEMINI_API_KEY: 'k7',
        OTHER_KEY: 'k3',
        NIM_KEY: 'k4',
        NIM_KEY_2: 'k5',
      };
      const files = { '/run/secrets/groq': 'k6' };
      // A sample may show providers alone.
      const whole = samples.map((text) =>
        text.includes('models:') ? text : `${text}\nmodels: { m: { targets: [${providerIn(text)}/x] } }\n`,
      );
      for (const text of whole) expect(configOf(text, { env, files }).providers.size).toBeGreaterThan(0);
    });
  }

  it('have a place for every section', () => {
    const places = PAGES.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/<!-- generated: ([a-z-]+) -->/g)].map((match) => match[1]),
    );
    expect(new Set(places)).toEqual(new Set(Object.keys(referenceSections(PRESETS))));
  });

  it('refuse a place that nothing fills', () => {
    expect(() => fillSections('<!-- generated: nothing -->\n<!-- end: nothing -->', {})).toThrow('no section');
  });
});

const providerIn = (text: string): string => Object.keys(parse(text).providers)[0] ?? '';
