import { describe, expect, it } from 'vitest';
import type { HealthChange, Run } from '../world/run.ts';
import { findOutages } from './find-outages.ts';

const START = 1_000_000;

const change = (at: number, from: string, to: string, until: number | null = null): HealthChange => ({
  at: START + at,
  scope: 'route',
  id: 'a/x#k',
  from,
  to,
  until: until === null ? null : START + until,
  reason: 'why',
});

/** `holds`: when an attempt on the route ended, and until when that keeps it from service. */
function outagesOf(healthChanges: readonly HealthChange[], holds: readonly (readonly [number, number])[] = []) {
  const attempts = holds.map(([at, until]) => ({
    route: 'a/x#k',
    target: 'a/x',
    credential: 'k',
    endpoint: 'a.test:443',
    endedAt: START + at,
    cooldownUntil: START + until,
  }));
  // A probe is held by what it meets, as a request is.
  const probes = [{ ledger: { attempts: attempts.slice(1) } }, { ledger: null }];
  const requests = [{ ledger: { attempts: attempts.slice(0, 1) } }];
  const run = { startedAt: START, healthChanges, requests, probes } as unknown as Run;
  return findOutages(run).map(({ from_ms: from, back_ms: back, states }) => [from, back, states.join(' ')]);
}

describe('outages', () => {
  it('end when somebody tells so', () => {
    expect(
      outagesOf([change(10, 'ready', 'open', 40), change(50, 'open', 'half_open'), change(60, 'half_open', 'ready')]),
    ).toEqual([[10, 60, 'open half_open']]);
  });

  it('of a hold end by themselves, however late somebody tells', () => {
    expect(outagesOf([change(10, 'ready', 'deferred', 40), change(90, 'deferred', 'ready')])).toEqual([
      [10, 40, 'deferred'],
    ]);
    expect(outagesOf([change(10, 'ready', 'deferred', 40)])).toEqual([[10, 40, 'deferred']]);
    expect(outagesOf([change(10, 'ready', 'deferred', 40), change(20, 'deferred', 'ready')])).toEqual([
      [10, 20, 'deferred'],
    ]);
  });

  it('grow with a hold that is made longer, which changes no state', () => {
    expect(
      outagesOf(
        [change(10, 'ready', 'deferred', 40), change(90, 'deferred', 'ready')],
        [
          [10, 40],
          [30, 70],
        ],
      ),
    ).toEqual([[10, 70, 'deferred']]);
  });

  it('begin again with a hold that comes when the last one is over', () => {
    expect(
      outagesOf(
        [change(10, 'ready', 'deferred', 40)],
        [
          [10, 40],
          [50, 70],
          [60, 80],
        ],
      ),
    ).toEqual([
      [10, 40, 'deferred'],
      [50, 80, 'deferred'],
    ]);
  });

  it('have no end where nothing tells of one', () => {
    expect(outagesOf([change(10, 'ready', 'open', 40)])).toEqual([[10, null, 'open']]);
  });

  it('are two where there was good health between them', () => {
    expect(
      outagesOf([
        change(10, 'ready', 'open'),
        change(20, 'open', 'ready'),
        change(30, 'ready', 'disabled'),
        change(45, 'disabled', 'ready'),
      ]),
    ).toEqual([
      [10, 20, 'open'],
      [30, 45, 'disabled'],
    ]);
  });
});
