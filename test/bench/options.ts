import { parseArgs } from 'node:util';
import { WORKLOADS, type Workload } from './workloads.ts';

export type BenchOptions = {
  readonly workloads: readonly Workload[];
  readonly rounds: number;
  /** Measured time of one contestant in one round. */
  readonly seconds: number;
  readonly isQuick: boolean;
  readonly withPrices: boolean;
  readonly withPortkey: boolean;
  /** Contestants by name; null: all. */
  readonly only: readonly string[] | null;
  /** Where the figures go as JSON, and as a chart. */
  readonly json: string | null;
  readonly svg: string | null;
};

export const USAGE = `npm run bench -- [WORKLOAD ...] [--quick] [--rounds N] [--seconds N] [--prices] [--portkey]
                       [--only NAME,NAME] [--json FILE] [--svg FILE]

${WORKLOADS.map(({ name, what }) => `  ${name.padEnd(16)}${what}`).join('\n')}`;

/** Throws an Error in words for an unknown workload or option, or a number that is none. */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      prices: { type: 'boolean', default: false },
      portkey: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const count = (name: string, text: string | undefined, otherwise: number): number => {
    const value = Number(text ?? otherwise);
    if (text?.trim() === '' || !Number.isSafeInteger(value) || value < 1)
      throw new Error(`--${name} ${text}: no such number`);
    return value;
  };
  return {
    workloads: pickWorkloads(positionals, values.quick),
    rounds: count('rounds', values.rounds, values.quick ? 2 : 5),
    seconds: count('seconds', values.seconds, values.quick ? 1 : 3),
    isQuick: values.quick,
    withPrices: values.prices,
    withPortkey: values.portkey,
    only: values.only === undefined ? null : values.only.split(',').map((name) => name.trim()),
    json: values.json ?? null,
    svg: values.svg ?? null,
  };
}

/** Those that are named, in the order of the table; all of them, or the cheap ones, if none is. */
function pickWorkloads(names: readonly string[], isQuick: boolean): readonly Workload[] {
  const unknown = names.filter((name) => !WORKLOADS.some((workload) => workload.name === name));
  if (unknown.length > 0) {
    throw new Error(`No workload ${unknown.join(', ')}; there are ${WORKLOADS.map(({ name }) => name).join(', ')}`);
  }
  return WORKLOADS.filter(({ name, isCheap }) => (names.length > 0 ? names.includes(name) : isCheap || !isQuick));
}
