import { describe, expect, it } from 'vitest';
import { ANSWER_AGE_MS, createAnswerMap } from './answer-map.ts';

const by = (route: string) => ({ route, target: 't', provider: 'p', credential: 'c', model: 'm', asked: 'm' });

describe('createAnswerMap', () => {
  it('keeps keys, kinds and their ids apart', () => {
    const map = createAnswerMap();
    map.set('response', 'r', 'ci', by('1'), 0);
    map.set('response', 'r', null, by('2'), 0);
    map.set('conversation', 'r', 'ci', by('3'), 0);
    expect(map.get('response', 'r', 'ci', 1)?.route).toBe('1');
    expect(map.get('response', 'r', null, 1)?.route).toBe('2');
    expect(map.get('conversation', 'r', 'ci', 1)?.route).toBe('3');
    expect(map.get('response', 'r', 'other', 1)).toBeNull();
    expect(map.get('response', 's', 'ci', 1)).toBeNull();
  });

  it('forgets by age since the answer, whatever was read meanwhile', () => {
    const map = createAnswerMap();
    map.set('response', 'r', null, by('1'), 0);
    expect(map.get('response', 'r', null, ANSWER_AGE_MS - 1)).not.toBeNull();
    expect(map.get('response', 'r', null, ANSWER_AGE_MS)).toBeNull();
    expect(map.size).toBe(0);
  });

  it('is bounded: what was unused longest goes, and long ids do not come in', () => {
    const map = createAnswerMap(2);
    map.set('response', 'a', null, by('1'), 0);
    map.set('response', 'b', null, by('1'), 1);
    map.get('response', 'a', null, 2);
    map.set('response', 'c', null, by('1'), 3);
    map.set('response', 'x'.repeat(257), null, by('1'), 4);
    map.set('response', '', null, by('1'), 4);
    const known = ['a', 'b', 'c'].filter((id) => map.get('response', id, null, 5) !== null);
    expect(known).toEqual(['a', 'c']);
    expect(map.size).toBe(2);
  });
});
