import { stripsOf } from './outage-strips.ts';
import type { Report } from './report.ts';
import { cut, escapeXml, HATCH, round, styleOf, textNode, writeMoment, writeSpan } from './svg.ts';
import { type Layer, layersOf, sum } from './traffic-layers.ts';

const WIDTH = 480;
/** As wide as it is drawn where there is room. */
const SHOWN_WIDTH = 760;
const PLOT = { left: 44, right: 466, height: 160 };
/** What a letter takes, and a line of names, where texts are largest. */
const LETTER = 7.6;
const LINE = 22;

/** Traffic share over time: who answered, stacked, with the failures on top, and below it what was out of service. */
export function drawTraffic(report: Report): string {
  const { traffic, outages } = report;
  const layers = layersOf(report);
  const names = legendOf(layers);
  const totals = traffic.failed.map((_, i) => sum(layers.map(({ counts }) => counts[i] ?? 0)));
  const top = 46 + names.lines * LINE + 18;
  const scale = scaleOf(Math.max(1, ...totals), traffic.bucket_ms * totals.length, top);
  const strips = stripsOf(outages, scale.lastMs);
  const below = top + PLOT.height + 36;
  const height = below + (strips.height === 0 ? 0 : strips.height + 10);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${SHOWN_WIDTH}" height="${Math.round((height * SHOWN_WIDTH) / WIDTH)}" style="max-width:100%;height:auto" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif">`,
    `<title id="t">Who answered, over time</title>`,
    `<desc id="d">${escapeXml(describe(report))}</desc>`,
    styleOf(layers.length),
    HATCH,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    textNode(PLOT.left, 24, 'Who answered, over time', 'class="head"'),
    ...names.nodes,
    ...axes(scale, traffic.bucket_ms),
    ...areas(layers, traffic.bucket_ms, scale),
    ...strips.draw({ ...PLOT, ...scale, top: below }),
    '</svg>',
    '',
  ].join('\n');
}

type Scale = {
  readonly top: number;
  readonly most: number;
  readonly lastMs: number;
  readonly x: (ms: number) => number;
  readonly y: (count: number) => number;
};

function scaleOf(highest: number, lastMs: number, top: number): Scale {
  const most = niceAbove(highest);
  return {
    top,
    most,
    lastMs,
    x: (ms) => round(PLOT.left + (Math.min(ms, lastMs) / lastMs) * (PLOT.right - PLOT.left)),
    y: (count) => round(top + PLOT.height * (1 - count / most)),
  };
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((nice) => nice >= value) ?? value;
}

/** Names in the colours of their areas, in as few lines as they need. */
function legendOf(layers: readonly Layer[]): { readonly lines: number; readonly nodes: readonly string[] } {
  let x = PLOT.left;
  let line = 0;
  const nodes = layers.flatMap(({ name, mark, counts }) => {
    const label = `${cut(name, 40)} ${sum(counts)}`;
    const wide = 18 + label.length * LETTER + 12;
    if (x + wide > PLOT.right && x > PLOT.left) {
      x = PLOT.left;
      line += 1;
    }
    const at = x;
    const y = 50 + line * LINE;
    x = round(x + wide);
    return [
      `<rect class="${mark}" x="${at}" y="${y - 10}" width="12" height="11" rx="2"/>`,
      textNode(at + 18, y, label),
    ];
  });
  return { lines: line + 1, nodes };
}

function axes({ top, most, lastMs, x, y }: Scale, bucketMs: number): readonly string[] {
  const rows = [0, most / 2, most].filter((value) => Number.isInteger(value));
  const stepMs = TICKS_MS.find((step) => lastMs / step <= 6) ?? lastMs;
  const ticks = Array.from({ length: Math.floor(lastMs / stepMs) + 1 }, (_, i) => i * stepMs);
  return [
    textNode(PLOT.left, top - 8, `requests in ${writeSpan(bucketMs)}`, 'class="dim"'),
    ...rows.flatMap((value) => [
      `<line class="line" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(value)}" y2="${y(value)}"/>`,
      textNode(PLOT.left - 6, y(value) + 4, String(value), 'class="dim" text-anchor="end"'),
    ]),
    ...ticks.map((ms) => {
      // The last one would stand over the edge.
      const anchor = x(ms) > PLOT.right - 12 ? 'end' : 'middle';
      return textNode(x(ms), top + PLOT.height + 18, writeMoment(ms), `class="dim" text-anchor="${anchor}"`);
    }),
  ];
}

const TICKS_MS = [
  100, 500, 1000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000,
  21_600_000, 86_400_000, 604_800_000,
];

/** Each layer in steps, one for a stretch of time, above those before it. */
function areas(layers: readonly Layer[], bucketMs: number, scale: Scale): readonly string[] {
  let below: readonly number[] = (layers[0]?.counts ?? []).map(() => 0);
  return layers.map(({ name, mark, counts }) => {
    const above = below.map((count, i) => count + (counts[i] ?? 0));
    const points = [...stepsOf(above, bucketMs, scale), ...stepsOf(below, bucketMs, scale).reverse()];
    below = above;
    return `<path class="${mark} edge" d="M${points.join('L')}Z"><title>${escapeXml(name)}: ${sum(counts)}</title></path>`;
  });
}

const stepsOf = (counts: readonly number[], bucketMs: number, { x, y }: Scale): string[] =>
  counts.flatMap((count, i) => [`${x(i * bucketMs)} ${y(count)}`, `${x((i + 1) * bucketMs)} ${y(count)}`]);

function describe({ requests, served, lasted_ms: lastedMs }: Report): string {
  const by = served.map(({ target, count }) => `${target} answered ${count}`).join(', ');
  return `${requests.total} requests in ${writeMoment(lastedMs)}: ${by === '' ? 'nobody answered' : by}; ${requests.failed} failed.`;
}
