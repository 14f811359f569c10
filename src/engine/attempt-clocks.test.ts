import { describe, expect, it } from 'vitest';
import { MODEL_SETTINGS } from '../../test/kit/health-fixtures.ts';
import { AttemptClocks } from './attempt-clocks.ts';

const TIMEOUTS = { ...MODEL_SETTINGS.timeouts, idleMs: 1000, progressMs: 500, firstOutputMs: 800, headersMs: 700 };

function committed(): AttemptClocks {
  const clocks = new AttemptClocks(0, TIMEOUTS, true);
  for (const moment of ['sentAt', 'headAt', 'committedAt', 'lastByteAt', 'lastOutputAt'] as const)
    clocks.note(moment, 10);
  return clocks;
}

describe('AttemptClocks', () => {
  it('move all moments on by a pause', () => {
    const clocks = committed();
    clocks.pause(20);
    clocks.resume(120);
    expect(clocks.next(false)).toMatchObject({ clock: 'progress', at: 110 + 500 });
    clocks.note('lastOutputAt', 700);
    expect(clocks.next(false)).toMatchObject({ clock: 'idle', at: 110 + 1000 });
  });

  it('take what came during a pause for what came at its end', () => {
    const clocks = committed();
    clocks.pause(20);
    clocks.note('lastByteAt', 90);
    clocks.note('lastOutputAt', 90);
    clocks.resume(120);
    expect(clocks.next(false)).toMatchObject({ clock: 'progress', at: 120 + 500 });
    expect(clocks.silentMs(150)).toBe(30);
  });

  it('stand still for who asks during a pause', () => {
    const clocks = committed();
    clocks.pause(20);
    expect(clocks.silentMs(5000)).toBe(10);
  });

  it('give the body of a failure five seconds from its head', () => {
    const clocks = new AttemptClocks(0, { ...TIMEOUTS, idleMs: 60_000, firstOutputMs: 60_000 }, true);
    clocks.note('sentAt', 0);
    clocks.note('headAt', 100);
    expect(clocks.next(true)).toMatchObject({ at: 5100 });
    expect(clocks.next(false)).toMatchObject({ at: 60_000 });
  });
});
