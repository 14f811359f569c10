import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOP } from './source.ts';

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

const wanted = ['package.json', 'tools/node-runtime/package.json', 'dashboard/package.json'].flatMap((file) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(TOP, file), 'utf8'));
  return KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}));
});

/** Rows of the tables of docs/dependencies.md: | `name` | what for | why this one | what else was weighed | */
const rows = readFileSync(join(TOP, 'docs/dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, names = '', ...cells]) => ({
    names: [...names.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1] ?? []),
    cells,
  }));

describe('dependencies', () => {
  it('have exact versions', () => {
    expect(wanted.length).toBeGreaterThan(5);
    expect(wanted.filter(([, version]) => !EXACT.test(version)).map((pair) => pair.join('@'))).toEqual([]);
  });

  it('have a line of reasons each, and no line is left of one that went', () => {
    const told = rows.flatMap((row) => row.names).sort();
    expect(told).toEqual(wanted.map(([name]) => name).sort());
  });

  it('say what for, why this one, what else was weighed', () => {
    for (const { names, cells } of rows) {
      expect(
        cells.slice(0, 3).filter((cell) => cell.length > 2),
        String(names),
      ).toHaveLength(3);
    }
  });
});
