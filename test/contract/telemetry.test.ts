import { createPinoTelemetry } from '../../src/adapter/log-pino/index.ts';
import { combineTelemetry } from '../../src/adapter/telemetry-fanout/index.ts';
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
