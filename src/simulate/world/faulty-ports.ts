import type { EnginePorts } from '../../engine/index.ts';
import type { Clock } from '../../port/clock.ts';
import type { StoreFault } from '../scenario/scenario.ts';

type Ports = Pick<EnginePorts, 'ledger' | 'health' | 'telemetry'>;

/** Ports that break their promises while a row says so. */
export function spoilPorts(ports: Ports, faults: readonly StoreFault[], clock: Clock, startedAt: number): Ports {
  if (faults.length === 0) return ports;
  const faultOf = (port: StoreFault['port']): StoreFault | undefined => {
    const at = clock.now() - startedAt;
    return faults.find((row) => row.port === port && at >= row.fromMs && (row.untilMs === null || at < row.untilMs));
  };
  const failIf = (port: StoreFault['port']): void => {
    if (faultOf(port) !== undefined) throw new Error(`the ${port} is gone (simulated)`);
  };
  const { ledger, health, telemetry } = ports;
  return {
    ledger: {
      append(fact) {
        ledger.append(fact);
        failIf('ledger');
      },
    },
    health: {
      snapshot: () => health.snapshot(),
      observe(observation) {
        health.observe(observation);
        failIf('health');
      },
      claimTrial(route, now) {
        const fault = faultOf('claims');
        if (fault === undefined) return health.claimTrial(route, now);
        if (fault.how === 'throws') throw new Error('the claims are gone (simulated)');
        if (fault.how === 'never') return new Promise(() => {});
        return new Promise((resolve) => {
          clock.setTimer(fault.ms ?? 0, () => resolve(health.claimTrial(route, clock.now())));
        });
      },
    },
    telemetry: {
      requestEnded(request) {
        telemetry.requestEnded(request);
        failIf('telemetry');
      },
      attemptStarted: (started, attempt) => telemetry.attemptStarted(started, attempt),
      attemptEnded(started, attempt) {
        telemetry.attemptEnded(started, attempt);
        failIf('telemetry');
      },
      notice: (level, message, fields) => telemetry.notice(level, message, fields),
    },
  };
}
