import { expect, it } from 'vitest';
import { failureOfRow } from './failure-of-row.ts';

it('says what the table says', () => {
  expect(failureOfRow('no_output', 'nothing')).toMatchObject({
    row: 'no_output',
    outcome: 'empty_completion',
    scope: 'route',
    weight: 0.5,
    reason: 'nothing',
  });
});

it('knows no other rows', () => {
  expect(() => failureOfRow('nothing', '')).toThrow('nothing');
});
