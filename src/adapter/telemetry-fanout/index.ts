export { combineTelemetry } from './combine-telemetry.ts';
