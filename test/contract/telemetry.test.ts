import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createPinoTelemetry } from '../../src/adapter/log-pino/index.ts';
import { createEventTelemetry } from '../../src/adapter/telemetry-events/index.ts';
import { combineTelemetry } from '../../src/adapter/telemetry-fanout/index.ts';
import { createOtlpTelemetry, loadOtlpPackages } from '../../src/adapter/telemetry-otlp/index.ts';
import { createPrometheusTelemetry } from '../../src/adapter/telemetry-prometheus/index.ts';
import type { AttemptRecord, RequestLedger } from '../../src/core/attempt/ledger.ts';
import { writeEvent } from '../../src/core/event/index.ts';
import { createOtlpReceiver } from '../kit/otlp-receiver.ts';
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

telemetryContract('events', (scrub) => {
  const lines: string[] = [];
  const telemetry = createEventTelemetry({
    sink: (event) => void lines.push(writeEvent(event)),
    now: () => 1_700_000_000_000,
    isOurs: (_kind, name) => scrub(name) === name,
  });
  return { telemetry, output: () => lines.join('\n') };
});

// It needs nobody to take secrets out: no word gets out that is not the configuration's.
telemetryContract('Prometheus', () => {
  const telemetry = createPrometheusTelemetry({
    version: '1.2.3',
    isModel: (name) => name === 'main',
    isTarget: (id) => id === 'a/m',
    isProvider: (name) => name === 'a',
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

const packages = await loadOtlpPackages();

/** As a request is that somebody traces. */
function traced(request: RequestLedger): RequestLedger {
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: null, isSampled: true };
  const attempts = request.attempts.map((attempt): AttemptRecord => ({ ...attempt, span: 'c'.repeat(16) }));
  return { ...request, started: { ...request.started, trace }, attempts };
}

telemetryContract('OpenTelemetry', (scrub) => {
  if (packages === null) throw new Error('the packages of OpenTelemetry are not installed');
  const opened = createOtlpReceiver().then((receiver) => {
    const telemetry = createOtlpTelemetry(packages, {
      url: `${receiver.url}/v1/traces`,
      names: 'both',
      version: '1.2.3',
      instance: 'boot_1',
      clock: createSystemClock(),
      notice: () => {},
      scrub,
      presetOf: () => null,
    });
    return { receiver, telemetry };
  });
  const requests: RequestLedger[] = [];
  const ignore = (): void => {};
  return {
    telemetry: {
      requestEnded: (request) => void requests.push(traced(request)),
      attemptStarted: ignore,
      attemptEnded: ignore,
      healthChanged: ignore,
      probeEnded: ignore,
      discoveryFailed: ignore,
      configChanged: ignore,
      notice: ignore,
    },
    async output() {
      const { receiver, telemetry } = await opened;
      for (const request of requests) telemetry.requestEnded(request);
      await telemetry.close(10_000);
      await receiver.close();
      if (receiver.problems.length > 0 || receiver.spans.length === 0) throw new Error(receiver.problems.join());
      return receiver.heard;
    },
  };
});
