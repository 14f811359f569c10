import type { Clock } from '../../port/clock.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import { type DraftOptions, draftSpans } from './draft-spans.ts';
import type { OtlpPackages } from './packages.ts';
import { createSpanQueue } from './span-queue.ts';
import { createSpanSender } from './span-sender.ts';
import { createAttributeWriter, type Names } from './write-attributes.ts';

export type OtlpTelemetryOptions = DraftOptions & {
  readonly url: string;
  readonly names: Names;
  readonly version: string;
  /** Tells this process from others. */
  readonly instance: string;
  readonly clock: Clock;
  readonly notice: Telemetry['notice'];
  /** Takes known secrets out of a text. */
  readonly scrub: (text: string) => string;
};

export type OtlpTelemetry = Telemetry & {
  /** Spans that nobody got, since the start. */
  lostSpans(): number;
  /** Sends what waits, for so long. */
  close(limitMs: number): Promise<void>;
};

/**
 * Spans of OpenTelemetry, made of the record of a request when it has its end: nothing is done before, and nothing that a
 * record does not hold is in them. So no prompt and no answer ever is.
 */
export function createOtlpTelemetry(packages: OtlpPackages, options: OtlpTelemetryOptions): OtlpTelemetry {
  const { url, version, instance, clock, notice, scrub, names } = options;
  const queue = createSpanQueue({ now: () => clock.now(), notice, receiver: new URL(url).host });
  const write = createAttributeWriter(names, scrub);
  const sender = createSpanSender(packages, { url, version, instance, queue, write });
  const ignore = (): void => {};
  return {
    requestEnded: (request) => sender.send(draftSpans(request, options)),
    attemptStarted: ignore,
    attemptEnded: ignore,
    healthChanged: ignore,
    probeEnded: ignore,
    discoveryFailed: ignore,
    configChanged: ignore,
    notice: ignore,
    lostSpans: () => queue.lost(),
    close: (limitMs) =>
      new Promise((resolve) => {
        const timer = clock.setTimer(limitMs, resolve);
        const end = (): void => {
          timer.cancel();
          resolve();
        };
        void sender.close().then(end, end);
      }),
  };
}
