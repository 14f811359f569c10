import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeTables } from './feature-table.ts';
import { FEATURES } from './features.ts';

const PAGE = new URL('../../docs/protocols.md', import.meta.url);

/** `UPDATE_GENERATED=1 npx vitest run test/protocols` writes what is generated. */
const isUpdate = process.env['UPDATE_GENERATED'] === '1';

const BLOCK = /(<!-- translation:tables -->\n)[\s\S]*(<!-- \/translation:tables -->)/;

it('docs/protocols.md prints what the code does', () => {
  const page = readFileSync(PAGE, 'utf8');
  const written = page.replace(BLOCK, (_all, open: string, close: string) => `${open}\n${writeTables()}\n\n${close}`);
  expect(BLOCK.test(page)).toBe(true);
  if (isUpdate) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});

it('has a row for each thing that a client can ask for', () => {
  expect(new Set(FEATURES.map(({ name }) => name)).size).toBe(FEATURES.length);
  expect(FEATURES.length).toBeGreaterThanOrEqual(40);
});
