import { expect, it } from 'vitest';
import { drawSvg } from './draw-svg.ts';
import type { Measured } from './metrics.ts';
import { align, printTable } from './print-table.ts';
import { linesOf, type Result } from './results.ts';
import { WORKLOADS } from './workloads.ts';

function resultOf(name: string, entries: Readonly<Record<string, readonly Measured[]>>): Result {
  const workload = WORKLOADS.find((each) => each.name === name);
  if (workload === undefined) throw new Error(name);
  return {
    workload,
    entries: Object.entries(entries).map(([contestant, rounds]) => ({ name: contestant, rounds, problems: [] })),
  };
}

const JSON_RESULT = resultOf('json-1k', {
  direct: [{ perSecond: 60_000 }, { perSecond: 30_000 }, { perSecond: 50_000 }],
  relay: [
    { perSecond: 20_000, cpu: 50 },
    { perSecond: 10_000, cpu: 52 },
    { perSecond: 21_000, cpu: 48 },
  ],
  'understudy <on>': [
    { perSecond: 15_000, cpu: 75 },
    { perSecond: 7_000, cpu: 78 },
    { perSecond: 16_800, cpu: 72 },
  ],
});

it('tells medians, spreads and ratios', () => {
  const line = linesOf(JSON_RESULT).find(({ name }) => name.startsWith('understudy'));
  expect(line?.spreads.perSecond).toEqual({ median: 15_000, least: 7_000, most: 16_800, rounds: 3 });
  expect(line?.toRelay?.median).toBe(0.75);
  expect(line?.cpuToRelay?.median).toBe(1.5);
  expect(line?.toNginx).toBeNull();
});

it('takes the provider’s own time off, round by round', () => {
  const result = resultOf('open-200', {
    direct: [{ p50: 100 }, { p50: 1_000 }],
    understudy: [{ p50: 400 }, { p50: 1_200 }],
  });
  expect(linesOf(result).map(({ spreads }) => spreads.added?.median)).toEqual([undefined, 250]);
});

it('prints a table with a row for each, and what was wrong', () => {
  const [first, ...others] = JSON_RESULT.entries;
  const wrong = { ...JSON_RESULT, entries: [{ ...first, problems: ['3 wrong answers'] }, ...others] } as Result;
  const lines = printTable(wrong).split('\n');
  expect(lines).toHaveLength(6);
  expect(lines[1]).toMatch(/requests, \/s +spread .* \/ relay +\/ nginx +CPU \/ relay$/);
  expect(lines[4]).toMatch(/^ {2}understudy <on> +15,000 +-53…\+12 % .* 0\.75 × +– +1\.50 ×$/);
  expect(lines[5]).toBe('PROBLEM direct: 3 wrong answers');
});

it('aligns', () => {
  expect(
    align([
      ['', 'n'],
      ['ab', '10'],
    ]),
  ).toEqual(['        n', '  ab   10']);
});

it('draws bars by the values, names escaped, for light and for dark', () => {
  const svg = drawSvg([JSON_RESULT, resultOf('start', {})]);
  const bars = [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map((match) => Number(match[1]));
  expect(bars).toEqual([391.7, 156.7, 117.5]);
  expect(svg).toContain('understudy &#60;on&#62;');
  expect(svg).toContain('15,000 (0.75 × relay)');
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/NaN|undefined|>start</);
});
