import { describe, expect, it } from 'vitest';
import { readDocument } from './document.ts';

const problemsOf = (text: string): readonly string[] =>
  readDocument(text, (value) => ({ ok: true, value })).problems?.map(({ message }) => message) ?? [];

describe('what a document may hold', () => {
  const nested = (levels: number): string => `a: ${'['.repeat(levels)}${']'.repeat(levels)}`;
  const bomb = Array.from(
    { length: 8 },
    (_, n) =>
      `k${n}: &a${n} [${Array<string>(9)
        .fill(n === 0 ? '1' : `*a${n - 1}`)
        .join()}]`,
  );

  it.each([
    ['levels', nested(60), []],
    ['too many levels', nested(100), ['this is nested deeper than 64 levels']],
    ['more than the parser can go down', nested(20_000), ['this is nested deeper than 64 levels']],
    ['an anchor that holds itself', 'a: &x [*x]', ['this is nested deeper than 64 levels']],
    ['aliases that unfold to millions', bomb.join('\n'), ['the file holds more than 50000 values']],
  ])('%s', (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});
