import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Metric, Registry } from 'prom-client';
import type { MetricsPage, Telemetry } from '../../port/telemetry.ts';
import type { Sample, Source } from './cells.ts';
import { createEvents } from './events.ts';
import { createGauges, type GaugeReaders } from './gauges.ts';
import { createNames } from './names.ts';

/**
 * A long page must not hold up the streams, nor must the page wait for a turn of a busy loop behind each of its metrics:
 * whoever asks gives up after some seconds.
 */
const SLICE_MS = 3;

export type PrometheusTelemetryOptions = GaugeReaders & {
  /** Of the gateway. */
  readonly version: string;
  /** Words of the configuration in force, which become labels; all others are counted as `other`. */
  readonly isModel: (name: string) => boolean;
  readonly isTarget: (id: string) => boolean;
  readonly isProvider: (name: string) => boolean;
  /** More of the page, in Prometheus's text format: what is told of the process. */
  readonly renderMore?: () => Promise<string>;
};

/**
 * Counts what telemetry tells, and prints it for Prometheus. Counting is plain arithmetic; prom-client prints, and is
 * loaded with the first page, so that it costs neither a start nor a request.
 */
export function createPrometheusTelemetry(options: PrometheusTelemetryOptions): Telemetry & MetricsPage {
  const { version, isModel, isTarget, isProvider, renderMore } = options;
  const events = createEvents({
    nameModel: createNames(isModel),
    nameTarget: createNames(isTarget),
    nameProvider: createNames(isProvider),
  });
  const gauges = createGauges(options, version);
  const sources = [...events.sources, ...gauges.sources];
  let registry: Promise<Registry> | null = null;
  let before: Promise<void> = Promise.resolve();
  const makePage = async (): Promise<Page> => {
    registry ??= register(sources);
    const own = await registry;
    const parts: string[] = [];
    gauges.turnPage();
    let begunAt = performance.now();
    for (const { definition } of sources) {
      parts.push(`${await own.getSingleMetricAsString(definition.name)}\n`);
      if (performance.now() - begunAt < SLICE_MS) continue;
      await nextTurn();
      begunAt = performance.now();
    }
    if (renderMore !== undefined) parts.push(await renderMore());
    // Nothing of a page is kept for longer than it.
    gauges.turnPage();
    return { contentType: own.contentType, body: parts.join('\n') };
  };
  return {
    requestEnded: events.requestEnded,
    attemptStarted: () => {},
    attemptEnded: events.attemptEnded,
    probeEnded: events.probeEnded,
    discoveryFailed: () => {},
    configChanged: () => {},
    // Health is read when the page is made, and notices are for people.
    healthChanged: () => {},
    notice: () => {},
    // What a page tells is read once for all of it, so that two of them are made one after the other.
    render() {
      const page = before.then(makePage);
      before = page.then(
        () => {},
        () => {},
      );
      return page;
    },
  };
}

type Page = Awaited<ReturnType<MetricsPage['render']>>;

async function register(sources: readonly Source[]): Promise<Registry> {
  const { Registry } = await import('prom-client');
  const registry = new Registry();
  for (const source of sources) registry.registerMetric(metricOf(source));
  return registry;
}

/** What a registry asks of a metric. */
function metricOf({ definition: { name, help, type }, read }: Source): Metric {
  const metric = {
    name,
    async get() {
      return { name, help, type, aggregator: 'sum', values: read().map((sample) => toValue(name, sample)) };
    },
  };
  return metric as unknown as Metric;
}

/**
 * As prom-client's own histograms give theirs: it keeps the text of labels that are shared, which halves a page's cost.
 */
const toValue = (name: string, { suffix, labels, le, value }: Sample) => ({
  metricName: suffix === undefined ? name : name + suffix,
  labels: le === undefined ? {} : { le },
  sharedLabels: labels,
  value,
});
