import { describe, expect, it } from 'vitest';
import { FAULTS } from './faults.ts';
import { judge } from './judge.ts';
import type { Seen } from './provider.ts';
import type { Run } from './run-client.ts';
import { LAST_WORDS } from './script.ts';

const fine: Run = { code: 0, out: `${LAST_WORDS}\n`, err: '', ms: 900, traces: 1 };
const broke: Run = { code: 1, out: '', err: 'error: terminated', ms: 900, traces: 0 };
const saw = (first: number, second: number, strikes: number, refused: readonly string[] = []): Seen => ({
  first,
  second,
  aside: 0,
  strikes,
  refused,
  bodies: [],
});

describe('a cell is fine', () => {
  it.each([
    ['nothing fails', fine, saw(2, 0, 0), FAULTS.none, 'whole'],
    ['a target refuses, and the other answers', fine, saw(1, 2, 1), FAULTS['a-status'], 'whole'],
    ['it refuses both steps', fine, saw(2, 2, 2), FAULTS['b-cut'], 'whole'],
    ['a client asks again behind output', fine, saw(3, 0, 1), FAULTS['c-text'], 'whole'],
    ['a client says so', broke, saw(1, 0, 1), FAULTS['c-call'], 'told'],
    ['a client says so and ends well', { ...broke, code: 0 }, saw(1, 0, 1), FAULTS['c-call'], 'told'],
  ] as const)('when %s', (_, run, seen, plan, word) => {
    expect(judge(run, seen, plan)).toEqual({ word, faults: [] });
  });
});

describe('a cell is broken', () => {
  it.each([
    ['it did not end', { ...fine, code: null }, saw(2, 0, 0), FAULTS.none, 'did not end'],
    ['its tool ran twice', { ...fine, traces: 2 }, saw(3, 0, 1), FAULTS['c-call'], 'ran 2 times'],
    ['its tool never ran', { ...fine, traces: 0 }, saw(2, 0, 0), FAULTS.none, 'ran 0 times'],
    ['its tool ran, and then it gave up', { ...broke, traces: 1 }, saw(1, 0, 1), FAULTS['c-call'], 'ended with 1'],
    ['the words came twice', { ...fine, out: fine.out.repeat(2) }, saw(2, 0, 0), FAULTS.none, 'printed 2 times'],
    ['it ended in an error', { ...fine, code: 3 }, saw(2, 0, 0), FAULTS.none, 'ended with 3'],
    ['it noticed what came before output', broke, saw(1, 0, 1), FAULTS['b-error'], 'printed 0 times'],
    ['it stopped in silence', { ...broke, code: 0, err: '' }, saw(1, 0, 1), FAULTS['c-text'], 'printed 0 times'],
    ['the fault was never played', fine, saw(2, 0, 0), FAULTS['c-text'], 'never played'],
    ['it asked again before output', fine, saw(1, 3, 1), FAULTS['a-status'], 'got 3 requests'],
    ['the first target was asked again and again', fine, saw(3, 2, 3), FAULTS['a-status'], 'failed 3 times'],
    ['it stormed', fine, saw(13, 0, 1), FAULTS['c-text'], '13 requests'],
    ['a vendor would refuse', fine, saw(2, 0, 0, ['no max_tokens']), FAULTS.none, 'refused: no max_tokens'],
  ] as const)('when %s', (_, run, seen, plan, fault) => {
    const verdict = judge(run, seen, plan);
    expect(verdict.word).toBe('broken');
    expect(verdict.faults.join('\n')).toContain(fault);
  });

  it('when it had to do without what is tested', () => {
    const run = { ...fine, err: 'falling back to HTTP' };
    expect(judge(run, saw(2, 0, 0), FAULTS.none, { forbidden: /falling back/ }).faults).toEqual([
      'it says: falling back',
    ]);
  });
});
