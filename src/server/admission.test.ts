import { describe, expect, it } from 'vitest';
import type { RuntimeConfig } from '../config/runtime.ts';
import { createAdmission } from './admission.ts';

const configOf = (maxInFlight: number, maxBuffered: number): RuntimeConfig =>
  ({ server: { maxInFlight, maxBuffered } }) as unknown as RuntimeConfig;

describe('admission', () => {
  it('lets in as many as it may, and one for each that has left', () => {
    const admission = createAdmission({ buffered: () => 0 });
    const two = configOf(2, 100);
    const first = admission.enter(two);
    expect([admission.enter(two) === null, admission.enter(two)]).toEqual([false, null]);
    first?.leave();
    first?.leave();
    expect([admission.enter(two) === null, admission.enter(two)]).toEqual([false, null]);
  });

  it('counts bodies, and what the engine holds, up to the very bound', () => {
    const held = { bytes: 0 };
    const admission = createAdmission({ buffered: () => held.bytes });
    const config = configOf(9, 100);
    const first = admission.enter(config);
    expect([first?.reserve(60), first?.reserve(40), first?.reserve(1)]).toEqual([true, true, false]);
    expect(admission.enter(config)).toBeNull();
    first?.releaseBody();
    held.bytes = 101;
    expect(admission.enter(config)).toBeNull();
    held.bytes = 100;
    expect(admission.enter(config)).not.toBeNull();
  });

  it('gives a body back once, whoever gives it back', () => {
    const admission = createAdmission({ buffered: () => 0 });
    const config = configOf(9, 100);
    const first = admission.enter(config);
    first?.reserve(80);
    first?.releaseBody();
    first?.releaseBody();
    first?.leave();
    const second = admission.enter(config);
    expect([second?.reserve(100), second?.reserve(1)]).toEqual([true, false]);
  });
});
