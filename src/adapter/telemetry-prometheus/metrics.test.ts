import { describe, expect, it } from 'vitest';
import { readExposition } from '../../../test/kit/exposition.ts';
import { attemptOf, factsOf, foldFacts } from '../../../test/kit/facts.ts';
import { AT, BACKLOG, createMetered, PROBE, rescuedRequest } from '../../../test/kit/metered.ts';
import { OUTCOMES } from '../../core/failure/outcome.ts';
import { LABELS, METRICS, type MetricDefinition, STATE_CODES } from './metrics.ts';
import { PROCESS_METRICS, renderProcessMetrics } from './process-metrics.ts';

describe('the labels', () => {
  /** A request and an attempt of a name. */
  const requestOf = (name: string) =>
    foldFacts([
      factsOf(name, AT).started({ model: name, key: `key of ${name}` }),
      factsOf(name, AT).attempt(1, { target: name, route: `${name}#k`, credential: 'k', endpoint: `${name}:1` }),
      factsOf(name, AT).head(),
      factsOf(name, AT).committed(),
      factsOf(name, AT).attemptEnded(1, { outcome: 'interrupted', reason: name }),
      factsOf(name, AT).ended({ outcome: 'interrupted', reason: name, servedBy: name }),
    ]);
  const names = Array.from({ length: 4_000 }, (_, n) => `n${((n + 1) * 2_654_435_761) % 4_294_967_291}/"\\\n`);

  it('have no word that a client chose', async () => {
    const { tell, page } = createMetered();
    for (const name of names) tell(requestOf(name));
    tell(requestOf('main'));
    const { series, problems } = readExposition(await page());
    expect(problems).toEqual([]);
    const said = (label: string) => new Set(series.flatMap(({ labels }) => labels[label] ?? []));
    expect(said('model')).toEqual(new Set(['other', 'main']));
    expect(said('target')).toEqual(new Set(['other']));
    expect(series.length).toBeLessThan(200);
  });

  it('are bounded when every word is one of the configuration', async () => {
    const { tell, page } = createMetered({ isModel: () => true, isTarget: () => true });
    for (const name of names) tell(requestOf(name));
    const { series, problems } = readExposition(await page());
    expect(problems).toEqual([]);
    const said = (label: string) => new Set(series.flatMap(({ labels }) => labels[label] ?? []));
    expect(said('model').size).toBe(1_001);
    expect(said('target').size).toBe(1_001);
    const others = series.filter(({ name, labels }) => name === METRICS.requests.name && labels['model'] === 'other');
    expect(others.map(({ value }) => value)).toEqual([names.length - 1_000]);
  });

  it('stay what they were when the configuration drops a word', async () => {
    const words = new Set(['main']);
    const { telemetry, lines } = createMetered({ isModel: (name) => words.has(name) });
    telemetry.requestEnded(requestOf('main'));
    words.delete('main');
    telemetry.requestEnded(requestOf('main'));
    expect(await lines(METRICS.requests)).toEqual([expect.stringMatching(/model="main".* 2$/)]);
  });

  it('are those of the table, each explained', async () => {
    const { tell, page, telemetry } = createMetered({ backlog: () => BACKLOG });
    tell(rescuedRequest('r'));
    telemetry.probeEnded({ ...PROBE, state: 'ready' });
    const { series } = readExposition(await page());
    const used = new Set<string>(Object.values(METRICS).flatMap(({ labels }) => [...labels]));
    expect([...used].sort()).toEqual(Object.keys(LABELS).sort());
    for (const definition of Object.values(METRICS)) {
      const own = series.filter(({ name }) => name.replace(/_(bucket|sum|count)$/, '') === definition.name);
      for (const { labels } of own) {
        expect(Object.keys(labels).filter((label) => label !== 'le')).toEqual(definition.labels);
      }
    }
  });
});

describe('the whole page', () => {
  it('is what Prometheus reads, with every outcome in it', async () => {
    const { telemetry, tell } = createMetered({ renderMore: renderProcessMetrics });
    for (const outcome of OUTCOMES) {
      const facts = factsOf(outcome, AT);
      tell(
        foldFacts([
          facts.started({ stream: true }),
          facts.attempt(),
          facts.attemptEnded(1, { outcome }),
          facts.ended({ outcome, status: 599 }),
        ]),
      );
    }
    tell(rescuedRequest('r'));
    const { contentType, body } = await telemetry.render();
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    const isOwn = (name: string) => name.startsWith('understudy_');
    const { series, problems } = readExposition(body, isOwn);
    expect(problems).toEqual([]);
    expect(series.filter(({ name }) => name === METRICS.attempts.name)).toHaveLength(OUTCOMES.length + 1);
    const others = new Set(series.flatMap(({ name }) => (isOwn(name) ? [] : name.replace(/_(bucket|sum|count)$/, ''))));
    expect([...others].filter((name) => !Object.hasOwn(PROCESS_METRICS, name))).toEqual([]);
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(series.find((one) => one.name === name)?.value, name).toBeGreaterThan(0);
    // A delay that nobody has measured yet would be three hundred years.
    expect(series.find(({ name }) => name === 'nodejs_eventloop_lag_min_seconds')?.value).toBeLessThan(60);
  });

  it('may be asked for by many at once', async () => {
    const { telemetry, tell } = createMetered({ renderMore: renderProcessMetrics });
    tell(rescuedRequest('r'));
    const pages = await Promise.all(Array.from({ length: 5 }, () => telemetry.render()));
    for (const { body } of pages) expect(readExposition(body, () => false).problems).toEqual([]);
  });

  it('fails where a gauge can not be read, rather than saying something else', async () => {
    const { telemetry } = createMetered({
      inFlight: () => {
        throw new Error('broken');
      },
    });
    await expect(telemetry.render()).rejects.toThrow('broken');
  });
});

describe('the table of metrics', () => {
  it('has names of the product, and buckets that rise', () => {
    const metrics: readonly MetricDefinition[] = Object.values(METRICS);
    for (const { name, type, buckets = [] } of metrics) {
      expect(name).toMatch(/^understudy_[a-z_]+$/);
      expect(buckets.length > 0, name).toBe(type === 'histogram');
      expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    }
    expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
    expect(new Set(Object.values(STATE_CODES)).size).toBe(Object.keys(STATE_CODES).length);
  });
});

describe('counting', () => {
  it('costs little', () => {
    const { telemetry } = createMetered();
    const request = rescuedRequest('req_1');
    const first = attemptOf(request, 1);
    const second = attemptOf(request, 2);
    /** CPU time in µs, which other processes do not change. */
    const costOf = (count: number) => {
      const from = process.cpuUsage();
      for (let n = 0; n < count; n++) {
        telemetry.attemptEnded(request.started, first);
        telemetry.attemptEnded(request.started, second);
        telemetry.requestEnded(request);
      }
      const { user, system } = process.cpuUsage(from);
      return (user + system) / count;
    };
    costOf(20_000);
    const cost = costOf(50_000);
    if (process.env['UNDERSTUDY_COST']) console.log(`${cost.toFixed(2)} µs per request`);
    // About 1 µs for a request with a failover where it was measured.
    expect(cost).toBeLessThan(10);
  });
});
