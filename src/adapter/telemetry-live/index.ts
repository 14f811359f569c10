export { createLiveTelemetry, type LiveTelemetry } from './live-telemetry.ts';
