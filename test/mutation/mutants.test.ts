import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Breaking the code is the work of a night; that there is something to break is seen here. */
describe('mutants', () => {
  it('have names of their own', () => {
    const names = mutants.map(({ name }) => name);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('break a text that stands once in its file', () => {
    const texts = new Map<string, string>();
    const textOf = (file: string): string => {
      const path = join(ROOT, 'src', file);
      const text = texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
      texts.set(file, text);
      return text;
    };
    const places = mutants.map(({ name, file, from }) => ({ name, file, places: textOf(file).split(from).length - 1 }));
    expect(places.filter((found) => found.places !== 1)).toEqual([]);
    expect(mutants.filter(({ from, to }) => from === to)).toEqual([]);
  });

  it('name tests that are there', () => {
    const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
    expect(tests.filter((test) => !test.endsWith('.test.ts') || !existsSync(join(ROOT, test)))).toEqual([]);
    expect(mutants.filter((mutant) => mutant.tests.length === 0)).toEqual([]);
  });
});
