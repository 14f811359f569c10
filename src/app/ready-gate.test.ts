import { describe, expect, it } from 'vitest';
import { createFakeProber, modelOf, reportOf, routeOf } from '../../test/kit/fake-prober.ts';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import { createReadyGate } from './ready-gate.ts';

const NOBODY = reportOf([modelOf('main', [routeOf('a/x#k', 'deferred'), routeOf('a/y#k', 'unreached')])]);
const ONE = reportOf([modelOf('main', [routeOf('a/x#k', 'slow')]), modelOf('other', [routeOf('b/x#k', 'rejected')])]);

function setUp(waitFor: number | null) {
  const clock = createVirtualClock(0);
  const prober = createFakeProber(NOBODY);
  const told: string[] = [];
  const telemetry = { notice: (_level: string, message: string) => void told.push(message) };
  const gate = createReadyGate({ prober, clock, telemetry, waitFor });
  return { clock, prober, told, gate };
}

describe('the gate of --wait-ready', () => {
  it('asks round by round, with a pause, until some model has a route that can serve', async () => {
    const { clock, prober, told, gate } = setUp(1);
    gate.start();
    await clock.advanceAsync(30_000);
    expect(prober.rounds).toEqual([null]);
    prober.end();
    await clock.advanceAsync(9999);
    expect(prober.rounds).toHaveLength(1);
    await clock.advanceAsync(1);
    expect(prober.rounds).toHaveLength(2);
    prober.end();
    prober.knows(ONE);
    expect(told).toEqual([]);
    await clock.advanceAsync(1000);
    expect(told).toEqual(['ready: what was waited for is there']);
    await clock.advanceAsync(60_000);
    expect(prober.rounds).toHaveLength(2);
  });

  it('sees what traffic has shown in the middle of a round, and leaves the round to its end', async () => {
    const { clock, prober, told, gate } = setUp(1);
    gate.start();
    prober.knows(ONE);
    await clock.advanceAsync(1000);
    expect(told).toHaveLength(1);
    prober.end();
    await clock.advanceAsync(60_000);
    expect(prober.rounds).toHaveLength(1);
  });

  it('asks nobody where all is known already, or nothing is waited for', async () => {
    const known = setUp(1);
    known.prober.knows(ONE);
    const none = setUp(null);
    for (const { gate, clock, prober } of [known, none]) {
      gate.start();
      await clock.advanceAsync(60_000);
      expect(prober.rounds).toEqual([]);
    }
    expect(known.told).toHaveLength(1);
    expect(none.told).toEqual([]);
  });

  it('remembers the most that a model had, whatever becomes of it', () => {
    const { prober, gate } = setUp(null);
    expect(gate.reached(1)).toBe(false);
    prober.knows(ONE);
    expect([gate.reached(1), gate.reached(2)]).toEqual([true, false]);
    prober.knows(NOBODY);
    expect([gate.reached(1), gate.reached(2)]).toEqual([true, false]);
  });

  it('goes on after a round that failed', async () => {
    const { clock, prober, gate } = setUp(1);
    let asked = 0;
    const failing = { ...prober, probe: () => Promise.reject(new Error(`round ${++asked}`)) };
    const broken = createReadyGate({ prober: failing, clock, telemetry: { notice: () => {} }, waitFor: 1 });
    broken.start();
    await clock.advanceAsync(25_000);
    expect(asked).toBe(3);
    broken.close();
    gate.close();
    await clock.advanceAsync(60_000);
    expect(asked).toBe(3);
  });
});
