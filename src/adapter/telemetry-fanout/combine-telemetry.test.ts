import { describe, expect, it } from 'vitest';
import { attemptOf, factsOf, foldFacts } from '../../../test/kit/facts.ts';
import { PROBE } from '../../../test/kit/metered.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import { combineTelemetry } from './combine-telemetry.ts';

function record(calls: unknown[][], fails = false): Telemetry {
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      if (fails) throw new Error('broken');
    };
  return {
    requestEnded: note('request'),
    attemptStarted: note('start'),
    attemptEnded: note('attempt'),
    healthChanged: note('health'),
    probeEnded: note('probe'),
    discoveryFailed: note('discovery'),
    configChanged: note('config'),
    notice: note('notice'),
  };
}

describe('combineTelemetry', () => {
  it('tells all of everything, in order, past those that throw', () => {
    const [first, broken, last]: unknown[][][] = [[], [], []];
    const telemetry = combineTelemetry(record(first ?? []), record(broken ?? [], true), record(last ?? []));
    const facts = factsOf('r1');
    const ledger = foldFacts([facts.started(), facts.attempt(), facts.attemptEnded(), facts.ended()]);
    const change = { id: 'a', scope: 'route', from: 'ready', to: 'open', until: null, reason: null };
    const probe = { ...PROBE, state: 'ready' } as const;
    const failure = { provider: 'a', reason: 'auth' } as const;
    const config = { result: 'refused', models: 1, providers: 1 } as const;
    telemetry.requestEnded(ledger);
    telemetry.attemptStarted(ledger.started, attemptOf(ledger, 1));
    telemetry.attemptEnded(ledger.started, attemptOf(ledger, 1));
    telemetry.healthChanged(change);
    telemetry.probeEnded(probe);
    telemetry.discoveryFailed(failure);
    telemetry.configChanged(config);
    telemetry.notice('warn', 'words', { n: 1 });
    expect(first).toEqual([
      ['request', ledger],
      ['start', ledger.started, attemptOf(ledger, 1)],
      ['attempt', ledger.started, attemptOf(ledger, 1)],
      ['health', change],
      ['probe', probe],
      ['discovery', failure],
      ['config', config],
      ['notice', 'warn', 'words', { n: 1 }],
    ]);
    expect(broken).toEqual(first);
    expect(last).toEqual(first);
  });

  it('of nobody is silence', () => {
    expect(() => combineTelemetry().notice('error', 'x')).not.toThrow();
  });
});
