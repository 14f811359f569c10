import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBlock } from '../../tools/blocks.ts';
import { drawLayers, findViolation, LAYERS } from './layers.ts';
import { listImports, listSources, readSource, resolveImport, SRC, TOP } from './source.ts';

const check = (file: string, code: string): string[] =>
  listImports(code).flatMap((found) => findViolation(file, resolveImport(file, found.specifier), found) ?? []);

describe('who may import whom', () => {
  it('holds for every source file', () => {
    const files = listSources(SRC);
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap((file) => check(file, readSource(file)))).toEqual([]);
  });

  it('has a row for every folder of src', () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name).filter((name) => !LAYERS.some((row) => row.name === name))).toEqual([]);
  });

  it('names only layers that have a row, and has no circle', () => {
    const names = LAYERS.map((row) => row.name);
    expect(LAYERS.flatMap((row) => [...row.imports, ...row.types]).filter((name) => !names.includes(name))).toEqual([]);
    const left = new Map(LAYERS.map((row) => [row.name, new Set([...row.imports, ...row.types])]));
    for (let size = -1; size !== left.size; ) {
      size = left.size;
      for (const [name, needs] of left) {
        if ([...needs].every((need) => !left.has(need))) left.delete(name);
      }
    }
    expect([...left.keys()]).toEqual([]);
  });

  it.each([
    ['core/a/b.ts', "import { x } from '../../port/clock.ts';", 'core may not import port'],
    ['core/a.ts', "export * from '../engine/index.ts';", 'core may not import engine'],
    ['core/a.ts', "export { x } from '../protocol/types.ts';", 'core may not import protocol'],
    ['core/a.ts', "const x = await import('../port/clock.ts');", 'core may not import port'],
    ['core/a.ts', "type X = import('../port/clock.ts').Clock;", 'core may not import port'],
    ['core/a.ts', "import type { Clock } from '../port/clock.ts';", 'core may not import port'],
    ['core/a.ts', "import { readFileSync } from 'node:fs';", 'may not import modules of Node'],
    ['core/a.ts', "import { z } from 'zod';", 'core may not import the package zod'],
    ['core/a.ts', 'const x = await import(name);', 'may not import the package (computed)'],
    ['protocol/sse/a.ts', "import { x } from '../../provider/registry.ts';", 'protocol may not import provider'],
    ['engine/a.ts', "import { x } from '../provider/registry.ts';", 'only types of provider'],
    ['engine/a.ts', "import { type X } from '../provider/registry.ts';", 'only types of provider'],
    ['engine/a.ts', "import { x } from '../adapter/http-undici/index.ts';", 'engine may not import adapter'],
    ['config/a.ts', "import { x } from '../port/secrets.ts';", 'only types of port'],
    ['adapter/a/b.ts', "import { x } from '../c/d.ts';", 'an adapter may not import another'],
    ['adapter/a/b.ts', "import { Pool } from 'undici';", 'a may not import the package undici'],
    ['adapter/a/b.ts', "import { x } from '../../engine/index.ts';", 'adapter may not import engine'],
    ['adapter/a.ts', "import { x } from '../core/a.ts';", 'the folder adapter/a.ts has no row'],
    ['cli/a.ts', "import { x } from '../engine/index.ts';", 'cli may not import engine'],
    ['server/a.ts', "import { x } from '../app/wire.ts';", 'server may not import app'],
    ['app/a.ts', "import { x } from '../cli/main.ts';", 'app may not import cli'],
    ['new/a.ts', "import { x } from '../core/a.ts';", 'the folder new has no row'],
  ])('is red for %s with %s', (file, code, reason) => {
    expect(check(file, code)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ['core/a/b.ts', "import { x } from '../c/d.ts';"],
    ['engine/a.ts', "import type { X } from '../provider/types.ts';"],
    ['adapter/http-undici/pool.ts', "import { Pool } from 'undici'; import { x } from './a.ts'; import 'node:zlib';"],
    ['app/wire.ts', "import { x } from '../adapter/http-undici/index.ts';"],
  ])('is green for %s with %s', (file, code) => {
    expect(check(file, code)).toEqual([]);
  });

  it('is what ARCHITECTURE.md draws', () => {
    const page = readFileSync(join(TOP, 'ARCHITECTURE.md'), 'utf8');
    expect(readBlock(page, 'layers'), '`npm run layers -- --write` draws it anew').toBe(drawLayers());
  });
});
