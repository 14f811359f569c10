import { SIZE_PATTERN, writeSize } from '../../config/units.ts';
import { PROTOCOL_NAMES } from './schema.ts';
import { writeRate, writeSends, writeShare, writeTime } from './write-words.ts';

/** A member by its name in a script and in a scenario, and how a script has its value. */
export type Member = {
  readonly script: string;
  readonly scenario: string;
  readonly write: (value: never) => unknown;
};

const member = (script: string, scenario: string, write: Member['write']): Member => ({ script, scenario, write });
const same = (name: string): Member => member(name, name, (value: unknown) => value);
const timed = (script: string, scenario: string): Member => member(script, scenario, writeTime);
const timedOrNever = (script: string, scenario: string): Member =>
  member(script, scenario, (ms: number | null) => (ms === null ? 'never' : writeTime(ms)));
const sized = (script: string, scenario: string): Member =>
  member(script, scenario, (size: number) => {
    const text = writeSize(size);
    // Where no unit fits, bytes do.
    return new RegExp(SIZE_PATTERN).test(text) ? text : `${size}B`;
  });

export const SHAPE: readonly Member[] = [
  same('stream'),
  sized('bytes', 'bytes'),
  same('turns'),
  same('tools'),
  same('endsWithToolResult'),
  same('unsafe'),
  same('textTool'),
  same('foreignState'),
  same('maxOutputTokens'),
  same('asksUsage'),
  same('key'),
  same('session'),
  same('failover'),
  timed('timeout', 'timeoutMs'),
];

export const CLIENT: readonly Member[] = [
  same('retries'),
  timed('leavesAfter', 'leavesAfterMs'),
  same('leavesAfterWords'),
  sized('window', 'windowBytes'),
  timedOrNever('drain', 'drainMs'),
];

export const ROW: readonly Member[] = [
  member('sends', 'sends', writeSends),
  member('share', 'share', writeShare),
  member('flap', 'flap', (flap: { onMs: number; offMs: number }) => ({
    on: writeTime(flap.onMs),
    off: writeTime(flap.offMs),
  })),
];

export const BEHAVIOUR: readonly Member[] = [
  timedOrNever('connect', 'connectMs'),
  same('refuses'),
  same('reused'),
  timedOrNever('head', 'headMs'),
  member('status', 'status', (status: number | null) => status ?? 'none'),
  same('headers'),
  timed('retryAfter', 'retryAfterMs'),
  same('toldAs'),
  same('error'),
  same('body'),
  same('words'),
  same('blank'),
  same('reasoning'),
  same('tools'),
  same('parallel'),
  timed('firstWord', 'firstWordMs'),
  timed('word', 'wordMs'),
  same('pings'),
  same('finish'),
  same('usage'),
  same('hiddenTokens'),
  same('needsTokens'),
  same('otherShape'),
  same('fault'),
  same('quirks'),
  same('reads'),
  same('readAhead'),
  same('echoes'),
  timed('end', 'endMs'),
];

/** Null and an absent limit are the same. */
export const ACCOUNT: readonly Member[] = [
  same('account'),
  same('perModel'),
  member('rate', 'perMinute', (perMinute: number) => writeRate(perMinute, 60)),
  same('burst'),
  same('concurrency'),
  same('total'),
  same('tells'),
];

export const SHORT_PROTOCOLS = new Map(
  Object.entries(PROTOCOL_NAMES).flatMap(([name, protocol]) => (name === protocol ? [] : [[protocol as string, name]])),
);

/** What is there under the names of the one side, under those of the other. */
export function rename(from: Readonly<Record<string, unknown>>, members: readonly Member[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { script, scenario } of members) if (from[script] !== undefined) out[scenario] = from[script];
  return out;
}

/** The other way round, with values as a script has them. */
export function write(from: Readonly<Record<string, unknown>>, members: readonly Member[]): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { script, scenario, write } of members) {
    if (from[scenario] !== undefined) out[script] = write(from[scenario] as never);
  }
  return out;
}
