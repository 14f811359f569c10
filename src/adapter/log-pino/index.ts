export { createPinoTelemetry, type LogTelemetry, type PinoTelemetryOptions } from './pino-telemetry.ts';
export { openStandardWriter } from './standard-writer.ts';
