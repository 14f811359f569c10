import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS, STATE_CODES } from '../../src/adapter/telemetry-prometheus/metrics.ts';
import { renderProcessMetrics } from '../../src/adapter/telemetry-prometheus/process-metrics.ts';
import { OUTCOMES } from '../../src/core/failure/outcome.ts';
import { listScopes } from '../../src/core/health/list-scopes.ts';
import { createHealthState } from '../../src/core/health/state.ts';
import { readExposition } from '../kit/exposition.ts';
import { AT, BACKLOG, createMetered, PROBE, rescuedRequest } from '../kit/metered.ts';
import { makeRoute } from '../kit/samples.ts';
import { TOP } from './source.ts';

// What dashboards and alarms ask for is on the page that a gateway really prints.

const read = (file: string): string => readFileSync(join(TOP, file), 'utf8');

type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly mappings?: readonly { readonly options: object }[] } };
};
type Dashboard = {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { query: string } }[];
  };
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
};

const dashboard: Dashboard = JSON.parse(read('deploy/grafana/understudy.json'));
const alerts: readonly { readonly alert: string; readonly expr: string }[] = parse(read('deploy/alerts.yaml')).groups[0]
  .rules;

/** Labels that whoever scrapes adds. */
const SCRAPED = ['job', 'instance'];

/** Labels of each series of the page, by its name. */
const printed = new Map<string, Set<string>>();

beforeAll(async () => {
  const route = makeRoute('a');
  const { telemetry, page, tell } = createMetered({
    scopes: () => listScopes(createHealthState(), [route], AT),
    backlog: () => BACKLOG,
    droppedMembers: () => 0,
    lostSpans: () => 0,
    renderMore: renderProcessMetrics,
  });
  tell(rescuedRequest('r1'));
  telemetry.probeEnded({ ...PROBE, state: 'ready' });
  const { series, problems } = readExposition(await page(), (name) => name.startsWith('understudy_'));
  if (problems.length > 0) throw new Error(problems.join('; '));
  for (const { name, labels } of series) {
    const known = printed.get(name) ?? new Set(SCRAPED);
    for (const label of Object.keys(labels)) known.add(label);
    printed.set(name, known);
  }
});

const SELECTOR = /\b((?:understudy|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;

/** What of a query can't be answered. */
function complaintsOf(query: string, legend = ''): readonly string[] {
  const asked = [...query.matchAll(SELECTOR)];
  const of = (name: string): ReadonlySet<string> => printed.get(name) ?? new Set();
  const all = new Set(asked.flatMap(([, name = '']) => [...of(name)]));
  const grouped = [...query.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(','));
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
  const kept = new Set(grouped.map((label) => label.trim()));
  return [
    ...(asked.length === 0 ? ['it asks for nothing'] : []),
    ...asked.filter(([, name = '']) => !printed.has(name)).map(([, name]) => `there is no ${name}`),
    ...asked.flatMap(([, name = '', matchers = '']) =>
      [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)].flatMap(([, label = '', value = '']) => [
        ...(of(name).has(label) ? [] : [`${name} has no label ${label}`]),
        ...(label === 'outcome' ? value.split('|').filter((word) => !OUTCOMES.some((known) => known === word)) : []),
      ]),
    ),
    ...[...kept].filter((label) => !all.has(label)).map((label) => `nothing has the label ${label}`),
    ...shown
      .filter((label) => (grouped.length > 0 ? !kept.has(label) : !all.has(label)))
      .map((label) => `no ${label} to show`),
  ];
}

describe('the alarms', () => {
  it.each(alerts.filter(({ expr }) => !expr.startsWith('up{')))('$alert', ({ expr }) => {
    expect(complaintsOf(expr)).toEqual([]);
  });
});

describe('the dashboard', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  it.each(panels)('$title', ({ targets = [], description = '', fieldConfig }) => {
    expect(description).not.toBe('');
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr, legendFormat } of targets) expect(complaintsOf(expr, legendFormat), expr).toEqual([]);
    const [mapping] = fieldConfig?.defaults.mappings ?? [];
    if (mapping !== undefined) {
      const words = Object.entries(STATE_CODES).map(([word, code]) => [String(code), word.replace('_', ' ')]);
      expect(Object.entries(mapping.options).map(([code, { text }]) => [code, text])).toEqual(words);
    }
  });

  it('fills its variables from what is there', () => {
    const queries = dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
    expect(queries).toHaveLength(3);
    for (const query of queries) {
      const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? [];
      expect(complaintsOf(`sum by (${label}) (${selector})`), query).toEqual([]);
    }
    for (const { expr } of dashboard.annotations.list) expect(complaintsOf(expr)).toEqual([]);
    const names = new Set(dashboard.templating.list.map(({ name }) => name));
    const used = JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g);
    const foreign = [...used].map(([, name = '']) => name).filter((name) => !names.has(name) && !name.startsWith('__'));
    expect(foreign).toEqual([]);
  });

  it('shows every metric of the gateway that tells how it goes', () => {
    const shown = JSON.stringify(dashboard);
    const left = Object.values(METRICS).filter(({ name }) => !shown.includes(name));
    expect(left.map(({ name }) => name)).toEqual([
      'understudy_ledger_last_write_timestamp_seconds',
      'understudy_ledger_trouble',
    ]);
  });

  it('has no two panels in one place, or of one number', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});
