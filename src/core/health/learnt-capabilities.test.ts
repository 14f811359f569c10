import { describe, expect, it } from 'vitest';
import { HEALTH, HOUR, makeObservation, makeRoute } from '../../../test/kit/health-fixtures.ts';
import { makeFailure } from '../../../test/kit/samples.ts';
import type { Capabilities } from '../model/capability.ts';
import { knownCapabilities } from './learnt-capabilities.ts';
import { observe } from './observe.ts';
import { createHealthState, type HealthState, readScope } from './state.ts';

const A = makeRoute('a/m');

const refuse = (state: HealthState, parts: readonly string[], at = 0, feature: string | null = null): HealthState => {
  const failure = makeFailure({ scope: 'none', refusedParts: parts, feature });
  return observe(state, makeObservation(A, at, 'failure', { failure }), HEALTH);
};

const known = (state: HealthState, capabilities: Capabilities = {}, at = HOUR): Capabilities =>
  knownCapabilities(state, { id: A.target, capabilities }, at);

describe('what is known of a target', () => {
  const learnt = refuse(createHealthState(), ['beta:x-1', 'context_management'], 0, 'images');

  it('is what it refused, for a day', () => {
    expect(known(learnt)).toEqual({ images: false, leaveOut: ['beta:x-1', 'context_management'] });
    expect(known(learnt, {}, 25 * HOUR)).toEqual({});
    const later = refuse(learnt, ['beta:x-1'], 20 * HOUR);
    expect(known(later, {}, 25 * HOUR)).toEqual({ leaveOut: ['beta:x-1'] });
  });

  it('is of all its credentials, and of no other target', () => {
    expect(knownCapabilities(learnt, { id: 'b/m', capabilities: { n: false } }, HOUR)).toEqual({ n: false });
  });

  it('is first what the configuration says', () => {
    expect(known(learnt, { images: true })).toMatchObject({ images: true });
    expect(known(learnt, { betas: ['x-1'] })).toEqual({
      images: false,
      betas: ['x-1'],
      leaveOut: ['context_management'],
    });
    expect(known(learnt, { leaveOut: ['metadata', 'context_management'] }).leaveOut).toEqual([
      'metadata',
      'context_management',
      'beta:x-1',
    ]);
  });

  it('has a bound, whatever clients ask for: the oldest go first', () => {
    let state = refuse(createHealthState(), ['metadata']);
    for (let n = 0; n < 80; n++) state = refuse(state, [`beta:flag-${n}`], n);
    const names = Object.keys(readScope(state, 'target', A.target).learnt);
    expect(names).toHaveLength(64);
    expect(names).not.toContain('metadata');
    expect(names.at(-1)).toBe('beta:flag-79');
  });
});
