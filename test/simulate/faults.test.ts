import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS } from './faults/index.ts';

const SRC = resolve(import.meta.dirname, '../../src');

/** Playing worlds with each is the work of a night (`npm run simulate:mutants`); that there is something to break is seen here. */
it('each fault has a name of its own, and breaks a text of core, engine, prober or translation that stands once in its file', () => {
  const names = FAULTS.map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  const wrong = FAULTS.filter(({ file, from, to }) => {
    const path = join(SRC, file);
    const places = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0;
    return places !== 1 || from === to || !/^(?:core|engine|prober|protocol\/translate)\//.test(file);
  });
  expect(wrong.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  expect(FAULTS.length).toBeGreaterThanOrEqual(30);
});
