import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findImpurities, findLocalities } from './purity.ts';
import { listSources, readSource, SRC, TOP } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'understudy-purity-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function compile(...args: string[]): { ok: boolean; output: string } {
  const run = spawnSync(process.execPath, [join(TOP, 'node_modules/typescript/bin/tsc'), ...args], {
    encoding: 'utf8',
  });
  return { ok: run.status === 0, output: run.stdout + run.stderr };
}

describe('core', () => {
  it('compiles without Node, without a browser', () => {
    expect(compile('-p', join(SRC, 'core'), '--noEmit')).toEqual({ ok: true, output: '' });
  });

  it('would not compile with anything of theirs in it', () => {
    const probes = {
      timer: 'export const x = setTimeout(() => undefined, 1);',
      buffer: "export const x = Buffer.from('');",
      browser: 'export const x = document.title;',
      process: 'export const x = process.env;',
      console: 'console.log();',
      decoder: 'export const x = new TextDecoder();',
      clock: 'export const x = performance.now();',
      chance: 'export const x = crypto.randomUUID();',
      fetch: "export const x = fetch('');",
      module: "import { readFileSync } from 'node:fs'; export const x = readFileSync;",
    };
    for (const [name, code] of Object.entries(probes)) writeFileSync(join(folder, `${name}.ts`), code);
    writeFileSync(join(folder, 'pure.ts'), 'export const x = Math.max(1, 2);');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const options = { rootDir: '.', noEmit: true, composite: false, emitDeclarationOnly: false };
    const config = {
      extends: join(SRC, 'core/tsconfig.json'),
      compilerOptions: options,
      include: ['*.ts'],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { output } = compile('-p', folder);
    const red = [...output.matchAll(/([a-z]+)\.ts\(\d+,\d+\): error/g)].flatMap((match) => match[1] ?? []);
    expect([...new Set(red)].sort()).toEqual(Object.keys(probes).sort());
  });

  it('does not depend on the machine’s language or time zone', () => {
    const files = listSources(join(SRC, 'core'));
    expect(files.flatMap((file) => findLocalities(readSource(file)).map((found) => `${file}:${found}`))).toEqual([]);
    expect(
      findLocalities('date.getHours(); n.toLocaleString(); Intl.DateTimeFormat(); date.getUTCHours();'),
    ).toHaveLength(3);
  });
});

describe('time and chance', () => {
  it('are read in adapter and app alone', () => {
    const files = listSources(SRC).filter((file) => !/^(adapter|app)\//.test(file));
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap((file) => findImpurities(readSource(file)).map((found) => `${file}:${found}`))).toEqual([]);
  });

  it.each([
    'Date.now()',
    "Date['now']()",
    'Date[name]()',
    'Date?.now()',
    'new Date()',
    'new Date',
    'Date()',
    'const { now } = Date',
    'const D = Date',
    'let D; D = Date',
    'globalThis.Date.now()',
    'new globalThis.Date()',
    'Math.random()',
    'const { random } = Math',
    'list.sort(Math.random)',
  ])('%s is found', (code) => {
    expect(findImpurities(`function f(list: any, name: any) { ${code}; }`)).toEqual([expect.stringMatching(/^1: /)]);
  });

  it.each([
    'new Date(at)',
    'Date.parse(text)',
    'Date.UTC(2026, 0)',
    'Math.max(1, 2)',
    'x instanceof Date',
    'clock.now()',
  ])('%s is fine', (code) => {
    expect(findImpurities(`const y: Date = ${code};`)).toEqual([]);
  });
});
