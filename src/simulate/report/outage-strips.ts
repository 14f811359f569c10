import type { Outage } from './report.ts';
import { cut, round, textNode } from './svg.ts';

const STRIP = { height: 8, gap: 32, most: 8 };
/** Of the title, and of the line that tells of what is not drawn. */
const HEAD = 30;
const REST = 20;

type Strips = { readonly height: number; readonly draw: (place: StripPlace) => readonly string[] };

type StripPlace = {
  readonly top: number;
  readonly left: number;
  readonly right: number;
  readonly lastMs: number;
  readonly x: (ms: number) => number;
};

/** A line for each scope that was out of service, the first to go first. */
export function stripsOf(all: readonly Outage[], lastMs: number): Strips {
  const byId = new Map<string, Outage[]>();
  for (const outage of all.filter(({ from_ms: from }) => from < lastMs)) {
    const key = outage.scope === 'route' ? outage.id : `${outage.id} (${outage.scope})`;
    byId.set(key, [...(byId.get(key) ?? []), outage]);
  }
  const shown = [...byId].slice(0, STRIP.most);
  const rest = byId.size - shown.length;
  if (shown.length === 0) return { height: 0, draw: () => [] };
  return {
    height: HEAD + shown.length * STRIP.gap + (rest === 0 ? 0 : REST),
    draw: (place) => [
      textNode(place.left, place.top + 14, 'Out of service', 'class="head"'),
      ...shown.flatMap(([name, outages], i) => drawStrip(name, outages, place.top + HEAD + i * STRIP.gap, place)),
      ...(rest === 0
        ? []
        : [textNode(place.left, place.top + HEAD + shown.length * STRIP.gap + 10, `and ${rest} more`, 'class="dim"')]),
    ],
  };
}

function drawStrip(
  name: string,
  outages: readonly Outage[],
  top: number,
  { left, right, lastMs, x }: StripPlace,
): readonly string[] {
  const y = top + 16;
  const middle = y + STRIP.height / 2;
  return [
    textNode(left, top + 10, cut(name, 54)),
    `<line class="line" x1="${left}" x2="${right}" y1="${middle}" y2="${middle}"/>`,
    ...outages.map(({ from_ms: from, back_ms: back, states }) => {
      const wide = Math.max(1.5, round(x(back ?? lastMs) - x(from)));
      const mark = states.every((state) => state === 'slow') ? 'soft' : 'out';
      return `<rect class="${mark}" x="${x(from)}" y="${y}" width="${wide}" height="${STRIP.height}"/>`;
    }),
  ];
}
