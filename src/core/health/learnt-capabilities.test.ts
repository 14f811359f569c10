import { describe, expect, it } from 'vitest';
import { HEALTH, HOUR, makeObservation, makeRoute } from '../../../test/kit/health-fixtures.ts';
import { makeFailure } from '../../../test/kit/samples.ts';
import type { Capabilities } from '../model/capability.ts';
import { knownCapabilities, provedParts } from './learnt-capabilities.ts';
import { observe } from './observe.ts';
import { createHealthState, type HealthState, readScope } from './state.ts';

const A = makeRoute('a/m');

/** A feature is refused, and the request is answered without these parts. */
const refuse = (state: HealthState, parts: readonly string[], at = 0, feature: string | null = null): HealthState => {
  const failure = makeFailure({ scope: 'none', refusedParts: ['metadata'], feature });
  const refused = observe(state, makeObservation(A, at, 'failure', { failure }), HEALTH);
  return observe(refused, makeObservation(A, at, 'success', { withoutParts: parts }), HEALTH);
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

  it('has a bound of flags, whatever clients ask for: the oldest go first, and nothing but flags', () => {
    let state = refuse(createHealthState(), ['metadata'], 0, 'tools');
    for (let n = 0; n < 80; n++) state = refuse(state, [`beta:flag-${n}`], n);
    const names = Object.keys(readScope(state, 'target', A.target).learnt);
    expect(names).toHaveLength(66);
    expect(names.slice(0, 3)).toEqual(['tools', 'metadata', 'beta:flag-16']);
    expect(names.at(-1)).toBe('beta:flag-79');
  });
});

describe('what an answer proves of refused parts', () => {
  it('nothing of a refusal alone, and nothing of an answer alone', () => {
    const failure = makeFailure({ scope: 'none', refusedParts: ['metadata'] });
    const refused = observe(createHealthState(), makeObservation(A, 0, 'failure', { failure }), HEALTH);
    expect(known(refused)).toEqual({});
    const failed = observe(refused, makeObservation(A, 1, 'failure', { failure, withoutParts: ['metadata'] }), HEALTH);
    expect(known(failed)).toEqual({});
    expect(known(observe(refused, makeObservation(A, 1, 'success'), HEALTH))).toEqual({});
  });

  it.each([
    [
      'those that it went without',
      ['metadata', 'beta:a-1'],
      ['beta:a-1', 'metadata', 'speed'],
      ['metadata', 'beta:a-1'],
    ],
    ['none that were not there', ['metadata', 'beta:a-1'], ['beta:b-1'], []],
    ['flags together, if all of them were left out', ['beta:a-1,b-1'], ['beta:b-1', 'beta:a-1'], ['beta:a-1,b-1']],
    ['not where one of them went along', ['beta:a-1,b-1'], ['beta:b-1'], []],
    ['nothing of what is of one request', ['beta:*', 'cache_control'], ['beta:a-1', 'cache_control'], []],
    ['what a mark says', ['cache_control.scope'], ['cache_control.scope'], ['cache_control.scope']],
  ])('%s', (_, refused, leftOut, proved) => {
    expect(provedParts(refused, leftOut)).toEqual(proved);
  });
});
