import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { isBuilt, stampOf, writeStamp } = createRequire(import.meta.url)('../../bin/source-stamp.js') as {
  isBuilt: (root: string) => boolean;
  stampOf: (root: string) => string;
  writeStamp: (root: string, sources: string) => void;
};

let root = '';
const write = (file: string, text: string): void => writeFileSync(join(root, file), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'understudy-stamp-'));
  for (const folder of ['src', 'src/core', 'dist']) mkdirSync(join(root, folder));
  write('package.json', '{}');
  write('src/main.ts', '1');
  write('src/core/a.ts', '2');
  write('src/core/a.test.ts', '3');
  write('dist/main.js', 'built');
  writeStamp(root, stampOf(root));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a build', () => {
  const changes: readonly (readonly [what: string, change: () => void, isBuilt: boolean])[] = [
    ['nothing', () => {}, true],
    ['a test', () => write('src/core/a.test.ts', 'longer'), true],
    ['something beside', () => write('README.md', 'x'), true],
    ['a source', () => write('src/core/a.ts', 'longer'), false],
    ['a source that is as long, and older', () => utimesSync(join(root, 'src/core/a.ts'), 1, 1), false],
    ['a new source', () => write('src/b.ts', ''), false],
    ['a source that is gone', () => rmSync(join(root, 'src/main.ts')), false],
    ['the packages', () => write('package-lock.json', '{}'), false],
    ['a file of the build, which is cut short', () => write('dist/main.js', 'bui'), false],
    ['a file of the build, which is gone', () => rmSync(join(root, 'dist/main.js')), false],
    ['the build itself, which is gone', () => rmSync(join(root, 'dist'), { recursive: true }), false],
    ['all sources, which are gone as in a package', () => rmSync(join(root, 'src'), { recursive: true }), true],
  ];
  it.each(changes)('is of these sources when this has changed: %s', (_what, change, expected) => {
    change();
    expect(isBuilt(root)).toBe(expected);
  });
});
