import type * as Api from '@opentelemetry/api';
import type * as Exporter from '@opentelemetry/exporter-trace-otlp-proto';
import type * as Resources from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace';

/** OpenTelemetry, which is heavy and which only those load who send traces. */
export type OtlpPackages = {
  readonly api: typeof Api;
  readonly sdk: typeof Sdk;
  readonly resources: typeof Resources;
  readonly exporter: typeof Exporter;
};

export const MISSING =
  'telemetry.otlp needs the packages of OpenTelemetry, which are not installed: run "npm ci" where ' +
  'Understudy is installed, or remove telemetry.otlp.';

/** Null where they are not installed. */
export async function loadOtlpPackages(): Promise<OtlpPackages | null> {
  try {
    const [api, sdk, resources, exporter] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
    ]);
    return { api, sdk, resources, exporter };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
