import type { Outage, Report } from './report.ts';
import { escapeXml, round, textNode } from './svg.ts';

const WIDTH = 720;
const PLOT = { left: 52, right: 704, top: 76, height: 200 };
const STRIP = { height: 8, gap: 28, most: 8 };

/** Told apart by most people with a weakness for colours, on light and on dark. */
const LIGHT = ['#3b6fb6', '#d98b1f', '#3f9d76', '#8d63b0', '#b0578a', '#6b7f1e', '#2f93a8', '#8a6a4f'];
const DARK = ['#7aa7e6', '#f0b45a', '#6fcfa5', '#bd9ae0', '#e08bbd', '#a9bf55', '#6cc6da', '#c0a285'];

/** Traffic share over time: who answered, stacked, with the failures on top, and below it what was out of service. */
export function drawTraffic(report: Report): string {
  const { traffic, outages } = report;
  const strips = stripsOf(outages);
  const totals = traffic.failed.map((failed, i) => failed + sum(traffic.series.map(({ counts }) => counts[i] ?? 0)));
  const scale = scaleOf(Math.max(1, ...totals), traffic.bucket_ms * totals.length);
  const height = PLOT.top + PLOT.height + 44 + (strips.length === 0 ? 0 : 34 + strips.length * STRIP.gap);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="12">`,
    `<title id="t">Who answered, over time</title>`,
    `<desc id="d">${escapeXml(describe(report))}</desc>`,
    style(traffic.series.length),
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    textNode(PLOT.left, 24, 'Who answered, over time', 'class="head"'),
    ...legend(report),
    ...axes(scale, traffic.bucket_ms),
    ...areas(report, scale),
    ...drawStrips(strips, scale),
    '</svg>',
    '',
  ].join('\n');
}

type Scale = {
  readonly most: number;
  readonly lastMs: number;
  readonly x: (ms: number) => number;
  readonly y: (count: number) => number;
};

function scaleOf(highest: number, lastMs: number): Scale {
  const most = niceAbove(highest);
  return {
    most,
    lastMs,
    x: (ms) => round(PLOT.left + (Math.min(ms, lastMs) / lastMs) * (PLOT.right - PLOT.left)),
    y: (count) => round(PLOT.top + PLOT.height * (1 - count / most)),
  };
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((nice) => nice >= value) ?? value;
}

function style(series: number): string {
  const colours = (palette: readonly string[]): string =>
    Array.from({ length: series }, (_, i) => `.s${i}{fill:${palette[i % palette.length]}}`).join('');
  const light = `.ground{fill:#fff}text{fill:#333}.dim{fill:#6b6b6b}.head{font-size:15px;font-weight:600}.line{stroke:#d8d8d8;stroke-width:1}.edge{stroke:#fff;stroke-width:.75}.failed{fill:#c62f2f}.out{fill:#c62f2f}.soft{fill:#d9a92f}`;
  const dark = `.ground{fill:#16181d}text{fill:#e4e4e4}.dim{fill:#a2a2a2}.line{stroke:#3a3d45}.edge{stroke:#16181d}.failed{fill:#ff6b6b}.out{fill:#ff6b6b}.soft{fill:#e5c25c}`;
  return `<style>${light}${colours(LIGHT)}@media (prefers-color-scheme:dark){${dark}${colours(DARK)}}</style>`;
}

/** Names in the colours of their areas, in as few lines as they need. */
function legend({ traffic, served, requests }: Report): readonly string[] {
  const entries = [
    ...traffic.series.map(({ target }, i) => ({ name: target, mark: `s${i}`, count: served[i]?.count ?? 0 })),
    ...(requests.failed === 0 ? [] : [{ name: 'failed', mark: 'failed', count: requests.failed }]),
  ];
  let x = PLOT.left;
  let y = 44;
  return entries.slice(0, 8).flatMap(({ name, mark, count }) => {
    const label = `${cut(name, 34)} ${count}`;
    const wide = 20 + label.length * 6.6 + 14;
    if (x + wide > PLOT.right && x > PLOT.left) {
      x = PLOT.left;
      y += 18;
    }
    const at = x;
    x = round(x + wide);
    return [
      `<rect class="${mark}" x="${at}" y="${y - 9}" width="12" height="10" rx="2"/>`,
      textNode(at + 18, y, label),
    ];
  });
}

function axes({ most, lastMs, x, y }: Scale, bucketMs: number): readonly string[] {
  const rows = [0, most / 2, most].filter((value) => Number.isInteger(value));
  const stepMs = TICKS_MS.find((step) => lastMs / step <= 7) ?? lastMs;
  const ticks = Array.from({ length: Math.floor(lastMs / stepMs) + 1 }, (_, i) => i * stepMs);
  return [
    ...rows.flatMap((value) => [
      `<line class="line" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(value)}" y2="${y(value)}"/>`,
      textNode(PLOT.left - 8, y(value) + 4, String(value), 'class="dim" text-anchor="end"'),
    ]),
    ...ticks.map((ms) =>
      textNode(x(ms), PLOT.top + PLOT.height + 18, writeMoment(ms), 'class="dim" text-anchor="middle"'),
    ),
    textNode(
      PLOT.right,
      PLOT.top + PLOT.height + 36,
      `requests in ${writeMoment(bucketMs)}`,
      'class="dim" text-anchor="end"',
    ),
  ];
}

const TICKS_MS = [
  100, 500, 1000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000,
  21_600_000,
];

export function writeMoment(ms: number): string {
  if (ms < 1000) return ms === 0 ? '0' : `${ms} ms`;
  if (ms < 60_000) return `${ms / 1000} s`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1000;
  return seconds === 0 ? `${minutes} m` : `${minutes} m ${seconds} s`;
}

/** Each layer in steps, one for a stretch of time, above those before it. */
function areas({ traffic }: Report, scale: Scale): readonly string[] {
  const layers = [
    ...traffic.series.map(({ target, counts }, i) => ({ name: target, mark: `s${i}`, counts })),
    { name: 'failed', mark: 'failed', counts: traffic.failed },
  ].filter(({ counts }) => counts.some((count) => count > 0));
  let below: readonly number[] = traffic.failed.map(() => 0);
  return layers.map(({ name, mark, counts }) => {
    const above = below.map((count, i) => count + (counts[i] ?? 0));
    const points = [...stepsOf(above, traffic.bucket_ms, scale), ...stepsOf(below, traffic.bucket_ms, scale).reverse()];
    below = above;
    return `<path class="${mark} edge" d="M${points.join('L')}Z"><title>${escapeXml(name)}: ${sum(counts)}</title></path>`;
  });
}

const stepsOf = (counts: readonly number[], bucketMs: number, { x, y }: Scale): string[] =>
  counts.flatMap((count, i) => [`${x(i * bucketMs)} ${y(count)}`, `${x((i + 1) * bucketMs)} ${y(count)}`]);

type Strip = { readonly id: string; readonly outages: readonly Outage[] };

/** Each scope that was out of service, the first to go first. */
function stripsOf(outages: readonly Outage[]): readonly Strip[] {
  const byId = new Map<string, Outage[]>();
  for (const outage of outages) byId.set(outage.id, [...(byId.get(outage.id) ?? []), outage]);
  return [...byId].slice(0, STRIP.most).map(([id, all]) => ({ id, outages: all }));
}

function drawStrips(strips: readonly Strip[], { x, lastMs }: Scale): readonly string[] {
  if (strips.length === 0) return [];
  const top = PLOT.top + PLOT.height + 62;
  return [
    textNode(PLOT.left, top - 6, 'Out of service', 'class="head"'),
    ...strips.flatMap(({ id, outages }, i) => {
      const y = top + 20 + i * STRIP.gap;
      const bars = outages
        .filter(({ from_ms: from }) => from < lastMs)
        .map(({ from_ms: from, back_ms: back, states }) => {
          const wide = Math.max(1.5, round(x(back ?? lastMs) - x(from)));
          return `<rect class="${states.every((state) => state === 'slow') ? 'soft' : 'out'}" x="${x(from)}" y="${y}" width="${wide}" height="${STRIP.height}"/>`;
        });
      const middle = y + STRIP.height / 2;
      const line = `<line class="line" x1="${PLOT.left}" x2="${PLOT.right}" y1="${middle}" y2="${middle}"/>`;
      return [textNode(PLOT.left, y - 5, cut(id, 90)), line, ...bars];
    }),
  ];
}

function describe({ requests, served, lasted_ms: lastedMs }: Report): string {
  const by = served.map(({ target, count }) => `${target} answered ${count}`).join(', ');
  return `${requests.total} requests in ${writeMoment(lastedMs)}: ${by === '' ? 'nobody answered' : by}; ${requests.failed} failed.`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
