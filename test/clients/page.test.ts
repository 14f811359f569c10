import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from './clients.ts';
import { COLUMNS, type Outcome, rowOf, rowsOf, tableOf, withTable } from './page.ts';

const page = readFileSync(new URL('../../docs/clients-tested.md', import.meta.url), 'utf8');
const chat = CLIENTS.get('openai-chat');

describe('docs/clients-tested.md', () => {
  it('has a row for every client that the runner knows, of the version that is installed, and no other', () => {
    const known = [...CLIENTS].map(([name, client]) => rowOf(name, client, []).slice(0, 2));
    expect(rowsOf(page).map((row) => row.slice(0, 2))).toEqual(known);
    expect(known.every(([, version]) => /^\d+\.\d+\.\d+$/.test(version ?? ''))).toBe(true);
  });

  it('has only rows of which nothing is broken or was left out', () => {
    const cells = rowsOf(page).flatMap((row) => row.slice(2));
    expect(cells).toHaveLength(CLIENTS.size * (COLUMNS.length - 2));
    expect(cells.filter((cell) => !/^(\w+: )?(whole|told)$|^(whole|told): .*; (whole|told): /.test(cell))).toEqual([]);
  });
});

describe('the table', () => {
  const outcome = (pair: Outcome['pair'], fault: Outcome['fault'], word: Outcome['word']): Outcome => ({
    name: 'openai-chat',
    pair,
    fault,
    word,
  });

  it('says one word where all agree, and else who does what', () => {
    const outcomes = [
      outcome('native', 'none', 'whole'),
      outcome('foreign', 'none', 'broken'),
      outcome('native', 'a-status', 'whole'),
      outcome('foreign', 'a-status', 'whole'),
      outcome('native', 'c-text', 'whole'),
      outcome('foreign', 'c-text', 'told'),
      outcome('foreign', 'c-call', 'told'),
      { ...outcome('native', 'b-cut', 'broken'), name: 'another' },
    ];
    if (chat === undefined) throw new Error('openai-chat is gone');
    expect(rowOf('openai-chat', chat, outcomes).slice(2)).toEqual([
      'Chat: whole',
      'Messages: broken',
      'whole',
      'not run',
      'whole: native text; told: foreign text, foreign call',
    ]);
  });

  it('goes into the page and comes out of it', () => {
    const rows = [COLUMNS.map((name) => `some ${name}`)];
    expect(rowsOf(withTable(page, tableOf(rows)))).toEqual(rows);
    expect(() => withTable('no place', '')).toThrow('no place');
  });
});
