import { createGuard } from '../engine/guard-ports.ts';
import type { ProberPorts } from './ports.ts';

/** Whoever is only told something must not break a probe, as it breaks no request. */
export function guardPorts(ports: ProberPorts): ProberPorts {
  const { health, telemetry } = ports;
  const guard = createGuard(telemetry);
  return {
    ...ports,
    health: {
      snapshot: () => health.snapshot(),
      observe: guard('the health store', undefined, (observation) => health.observe(observation)),
    },
    telemetry: {
      probeEnded: guard('telemetry', undefined, (probe) => telemetry.probeEnded(probe)),
      notice: guard('telemetry', undefined, (level, message, fields) => telemetry.notice(level, message, fields)),
    },
  };
}
