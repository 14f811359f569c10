import { stripVTControlCharacters, styleText } from 'node:util';
import { describe, expect, it } from 'vitest';
import { wrapProse } from './prose.ts';

const paint = (text: string): string => styleText('cyan', text, { validateStream: false });
const WORDS = 'put a valid key into ANTHROPIC_API_KEY (providers.anthropic), or take the provider out of the file';

describe('prose', () => {
  it('is broken between words alone, below its own words', () => {
    const wrapped = wrapProse(`                    → ${WORDS}`, 80).split('\n');
    expect(wrapped.length).toBeGreaterThan(1);
    for (const line of wrapped) expect(line.length).toBeLessThanOrEqual(80);
    for (const line of wrapped.slice(1)) expect(line).toMatch(/^ {22}\S/);
    expect(wrapped.map((line) => line.replace(/^ *(→ )?/, '')).join(' ')).toBe(WORDS);
  });

  it('takes paint for no width, and leaves what fits as it is', () => {
    const short = `  ${paint('!')} ${paint('twelve words')}`;
    expect(wrapProse(short, 20)).toBe(short);
    const wrapped = wrapProse(`  ${paint('!')} ${paint(WORDS)}`, 40);
    const plain = stripVTControlCharacters(wrapped).split('\n');
    for (const line of plain) expect(line.length).toBeLessThanOrEqual(40);
    for (const line of plain.slice(1)) expect(line).toMatch(/^ {4}\S/);
  });

  it('keeps lines apart that were apart, and an address whole', () => {
    const url = 'http://a-host-with-a-long-name.example.test:41800/v1/chat/completions';
    expect(wrapProse(`one\n\nNo gateway answers at ${url}.`, 40)).toBe(`one\n\nNo gateway answers at\n${url}.`);
  });

  it('goes on where it is told to', () => {
    expect(wrapProse('title   one two three four five six', 24, 8)).toBe(
      'title   one two three\n        four five six',
    );
  });
});
