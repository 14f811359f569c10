import { describe, expect, it } from 'vitest';
import { createSystemClock } from './system-clock.ts';

describe('createSystemClock', () => {
  const create = () => {
    const at = { wall: 1_700_000_000_000, steady: 1_700_000_000_000 };
    return { at, clock: createSystemClock({ wall: () => at.wall, steady: () => at.steady }) };
  };

  it('stands on the steady clock while the calendar is about right', () => {
    const { at, clock } = create();
    at.steady += 50.5;
    at.wall += 900;
    expect(clock.now()).toBe(1_700_000_000_050.5);
  });

  it('does not go back with the calendar', () => {
    const { at, clock } = create();
    at.steady += 10;
    at.wall -= 3_600_000;
    expect(clock.now()).toBe(1_700_000_000_010);
  });

  it('catches up once the machine has slept, for good', () => {
    const { at, clock } = create();
    at.wall += 8 * 3_600_000;
    at.steady += 5;
    expect(clock.now()).toBe(at.wall);
    at.steady += 5;
    at.wall += 5;
    expect(clock.now()).toBe(at.wall);
    at.wall -= 8 * 3_600_000;
    at.steady += 1;
    expect(clock.now()).toBe(1_700_000_000_000 + 8 * 3_600_000 + 6);
  });

  it('is about the time of day', () => {
    expect(Math.abs(createSystemClock().now() - Date.now())).toBeLessThan(1_500);
  });
});
