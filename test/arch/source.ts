import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import type { Import } from './layers.ts';

/** The top of the repository. */
export const TOP = fileURLToPath(new URL('../..', import.meta.url));
export const SRC = join(TOP, 'src');

/** A node of a syntax tree: what all of them have, the rest is looked at by name. */
export type SyntaxNode = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

export const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Source files under a folder, without tests, in order; paths relative to `from`, with `/`. */
export function listSources(folder: string, from: string = SRC): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !isTest(entry.name))
    .map((entry) => relative(from, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export const readSource = (path: string): string => readFileSync(join(SRC, path), 'utf8');

/** Every node of a TypeScript source. Throws when it does not parse. */
export function listNodes(code: string): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    } else if (isNode(value)) {
      nodes.push(value);
      for (const child of Object.values(value)) visit(child);
    }
  };
  visit(parseAst(code, { lang: 'ts' }));
  return nodes;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export const lineOf = (code: string, offset: number): number => code.slice(0, offset).split('\n').length;

/** What a source imports, re-exports, loads while running (`import()`, `require`) or names in a type. */
export function listImports(code: string): Import[] {
  return listNodes(code).flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return [];
    return [{ specifier, typeOnly: isTypeOnly(node) }];
  });
}

const WITH_SOURCE = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
];

/** A computed `import(x)` has no text to check: it is told as `(computed)`, which no table allows. */
function specifierOf(node: SyntaxNode): string | undefined {
  if (WITH_SOURCE.includes(node.type)) {
    return isNode(node['source']) ? textOf(node['source']) : undefined;
  }
  if (node.type === 'TSExternalModuleReference') return textOf(node['expression']);
  if (node.type === 'CallExpression' && isNode(node['callee']) && node['callee']['name'] === 'require') {
    const [first] = Array.isArray(node['arguments']) ? node['arguments'] : [];
    return textOf(first);
  }
  return undefined;
}

const textOf = (node: unknown): string =>
  isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : '(computed)';

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType') return true;
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true;
  // `import { type A } from 'b'` still loads b under verbatimModuleSyntax, so it counts as an import of values.
  return false;
}

/** The file that a relative specifier names, relative to `src`; null for a package. */
export function resolveImport(file: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  return join(dirname(file), specifier).split(sep).join('/');
}
