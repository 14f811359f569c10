/**
 * Who may import whom: the one table behind `layers.test.ts` and the diagram of ARCHITECTURE.md (`npm run layers`).
 * Within its own folder everything may import everything.
 */
export type Layer = {
  /** Folder under `src`. `adapter` stands for each of its folders apart: none of them may import another. */
  readonly name: string;
  /** What the folder is for, in a few words. */
  readonly task: string;
  readonly imports: readonly string[];
  /** Of these only types, which are gone when the code runs. */
  readonly types: readonly string[];
  /** Packages, by name; `node:` stands for all of Node's own modules. */
  readonly packages: readonly string[];
};

const ALL = [
  'core',
  'protocol',
  'provider',
  'port',
  'engine',
  'prober',
  'adapter',
  'server',
  'management',
  'config',
  'simulate',
  'cli',
];

export const LAYERS: readonly Layer[] = [
  { name: 'core', task: 'decides: pure functions and tables', imports: [], types: [], packages: [] },
  { name: 'port', task: 'what the engine asks of the world', imports: ['core'], types: [], packages: [] },
  { name: 'protocol', task: 'wire formats, without I/O', imports: ['core'], types: [], packages: [] },
  { name: 'provider', task: 'vendors as data', imports: ['core', 'protocol'], types: [], packages: [] },
  {
    name: 'engine',
    task: 'the one loop that acts',
    imports: ['core', 'protocol', 'port'],
    types: ['provider'],
    packages: [],
  },
  {
    name: 'prober',
    task: 'asks routes before clients do',
    imports: ['core', 'port', 'engine'],
    types: ['protocol', 'provider'],
    packages: [],
  },
  { name: 'adapter', task: 'ports made of real things', imports: ['core', 'port'], types: [], packages: ['node:'] },
  {
    name: 'config',
    task: 'the file, checked and watched',
    imports: ['core'],
    types: ['port'],
    packages: ['node:', 'yaml', 'zod'],
  },
  {
    name: 'management',
    task: 'the management API',
    imports: ['core', 'port', 'config', 'engine'],
    types: ['prober'],
    packages: ['node:', 'zod', 'zod-openapi'],
  },
  {
    name: 'server',
    task: 'HTTP, keys and limits',
    imports: ['core', 'protocol', 'port', 'engine', 'management', 'config'],
    types: ['prober'],
    packages: ['node:', 'ws'],
  },
  {
    name: 'simulate',
    task: 'the engine in virtual time',
    imports: ['core', 'protocol', 'provider', 'port', 'engine', 'prober', 'config'],
    types: [],
    packages: ['yaml', 'zod'],
  },
  {
    name: 'cli',
    task: 'commands',
    imports: ['app', 'config', 'simulate'],
    types: ['core', 'management'],
    packages: ['node:', 'commander', '@clack/prompts'],
  },
  {
    name: 'app',
    task: 'wires all of it together',
    imports: ALL.filter((name) => name !== 'cli'),
    types: [],
    packages: ['node:'],
  },
];

/** The package of each adapter, its driver; adapters without a row here have Node's own modules only. */
export const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  'http-undici': ['undici'],
  'log-pino': ['pino', 'pino-pretty'],
  'telemetry-otlp': [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  'telemetry-prometheus': ['prom-client'],
};

export type Import = {
  readonly specifier: string;
  readonly typeOnly: boolean;
};

/**
 * Why `file` may not have this import; null if it may. Both paths are relative to `src`, with `/`.
 * `target` is the imported file, null for a package.
 */
export function findViolation(file: string, target: string | null, imported: Import): string | null {
  const from = place(file);
  const layer = LAYERS.find((row) => row.name === from.layer);
  if (!layer) return `${file}: the folder ${from.layer} has no row in test/arch/layers.ts`;
  if (target === null) return findPackageViolation(file, from.adapter, layer, imported.specifier);
  const to = place(target);
  if (to.layer !== from.layer) {
    if (layer.imports.includes(to.layer)) return null;
    if (!layer.types.includes(to.layer))
      return `${file}: ${from.layer} may not import ${to.layer} (${imported.specifier})`;
    return imported.typeOnly
      ? null
      : `${file}: ${from.layer} may import only types of ${to.layer} (${imported.specifier})`;
  }
  if (from.adapter !== to.adapter) return `${file}: an adapter may not import another (${imported.specifier})`;
  return null;
}

function findPackageViolation(file: string, adapter: string | null, layer: Layer, specifier: string): string | null {
  if (specifier.startsWith('node:')) {
    return layer.packages.includes('node:')
      ? null
      : `${file}: ${layer.name} may not import modules of Node (${specifier})`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const allowed = adapter === null ? layer.packages : (DRIVERS[adapter] ?? []);
  return allowed.includes(name) ? null : `${file}: ${adapter ?? layer.name} may not import the package ${name}`;
}

/** Files that lie in `src` or in `src/adapter` itself belong to no layer and are refused by their missing row. */
function place(path: string): { layer: string; adapter: string | null } {
  const [first = '', second = '', third] = path.split('/');
  if (first !== 'adapter') return { layer: first, adapter: null };
  return third === undefined ? { layer: path, adapter: null } : { layer: first, adapter: second };
}

/** The table as a Mermaid diagram: an arrow is an import, a dotted one an import of types. */
export function drawLayers(): string {
  const boxes = LAYERS.map(({ name, task }) => `  ${name}["<b>${name}</b><br/>${task}"]`);
  const arrows = LAYERS.flatMap(({ name, imports, types }) => [
    ...imports.map((to) => `  ${name} --> ${to}`),
    ...types.map((to) => `  ${name} -.-> ${to}`),
  ]);
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'].join('\n');
}
