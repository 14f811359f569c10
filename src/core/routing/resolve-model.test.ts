import { describe, expect, it } from 'vitest';
import { makeModel } from '../../../test/kit/health-fixtures.ts';
import { matchesGlob } from './glob.ts';
import { nearestNames } from './next-names.ts';
import { resolveModel } from './resolve-model.ts';

const models = new Map(
  [
    makeModel([], { name: 'main', aliases: ['gpt-main', 'claude-*'] }),
    makeModel([], { name: 'small', aliases: ['claude-*haiku*', 'main-*'] }),
    makeModel([], { name: 'other', aliases: ['*'] }),
  ].map((model) => [model.name, model]),
);
const resolve = (name: string, fallback: string | null = null) => resolveModel(name, models, fallback)?.name;

describe('resolveModel', () => {
  it.each([
    ['main', 'main'],
    ['gpt-main', 'main'],
    ['claude-opus', 'main'],
    ['claude-3-haiku-2026', 'small'],
    ['main-2', 'small'],
    ['unheard-of', 'other'],
    ['claude-*', 'main'],
  ])('%s: %s', (name, expected) => expect(resolve(name)).toBe(expected));

  it('the default takes what nobody else does', () => {
    const strict = new Map([...models].filter(([name]) => name !== 'other'));
    expect(resolveModel('unheard-of', strict)).toBeNull();
    expect(resolveModel('unheard-of', strict, 'small')?.name).toBe('small');
    expect(resolveModel('gpt-main', strict, 'small')?.name).toBe('main');
  });
});

describe('matchesGlob', () => {
  it.each([
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'abcd', false],
    ['*', '', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['*b*b*', 'abcab', true],
    ['**x', 'yyx', true],
  ])('%s on %s: %s', (pattern, name, expected) => expect(matchesGlob(pattern, name)).toBe(expected));

  it('does not run away on hostile input', () => {
    expect(matchesGlob(`${'a*'.repeat(64)}b`, 'a'.repeat(20_000))).toBe(false);
  });
});

describe('nearestNames', () => {
  it('names what was probably meant, nearest first', () => {
    const names = ['claude-opus', 'gpt-5.6', 'gpt-5.6-mini', 'deepseek'];
    expect(nearestNames('gpt-5.5', names, 2)).toEqual(['gpt-5.6', 'gpt-5.6-mini']);
    expect(nearestNames('CLAUDE-OPUS', names, 1)).toEqual(['claude-opus']);
    expect(nearestNames('deep', names, 1)).toEqual(['deepseek']);
    expect(nearestNames('x'.repeat(1_000_000), names, 3)).toHaveLength(3);
    expect(nearestNames('x', [], 3)).toEqual([]);
  });
});
