import type { HrTime, SpanContext, SpanStatus } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { SpanDraft } from './draft.ts';
import type { OtlpPackages } from './packages.ts';
import { MAX_WAITING, type SpanQueue } from './span-queue.ts';
import type { AttributeWriter } from './write-attributes.ts';

/** So many make a batch, which is written in one go: larger ones would hold up what the gateway is there for. */
const BATCH = 128;
/** Spans wait so long for others. */
const DELAY_MS = 2_000;
/** A batch that takes longer makes room for the next. */
const EXPORT_LIMIT_MS = 15_000;

export type SpanSenderOptions = {
  readonly url: string;
  readonly version: string;
  /** Tells this process from others. */
  readonly instance: string;
  readonly queue: SpanQueue;
  readonly write: AttributeWriter;
};

export type SpanSender = {
  /** All spans of one request: all of them go, or none. */
  send(drafts: readonly SpanDraft[]): void;
  /** Sends what waits. Resolves when it is sent, or can't be. */
  close(): Promise<void>;
};

/**
 * Hands spans to the official SDK, which batches them and sends them as OTLP. They have ended already, with ids and times
 * of their own: so they are made here, and not by a tracer, which would begin them now and clean twice what is clean.
 */
export function createSpanSender(packages: OtlpPackages, options: SpanSenderOptions): SpanSender {
  const { sdk, exporter } = packages;
  const { queue, version } = options;
  const otlp = new exporter.OTLPTraceExporter({
    url: options.url,
    userAgent: `understudy/${version}`,
    // At the end all that waits leaves at once.
    concurrencyLimit: MAX_WAITING / BATCH + 1,
  });
  const processor = new sdk.BatchSpanProcessor({
    exporter: queue.watch(otlp),
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: DELAY_MS,
    exportTimeoutMillis: EXPORT_LIMIT_MS,
  });
  const makeSpan = createSpanMaker(packages, options);
  return {
    send(drafts) {
      if (drafts.length === 0 || !queue.admit(drafts.length)) return;
      for (const draft of drafts) processor.onEnd(makeSpan(draft));
    },
    async close() {
      // It gives up with the first batch that fails; others may still arrive.
      await processor.shutdown().catch(() => {});
      await otlp.forceFlush();
    },
  };
}

function createSpanMaker(packages: OtlpPackages, options: SpanSenderOptions): (draft: SpanDraft) => ReadableSpan {
  const { SpanKind, SpanStatusCode, TraceFlags } = packages.api;
  const { write, version } = options;
  const kinds = { served: SpanKind.SERVER, sent: SpanKind.CLIENT, own: SpanKind.INTERNAL };
  const shared = {
    resource: describeService(packages, options),
    instrumentationScope: { name: 'understudy', version },
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  } as const;
  const place = (traceId: string, spanId: string): SpanContext => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  const statusOf = (failure: SpanDraft['failure']): SpanStatus => {
    if (failure === undefined) return { code: SpanStatusCode.UNSET };
    return { code: SpanStatusCode.ERROR, ...(failure === null ? {} : { message: write.text(failure) }) };
  };
  return ({ name, kind, traceId, spanId, parentId, isParentRemote, startedAt, endedAt, attributes, failure }) => {
    const own = place(traceId, spanId);
    const ms = Math.max(0, endedAt - startedAt);
    return {
      ...shared,
      links: [],
      events: [],
      name: write.name(name),
      kind: kinds[kind],
      spanContext: () => own,
      ...(parentId === null ? {} : { parentSpanContext: { ...place(traceId, parentId), isRemote: isParentRemote } }),
      startTime: hrTime(startedAt),
      endTime: hrTime(startedAt + ms),
      duration: hrTime(ms),
      status: statusOf(failure),
      attributes: write.attributes(attributes),
    };
  };
}

/** Milliseconds as seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

/** What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say stands above what is known here. */
function describeService({ resources }: OtlpPackages, { version, instance }: SpanSenderOptions) {
  const own = resources.resourceFromAttributes({
    'service.name': 'understudy',
    'service.version': version,
    'service.instance.id': instance,
  });
  const told = resources.detectResources({ detectors: [resources.envDetector] });
  return resources.defaultResource().merge(own).merge(told);
}
