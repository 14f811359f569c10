import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { stacked } from './stacked.ts';

type Look = {
  readonly label: string;
  /** A colour of the theme: `good`, `bad` … */
  readonly color: string;
};

export type Part = Look & { readonly values: readonly number[] };

type SeriesChartProps = {
  /** What it shows, for who can't see it. */
  readonly label: string;
  /** Epoch seconds, or seconds from a begin with `isSpan`. */
  readonly times: readonly number[];
  /** From the foot of a bar to its top. */
  readonly parts: readonly Part[];
  readonly height?: number;
  readonly isSpan?: boolean;
};

/** Counts over time, as bars of parts that add up. Colours follow the theme; the numbers are in the page as well. */
export function SeriesChart({ label, times, parts, height = 170, isSpan = false }: SeriesChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  // A chart is made anew for other parts, and told of new values.
  const looks = JSON.stringify(parts.map(({ label: name, color }): Look => ({ label: name, color })));

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const shown = JSON.parse(looks) as readonly Look[];
    const options = optionsOf(shown.toReversed(), { width: element.clientWidth, height, isSpan });
    const made = new uPlot(options, [[], ...shown.map(() => [])], element);
    chart.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    const repaint = (): void => made.redraw(false);
    const themes = new MutationObserver(repaint);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', repaint);
    return () => {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener('change', repaint);
      made.destroy();
      chart.current = null;
    };
  }, [looks, height, isSpan]);

  useEffect(() => {
    // The tallest is drawn first, so that the others stand before it.
    chart.current?.setData([[...times], ...stacked(parts.map(({ values }) => values)).toReversed()]);
  }, [times, parts]);

  return (
    <figure>
      <div ref={place} role="img" aria-label={label} className="w-full overflow-hidden" />
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        {parts.map((part) => (
          <span key={part.label} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="size-2 rounded-[2px]"
              style={{ background: `var(--color-${part.color})` }}
            />
            {part.label}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** `light-dark()` means something only where it is used: ask an element for it. */
function colorOf(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--color-${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const INCREMENTS = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1000, 10_000, 100_000].map((ten) => step * ten))
  .sort((a, b) => a - b);
const STEPS_S = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const fine = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const nameTimes = (isSpan: boolean) => (_chart: uPlot, splits: number[]) =>
  splits.map((at) => {
    if (isSpan) return at < 60 ? `${at} s` : `${Math.floor(at / 60)} m${at % 60 === 0 ? '' : ` ${at % 60} s`}`;
    return (at % 60 === 0 ? clock : fine).format(at * 1000);
  });

type Frame = { readonly width: number; readonly height: number; readonly isSpan: boolean };

function optionsOf(looks: readonly Look[], { width, height, isSpan }: Frame): uPlot.Options {
  const axis = {
    stroke: () => colorOf('muted'),
    ticks: { show: false },
    font: '11px ui-sans-serif, system-ui, sans-serif',
  };
  const bars = uPlot.paths.bars?.({ size: [0.72, 28], align: 0 });
  return {
    width,
    height,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: !isSpan },
      y: { range: (_chart, _min, max) => [0, Math.max(Math.ceil(max * 1.05), 2)] },
    },
    axes: [
      { ...axis, size: 24, space: 72, incrs: STEPS_S, grid: { show: false }, values: nameTimes(isSpan) },
      { ...axis, size: 34, space: 36, incrs: INCREMENTS, grid: { stroke: () => colorOf('line'), width: 1 } },
    ],
    series: [
      {},
      ...looks.map(({ color, label }) => ({
        label,
        fill: () => colorOf(color),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
}
