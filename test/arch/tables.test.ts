import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBlock, writeBlock } from '../../tools/blocks.ts';
import { printTables, TABLES_PAGE } from '../../tools/tables.ts';
import { TOP } from './source.ts';

describe('the tables in the docs', () => {
  const page = readFileSync(join(TOP, TABLES_PAGE), 'utf8');

  it.each(printTables())('$name is the one in the code', ({ name, text }) => {
    expect(text.split('\n').length).toBeGreaterThan(10);
    expect(readBlock(page, name), '`npm run tables -- --write` writes it anew').toBe(text);
  });
});

describe('a block', () => {
  const page = 'a\n<!-- table:x -->\nold\n<!-- /table -->\nb\n<!-- table:y -->\n\n<!-- /table -->\n';

  it('is read and replaced between its markers', () => {
    expect(readBlock(page, 'table:x')).toBe('old');
    expect(writeBlock(page, { name: 'table:x', text: '$& new' })).toBe(page.replace('old', () => '$& new'));
    expect(readBlock(writeBlock(page, { name: 'table:y', text: 'y' }), 'table:y')).toBe('y');
  });

  it('must be there', () => {
    expect(readBlock(page, 'table:z')).toBeNull();
    expect(() => writeBlock(page, { name: 'table:z', text: '' })).toThrow('table:z');
  });
});
