import { createOtlpTelemetry, type OtlpPackages, type OtlpTelemetry } from '../adapter/telemetry-otlp/index.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Sampling } from '../core/trace/index.ts';

/** What spans that wait get to leave with: whoever stops a gateway has a few seconds behind the drain. */
const FLUSH_MS = 2_000;

export type Traces = {
  /** Absent: nobody traces. */
  readonly telemetry?: OtlpTelemetry;
  /** What the engine is told of it. */
  readonly port: { readonly sampling?: Sampling };
  /** Null: none are sent. */
  lostSpans(): number | null;
  close(): Promise<void>;
};

export type TraceParts = Omit<Parameters<typeof createOtlpTelemetry>[1], 'url' | 'names'> & {
  readonly packages: OtlpPackages | undefined;
};

const NO_TRACES: Traces = { port: {}, lostSpans: () => null, close: () => Promise.resolve() };

/** As for the log, what the start says holds until the end. */
export function openTraces({ telemetry: { otlp } }: RuntimeConfig, { packages, ...parts }: TraceParts): Traces {
  if (otlp === null || packages === undefined) return NO_TRACES;
  const { url, names, ratio } = otlp;
  const telemetry = createOtlpTelemetry(packages, { ...parts, url, names });
  return {
    telemetry,
    port: { sampling: { ratio } },
    lostSpans: () => telemetry.lostSpans(),
    close: () => telemetry.close(FLUSH_MS),
  };
}
