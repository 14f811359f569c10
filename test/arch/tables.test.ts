import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER_RULES, OUTCOME_CLASS } from '../../src/core/failure/answer-class.ts';
import { OUTCOMES, type Outcome } from '../../src/core/failure/outcome.ts';
import { readBlock, writeBlock } from '../../tools/blocks.ts';
import { printPages } from '../../tools/tables.ts';
import { TOP } from './source.ts';

const read = (page: string): string => readFileSync(join(TOP, page), 'utf8');

describe('the tables in the docs', () => {
  const blocks = printPages().flatMap(({ page, blocks: printed }) => printed.map((block) => ({ page, ...block })));

  it.each(blocks)('$name of $page is the one in the code', ({ page, name, text }) => {
    expect(text.split('\n').length).toBeGreaterThan(10);
    expect(readBlock(read(page), name), '`npm run tables -- --write` writes it anew').toBe(text);
  });
});

describe('the outcome words in docs/errors.md', () => {
  const block = readBlock(read('docs/errors.md'), 'outcomes:words') ?? '';
  const rows = [...block.matchAll(/^\| `(\w+)` \| (.+) \| (?:`(\w+)`|–) \|$/gm)].map(([, word, meaning, code]) => ({
    word: word as Outcome,
    meaning,
    code: code ?? null,
  }));

  it('are all of them, in order, each with a line', () => {
    expect(rows.map(({ word }) => word)).toEqual(OUTCOMES);
    expect(new Set(rows.map(({ meaning }) => meaning)).size).toBe(OUTCOMES.length);
    expect(block.trim().split('\n')).toHaveLength(OUTCOMES.length + 2);
  });

  it('lead to the codes that clients get', () => {
    const told = (word: Outcome) => {
      const decided = OUTCOME_CLASS[word];
      return decided === undefined ? null : ANSWER_RULES[decided].code;
    };
    // Those that no class of the table of errors holds are told by rules of their own.
    const own: { readonly [O in Outcome]?: string } = {
      interrupted: 'stream_interrupted',
      outcome_unknown: 'outcome_unknown',
      incompatible_history: 'previous_response_not_found',
      bad_request: 'invalid_request_error',
    };
    expect(rows.map(({ word, code }) => [word, code])).toEqual(OUTCOMES.map((word) => [word, own[word] ?? told(word)]));
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
