export { renderProcessMetrics } from './process-metrics.ts';
export { createPrometheusTelemetry, type PrometheusTelemetryOptions } from './prometheus-telemetry.ts';
