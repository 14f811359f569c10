import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { TOP } from './source.ts';

const PROBES: Readonly<Record<string, string>> = {
  time: 'export const x = Date.now();',
  hires: 'export const x = performance.now();',
  chance: 'export const x = Math.random();',
  timer: 'export const x = setTimeout(() => undefined, 1);',
  process: 'export const x = process.env;',
  console: "console.log('');",
  fetch: "export const x = fetch('');",
  stream: 'export const x = new ReadableStream();',
  node: "import { hostname } from 'node:os'; export const x = hostname;",
  any: 'export const x = (y: any): unknown => y;',
  default: 'export default 1;',
  fine: 'export const x = Math.max(1, 2);',
};

const ALWAYS = ['any', 'default', 'fetch', 'stream'];
const OUTSIDE = [...ALWAYS, 'chance', 'console', 'hires', 'process', 'time', 'timer'];

/** Which probes each folder refuses. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'src/core/x': [...OUTSIDE, 'node'],
  'src/protocol/x': [...OUTSIDE, 'node'],
  'src/provider': [...OUTSIDE, 'node'],
  'src/port': [...OUTSIDE, 'node'],
  'src/engine': [...OUTSIDE, 'node'],
  'src/config': OUTSIDE,
  'src/server': OUTSIDE,
  'src/management/handlers': OUTSIDE,
  'src/cli/command': [...ALWAYS, 'chance', 'hires', 'time', 'timer'],
  'src/app': ALWAYS,
  'src/adapter/x': ALWAYS,
  'test/kit': ['any', 'default'],
};

const folder = mkdtempSync(join(tmpdir(), 'understudy-bans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('each folder refuses what it must not touch', () => {
  cpSync(join(TOP, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  symlinkSync(join(TOP, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const place of Object.keys(REFUSED)) {
    for (const [name, code] of Object.entries(PROBES)) {
      const file = join(folder, place, `${name}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    }
  }
  const command = [join(TOP, 'node_modules/oxlint/bin/oxlint'), '--format', 'unix', '--deny-warnings'];
  const { stdout } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  const hits = [...stdout.matchAll(/^(.+)\/(\w+)\.ts:\d+:\d+: /gm)];
  const found = Object.keys(REFUSED).map((place) => [
    place,
    [...new Set(hits.flatMap(([, at = '', name = '']) => (at.endsWith(place) ? name : [])))].sort(),
  ]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(REFUSED).map(([place, names]) => [place, names.toSorted()])),
  );
});
