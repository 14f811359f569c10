import { describe, expect, it } from 'vitest';
import { clock, err, event, finish, http, invalid } from '../../../test/kit/failure-signals.ts';
import { classify } from './classify.ts';
import { FAILURE_TABLE } from './table.ts';

describe('failure table', () => {
  it('says in the columns what the effects do', () => {
    expect(FAILURE_TABLE).toHaveLength(27);
    expect(new Set(FAILURE_TABLE.map((row) => row.id)).size).toBe(27);
    for (const { id, match, effect, columns } of FAILURE_TABLE) {
      const effects = match.map((clause) => ({ ...effect, ...clause.but }));
      for (const { outcome } of effects) expect(columns.outcome.replace('timeout_*', outcome), id).toContain(outcome);
      const weights = new Set(effects.map((each) => each.weight));
      for (const [weight, sign] of [
        [0, '–'],
        [0.5, '½'],
        [1, '1'],
        [2, '2'],
      ] as const) {
        expect(columns.circuit.includes(sign), `${id} ${sign}`).toBe(weights.has(weight));
      }
      expect(columns.beforeCommit.includes('stop'), id).toBe(effects.some((each) => each.onward === 'stop'));
      expect(columns.beforeCommit.includes('*again*'), id).toBe(effects.some((each) => each.again !== false));
      expect(columns.hold.includes('told'), id).toBe(
        effects.some(({ hold }) => hold === 'quota' || hold === 'rate_limited' || hold === 'told_only'),
      );
      if (effect.scope !== 'none')
        expect(columns.scope, id).toContain(id === 'rate_limited' ? 'credential+model' : effect.scope);
    }
  });

  it('asks the rows of the provider first, in every round', () => {
    const row = {
      ...(FAILURE_TABLE.find((each) => each.id === 'overloaded') as (typeof FAILURE_TABLE)[number]),
      id: 'vendor',
      match: [{ by: 'status', status: [418] }],
    } as const;
    expect(classify(http(418, invalid('x', { code: 'insufficient_quota' })), [row]).row).toBe('vendor');
    expect(classify(http(500), [row]).row).toBe('server_error');
  });

  it('calls nothing a refusal behind the commit', () => {
    const refused = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } };
    expect(classify(event(refused)).refusal).toBe(true);
    expect(classify(event(refused, { committed: true })).refusal).toBe(false);
    expect(classify(http(429, refused, { committed: true })).refusal).toBe(false);
  });

  it('keeps no word behind output that has room for an echo, but for those of errors', () => {
    const late = (word: string) =>
      classify(
        event({ error: { message: 'm', code: word, type: word, param: word } }, { committed: true, status: 400 }),
      );
    for (const word of ['aunt_wilhelmina_lives_in_', 'auntWilhelminaLivesInBerlin', 'a'.repeat(24)]) {
      expect([word, late(word)]).toMatchObject([word, { code: null, type: null, param: null }]);
      expect(late(word).reason).not.toContain(word);
      expect(classify({ ...finish(word), committed: true }).reason).not.toContain(word);
    }
    for (const word of ['a'.repeat(23), 'exceeded_current_quota_error', 'ServiceUnavailableException']) {
      expect(late(word).reason).toContain(word);
      expect(classify({ ...finish(word), committed: true }).reason).toContain(word);
    }
  });

  it('gives reasons that are clean', () => {
    const failure = classify(
      http(500, err('request with key sk-PLANTED-0a1b2c3d4e5f6a7b8c9d failed\nbadly', { type: 'server_error' })),
    );
    expect(failure.reason).toBe('status 500, server_error: request with key [secret] failed badly');
    expect(classify(clock('headers')).reason).toBe('no response head within 300 ms');
  });
});
