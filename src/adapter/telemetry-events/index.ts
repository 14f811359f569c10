export { createEventTelemetry, type EventTelemetryOptions } from './event-telemetry.ts';
