import { describe, expect, it } from 'vitest';
import type { Issuer } from '../core/routing/affinity-state.ts';
import { ANSWER_AGE_MS, createAnswerMap } from './answer-map.ts';

const by = (route: string) => ({
  route,
  target: 't',
  provider: 'p',
  credential: 'c',
  account: 'x',
  model: 'm',
  asked: 'm',
});

describe('createAnswerMap', () => {
  it('tells an own id, one of another key and one that nobody gave', () => {
    const map = createAnswerMap();
    map.set('response', 'r', 'ci', by('1'), 0);
    map.set('conversation', 'r', null, by('2'), 0);
    expect(map.get('response', 'r', 'ci', 1)).toEqual({ whose: 'mine', issuer: by('1') });
    expect(map.get('conversation', 'r', null, 1)).toEqual({ whose: 'mine', issuer: by('2') });
    expect(map.get('response', 'r', 'other', 1)).toEqual({ whose: 'foreign' });
    expect(map.get('response', 'r', null, 1)).toEqual({ whose: 'foreign' });
    expect(map.get('conversation', 'r', 'ci', 1)).toEqual({ whose: 'foreign' });
    expect(map.get('response', 's', 'ci', 1)).toEqual({ whose: 'unknown' });
    expect(map.get('response', 'x'.repeat(257), 'ci', 1)).toEqual({ whose: 'unknown' });
  });

  it.each<[string, string | null, Partial<Issuer>]>([
    ['another key', 'other', {}],
    ['nobody in particular', null, {}],
    ['its owner, by another provider', 'ci', { provider: 'other' }],
    ['its owner, by another credential', 'ci', { credential: 'other' }],
    ['its owner, by another account', 'ci', { account: 'other' }],
    ['another key, by another provider', 'other', { provider: 'other' }],
  ])('leaves an id to its first owner, whoever is given it then: %s', (_whom, key, change) => {
    const map = createAnswerMap();
    const later = { ...by('2'), ...change };
    map.set('response', 'r', 'ci', by('1'), 0);
    map.set('response', 'r', key, later, 1);
    expect(map.get('response', 'r', 'ci', 2)).toEqual({ whose: 'mine', issuer: by('1') });
    if (key !== 'ci') expect(map.get('response', 'r', key, 2)).toEqual({ whose: 'foreign' });
    expect(map.size).toBe(1);
    map.set('response', 'r', key, later, ANSWER_AGE_MS);
    expect(map.get('response', 'r', key, ANSWER_AGE_MS + 1)).toEqual({ whose: 'mine', issuer: later });
    expect(map.size).toBe(1);
  });

  it('renews what its owner is given again by the same account, on whatever route', () => {
    const map = createAnswerMap();
    map.set('response', 'r', 'ci', by('1'), 0);
    map.set('response', 'r', 'ci', by('2'), ANSWER_AGE_MS - 1);
    expect(map.get('response', 'r', 'ci', ANSWER_AGE_MS + 1)).toEqual({ whose: 'mine', issuer: by('2') });
  });

  it('forgets by age since the answer, whatever was read meanwhile', () => {
    const map = createAnswerMap();
    map.set('response', 'r', null, by('1'), 0);
    expect(map.get('response', 'r', null, ANSWER_AGE_MS - 1).whose).toBe('mine');
    expect(map.get('response', 'r', 'ci', ANSWER_AGE_MS).whose).toBe('unknown');
    expect(map.size).toBe(0);
  });

  const known = (map: ReturnType<typeof createAnswerMap>, key: string | null, ids: readonly string[]) =>
    ids.filter((id) => map.get('response', id, key, 9).whose === 'mine');

  it('is bounded: what was unused longest goes, and long ids do not come in', () => {
    const map = createAnswerMap(2);
    map.set('response', 'a', null, by('1'), 0);
    map.set('response', 'b', null, by('1'), 1);
    map.get('response', 'a', null, 2);
    map.get('response', 'b', 'ci', 2);
    map.set('response', 'c', null, by('1'), 3);
    map.set('response', 'x'.repeat(257), null, by('1'), 4);
    map.set('response', '', null, by('1'), 4);
    expect(known(map, null, ['a', 'b', 'c'])).toEqual(['a', 'c']);
    expect(map.size).toBe(2);
  });

  it('no key pushes out what another has, which has fewer', () => {
    const map = createAnswerMap(4);
    for (const id of ['a', 'b']) map.set('response', id, 'quiet', by('1'), 0);
    for (let n = 0; n < 100; n++) map.set('response', `n${n}`, 'loud', by('1'), 1);
    expect(known(map, 'quiet', ['a', 'b'])).toEqual(['a', 'b']);
    expect(known(map, 'loud', ['n97', 'n98', 'n99'])).toEqual(['n98', 'n99']);
    map.set('response', 'c', 'third', by('1'), 2);
    expect(map.size).toBe(4);
    expect(known(map, 'third', ['c'])).toEqual(['c']);
    // Nor with ids that another one has.
    for (const id of ['b', 'c']) map.set('response', id, 'loud', by('1'), 3);
    expect([known(map, 'quiet', ['b']), known(map, 'third', ['c'])]).toEqual([['b'], ['c']]);
  });
});
