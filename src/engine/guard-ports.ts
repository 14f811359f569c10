import { describeFault, faultWords } from '../core/redact/index.ts';
import type { EnginePorts } from './index.ts';

/** Runs what must not throw: what it throws becomes a notice, and `otherwise` its answer. */
export type Guard = <A extends readonly unknown[], R>(
  what: string,
  otherwise: R,
  run: (...args: A) => R,
) => (...args: A) => R;

export function createGuard(telemetry: Pick<EnginePorts['telemetry'], 'notice'>): Guard {
  const tell = (what: string, error: unknown): void => {
    try {
      telemetry.notice('error', `${what} failed: ${faultWords(error)}`, { at: describeFault(error).at });
    } catch {
      // Nobody is left to be told.
    }
  };
  return (what, otherwise, run) =>
    (...args) => {
      try {
        return run(...args);
      } catch (error) {
        tell(what, error);
        return otherwise;
      }
    };
}

/**
 * Ports that are only told something must not break an answer, even when they break their own promise never to throw:
 * what they throw becomes a notice for the operator, and the request goes on.
 */
export function guardPorts(ports: EnginePorts): EnginePorts {
  const { ledger, health, telemetry } = ports;
  const guard = createGuard(telemetry);
  return {
    ...ports,
    ledger: { append: guard('the ledger', undefined, (fact) => ledger.append(fact)) },
    health: {
      snapshot: () => health.snapshot(),
      observe: guard('the health store', undefined, (observation) => health.observe(observation)),
      claimTrial: guard('the health store', false, (route, now) => health.claimTrial(route, now)),
    },
    telemetry: {
      requestEnded: guard('telemetry', undefined, (request) => telemetry.requestEnded(request)),
      attemptStarted: guard('telemetry', undefined, (started, attempt) => telemetry.attemptStarted(started, attempt)),
      attemptEnded: guard('telemetry', undefined, (started, attempt) => telemetry.attemptEnded(started, attempt)),
      notice: guard('telemetry', undefined, (level, message, fields) => telemetry.notice(level, message, fields)),
    },
  };
}
