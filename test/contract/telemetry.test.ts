import { createPinoTelemetry } from '../../src/adapter/log-pino/index.ts';
import { combineTelemetry } from '../../src/adapter/telemetry-fanout/index.ts';
import { createPrometheusTelemetry } from '../../src/adapter/telemetry-prometheus/index.ts';
import { telemetryContract } from './telemetry.ts';

for (const format of ['json', 'pretty'] as const) {
  telemetryContract(`pino, ${format}`, (scrub) => {
    const lines: string[] = [];
    const telemetry = createPinoTelemetry({ level: 'debug', format, scrub, write: (line) => void lines.push(line) });
    return { telemetry, output: () => lines.join('') };
  });
}

telemetryContract('fan-out', (scrub) => {
  const lines: string[] = [];
  const log = createPinoTelemetry({ level: 'debug', format: 'json', scrub, write: (line) => void lines.push(line) });
  return { telemetry: combineTelemetry(log, log), output: () => lines.join('') };
});

// It needs nobody to take secrets out: no word gets out that is not the configuration's.
telemetryContract('Prometheus', () => {
  const telemetry = createPrometheusTelemetry({
    version: '1.2.3',
    isModel: (name) => name === 'main',
    isTarget: (id) => id === 'a/m',
    now: () => 0,
    inFlight: () => 0,
    buffered: () => 0,
    scopes: () => [],
    violations: () => 0,
    backlog: () => null,
    droppedLines: () => 0,
  });
  return { telemetry, output: async () => (await telemetry.render()).body };
});
