import { METRICS, metricsOf } from './metrics.ts';
import { type Line, linesOf, type Result, showValue } from './results.ts';

const WIDTH = 860;
const NAMES = 190;
const BAR = 470;
const ROW = 20;
const GAP = 34;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 }
  .faint, .value { fill: #57606a }
  rect { fill: #9aa4af }
  .own { fill: #1f6feb }
  .spread { stroke: #24292f; stroke-width: 1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .faint, .value { fill: #9da7b3 }
    rect { fill: #6e7681 }
    .own { fill: #58a6ff }
    .spread { stroke: #e6edf3 }
  }`;

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Bars for the first value of each workload, with the spread of the rounds. Readable on light and on dark ground. */
export function drawSvg(results: readonly Result[]): string {
  let top = 10;
  const parts: string[] = [];
  for (const result of results) {
    const [metric = 'perSecond'] = metricsOf(result.workload);
    const { label, unit, isMoreBetter } = METRICS[metric];
    const lines = linesOf(result).filter(({ spreads }) => spreads[metric] !== undefined);
    if (lines.length === 0) continue;
    const most = Math.max(...lines.map(({ spreads }) => spreads[metric]?.most ?? 0), Number.MIN_VALUE);
    const better = isMoreBetter ? 'more is better' : 'less is better';
    parts.push(
      `<text class="title" x="0" y="${top + 14}">${escapeXml(result.workload.name)}</text>`,
      `<text class="faint" x="${NAMES}" y="${top + 14}">${escapeXml(`${label}, ${unit}; ${better}`)}</text>`,
      ...lines.map((line, i) => bar(line, metric, top + 22 + i * ROW, BAR / most)),
    );
    top += 22 + lines.length * ROW + GAP - ROW / 2;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-label="Measured speed of gateways">
<style>${STYLE}
</style>
${parts.join('\n')}
</svg>
`;
}

function bar({ name, spreads, toRelay }: Line, metric: keyof Line['spreads'], y: number, scale: number): string {
  const { median, least, most } = spreads[metric] ?? { median: 0, least: 0, most: 0 };
  const at = (value: number): string => (NAMES + Math.max(0, value) * scale).toFixed(1);
  const isOwn = name.startsWith('understudy');
  const ratio = toRelay === null || name === 'relay' ? '' : ` (${toRelay.median.toFixed(2)} × relay)`;
  return [
    `<text x="0" y="${y + 12}">${escapeXml(name)}</text>`,
    `<rect${isOwn ? ' class="own"' : ''} x="${NAMES}" y="${y + 2}" width="${Math.max(1, Math.max(0, median) * scale).toFixed(1)}" height="13" rx="2"/>`,
    `<line class="spread" x1="${at(least)}" x2="${at(most)}" y1="${y + 8.5}" y2="${y + 8.5}"/>`,
    `<text class="value" x="${(NAMES + Math.max(0, most) * scale + 6).toFixed(1)}" y="${y + 12}">${escapeXml(showValue(metric, median) + ratio)}</text>`,
  ].join('');
}
