import { parseArgs } from 'node:util';

export type SoakOptions = {
  /** Most requests; null: as many as the time allows. */
  readonly requests: number | null;
  /** How long the load is kept up; null: until all requests are over. */
  readonly minutes: number | null;
  readonly concurrency: number;
  /** Share of sends that fail, 0 to 1. */
  readonly faults: number;
  readonly seed: number;
  /** Where the sums go as JSON; null: nowhere. */
  readonly report: string | null;
};

/** Throws an Error in words for an option that is no such number. Without a number of requests or minutes: 10,000 requests. */
export function readSoakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string' },
      minutes: { type: 'string' },
      concurrency: { type: 'string', default: '100' },
      faults: { type: 'string', default: '0.3' },
      seed: { type: 'string' },
      report: { type: 'string' },
    },
  });
  const number = (name: string, text: string, isRight: (value: number) => boolean): number => {
    const value = Number(text);
    if (text.trim() === '' || !isRight(value)) throw new Error(`--${name} ${text}: no such number`);
    return value;
  };
  const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
  const minutes = values.minutes === undefined ? null : number('minutes', values.minutes, (value) => value > 0);
  const requests = values.requests === undefined ? null : number('requests', values.requests, isCount);
  return {
    requests: requests ?? (minutes === null ? 10_000 : null),
    minutes,
    concurrency: number('concurrency', values.concurrency, isCount),
    faults: number('faults', values.faults, (value) => value >= 0 && value <= 1),
    seed:
      values.seed === undefined
        ? Math.floor(Math.random() * 2 ** 31)
        : number('seed', values.seed, (value) => Number.isSafeInteger(value) && value >= 0),
    report: values.report ?? null,
  };
}
