export { createOtlpTelemetry, type OtlpTelemetry } from './otlp-telemetry.ts';
export { loadOtlpPackages, MISSING, type OtlpPackages } from './packages.ts';
