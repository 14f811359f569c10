import { describe, expect, it } from 'vitest';
import {
  countBySplit,
  EXCEPTIONS,
  findMissing,
  findNeedless,
  isSpoken,
  loadCases,
  PINNED,
  type Played,
  SPLITS,
  selectCases,
} from './select.ts';

const cases = loadCases();
const chat = { protocol: 'openai-chat' };

describe('the cases that must pass', () => {
  it('are as many as are pinned, in every split', () => {
    expect(countBySplit(cases)).toEqual(PINNED);
  });

  it('leave out only what the exceptions name, with a reason', () => {
    const spoken = cases.filter(isSpoken).map((each) => each.id);
    expect(Object.keys(EXCEPTIONS).filter((id) => !spoken.includes(id))).toEqual([]);
    expect(Object.values(EXCEPTIONS).filter((reason) => reason.length < 20)).toEqual([]);
    expect(selectCases(cases)).toHaveLength(spoken.length - Object.keys(EXCEPTIONS).length);
  });

  it('are judged by the path of every step', () => {
    const request = { path: '/v1/chat/completions' };
    const config = { targets: [chat] };
    expect(isSpoken({ id: 'a', config, request, after: [{ request: {} }, {}] })).toBe(true);
    expect(isSpoken({ id: 'a', config, request: { path: '/v1/messages?beta=1' } })).toBe(true);
    expect(isSpoken({ id: 'a', config, request: { path: '/v1/unknown' } })).toBe(false);
    expect(isSpoken({ id: 'a', config, request, before: [{ request: { path: '/v1/embeddings' } }] })).toBe(false);
  });
});

describe('a run', () => {
  const all: readonly Played[] = cases
    .filter(({ id }) => selectCases(cases).includes(id))
    .flatMap(({ id, splits = SPLITS }) => splits.map((split): Played => ({ id, split, status: 'pass' })));

  it('that plays every case is whole, whatever the outcome', () => {
    expect(findMissing(all, SPLITS)).toEqual([]);
    expect(
      findMissing(
        all.map((each) => ({ ...each, status: 'fail' })),
        SPLITS,
      ),
    ).toEqual([]);
    expect(
      findMissing(
        all.filter(({ split }) => split === 'whole'),
        ['whole'],
      ),
    ).toEqual([]);
  });

  it('that misses one case in one split, or could not play it, is not', () => {
    const [first, ...rest] = all as readonly [Played, ...Played[]];
    expect(findMissing(rest, SPLITS)).toHaveLength(1);
    expect(findMissing([{ ...first, status: 'not-runnable' }, ...rest], SPLITS)).toHaveLength(1);
  });

  it('needs no exception for a case that passes in a split', () => {
    const id = Object.keys(EXCEPTIONS)[0] as string;
    const played = (...marks: readonly Played['status'][]): Played[] =>
      marks.map((status, i) => ({ id, split: SPLITS[i] as string, status }));
    expect(findNeedless(played('fail', 'fail', 'pass'))).toEqual([id]);
    expect(findNeedless(played('fail', 'not-runnable', 'fail'))).toEqual([]);
    expect(findNeedless([])).toEqual([]);
  });
});
