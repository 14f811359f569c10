import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Telemetry } from '../../port/telemetry.ts';

/** Spans that wait or are under way; more are dropped, a whole request at a time. */
export const MAX_WAITING = 4096;

/** Codes are numbers; 0 is the one that says that they have arrived. */
const isSent = ({ code }: { readonly code: number }): boolean => code === 0;

/** As often as that at most is an operator told that spans get lost. */
const TELL_EVERY_MS = 60_000;

export type SpanQueueOptions = {
  readonly now: () => number;
  readonly notice: Telemetry['notice'];
  /** `host:port` of the receiver. */
  readonly receiver: string;
};

export type SpanQueue = {
  /** Whether so many more may wait. If not they are counted as lost. */
  admit(spans: number): boolean;
  /** Counts what has left, and what did not arrive. */
  watch(exporter: SpanExporter): SpanExporter;
  /** Spans that nobody got, since the start. */
  lost(): number;
  waiting(): number;
};

/** Keeps count of spans on their way, so that a receiver that is slow or away costs memory up to here and no more. */
export function createSpanQueue({ now, notice, receiver }: SpanQueueOptions): SpanQueue {
  let waiting = 0;
  let lost = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  /** Lost when the receiver was last known to be well; null: it is well. */
  let lostBefore: number | null = null;
  const lose = (spans: number, code: string): void => {
    lostBefore ??= lost;
    lost += spans;
    if (now() < toldAt + TELL_EVERY_MS) return;
    toldAt = now();
    notice('warn', 'spans get lost: their receiver does not take them', { receiver, code, lost });
  };
  const arrive = (): void => {
    if (lostBefore === null) return;
    notice('info', 'spans arrive again', { receiver, lost: lost - lostBefore });
    lostBefore = null;
    toldAt = Number.NEGATIVE_INFINITY;
  };
  return {
    admit(spans) {
      const fits = waiting + spans <= MAX_WAITING;
      if (fits) waiting += spans;
      else lose(spans, 'queue_full');
      return fits;
    },
    watch: (exporter) => ({
      export(spans: ReadableSpan[], done) {
        exporter.export(spans, (result) => {
          waiting -= spans.length;
          if (isSent(result)) arrive();
          else lose(spans.length, codeOf(result.error));
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
      ...(exporter.forceFlush === undefined ? {} : { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
    }),
    lost: () => lost,
    waiting: () => waiting,
  };
}

/** Of the socket, or the status of the receiver. Its words stay where they are: they may repeat what it was sent. */
function codeOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : null;
  return typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, 40) : 'unavailable';
}
