import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '../../../src/management/contract.ts';
import { draftOf, entryOf, moved } from './draft-model.ts';

const entry = (config: ModelEntry['config'], strategy = 'failover'): ModelEntry => ({
  name: 'main',
  aliases: [],
  default: false,
  strategy,
  targets: ['a/one', 'b/two'],
  settings: {},
  config,
});

describe('entryOf', () => {
  it.each<ModelEntry['config']>([
    { targets: ['a/one', 'b/two'] },
    { strategy: 'failover', targets: ['a/one'] },
    { targets: [{ provider: 'a', model: 'one', weight: 1, tier: 0, timeouts: { idle: '2s' } }], aliases: ['x'] },
    { targets: [{ from: 'a', match: 'gpt-*' }, 'b/two'], retry: { maxAttempts: 3 } },
  ])('gives back what nobody has changed: %j', (config) => {
    const given = entry(config);
    expect(entryOf(given, draftOf(given))).toEqual(config);
  });

  it('writes weight and tier where they are said, and keeps all else', () => {
    const given = entry({
      targets: ['a/one', { provider: 'b', model: 'x/two', timeouts: { idle: '2s' } }],
      aliases: ['x'],
    });
    const draft = draftOf(given);
    const [one, two] = draft.targets;
    if (one === undefined || two === undefined) throw new Error('two targets');
    expect(
      entryOf(given, {
        strategy: 'weighted',
        targets: [
          { ...two, tier: 1 },
          { ...one, weight: 3 },
        ],
      }),
    ).toEqual({
      strategy: 'weighted',
      targets: [
        { provider: 'b', model: 'x/two', timeouts: { idle: '2s' }, tier: 1 },
        { provider: 'a', model: 'one', weight: 3 },
      ],
      aliases: ['x'],
    });
  });

  it('takes the targets that serve where no file says any', () => {
    expect(draftOf(entry(null)).targets.map(({ id }) => id)).toEqual(['a/one', 'b/two']);
  });
});

describe('moved', () => {
  it.each([
    [0, 2, ['b', 'c', 'a']],
    [2, 0, ['c', 'a', 'b']],
    [1, 1, ['a', 'b', 'c']],
    [0, 3, ['a', 'b', 'c']],
    [3, 0, ['a', 'b', 'c']],
    [0, -1, ['a', 'b', 'c']],
  ])('from %d to %d', (from, to, list) => expect(moved(['a', 'b', 'c'], from, to)).toEqual(list));
});
