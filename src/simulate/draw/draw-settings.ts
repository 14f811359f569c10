import type { Chance } from '../world/chance.ts';
import { between, type Weighted, weigh } from './dice.ts';

type Data = Readonly<Record<string, unknown>>;

/** How often a key is set at all, and to what. */
type Row = readonly [key: string, share: number, values: Weighted<unknown>];

const evenly = (...values: readonly unknown[]): Weighted<unknown> => values.map((value) => [1, value]);

/** Keys of a model whose value is one word or number. */
const WORDS: readonly Row[] = [
  ['commitOn', 0.25, evenly('output', 'answer')],
  ['onEmpty', 0.2, evenly('next', 'accept')],
  ['onContentPolicy', 0.25, evenly('stop', 'next')],
  ['onMalformed', 0.25, evenly('fail', 'drop')],
  ['holdToolEnd', 0.3, evenly(true, 'all', false)],
  ['exhausted', 0.2, evenly('auto', 'status')],
  ['responseModel', 0.2, evenly('upstream', 'virtual')],
  ['usage', 0.25, evenly('ask', 'client')],
  ['replay', 0.25, evenly('auto', 'always', 'safe')],
];

const RETRY: readonly Row[] = [
  ['sameTarget', 0.35, evenly('auto', 0, 1, 2, 3)],
  ['maxAttempts', 0.3, evenly(1, 2, 3, 4, 6, 12)],
  ['waitForCooldown', 0.35, evenly('0s', '500ms', '3s', '10s', '45s', '5m')],
  ['preferSameTarget', 0.3, evenly(true, false)],
];

/** All clocks of an attempt but `firstOutput`, which has to fit into `total`. */
const TIMEOUTS: readonly Row[] = [
  ['connect', 0.25, evenly('50ms', '500ms', '2s', '30s')],
  ['headers', 0.3, evenly('100ms', '1s', '5s', '30s', '5m')],
  ['idle', 0.3, evenly('200ms', '2s', '10s', '45s')],
  ['progress', 0.2, evenly('1s', '10s', '2m')],
  ['whole', 0.3, evenly('300ms', '2s', '15s', '2m')],
  ['commit', 0.25, evenly('400ms', '3s', '20s', '2m')],
];

const PREFLIGHT: readonly Row[] = [
  ['maxBytes', 0.6, evenly('256B', '2KiB', '64KiB')],
  ['maxEvents', 0.6, evenly(1, 4, 16, 200)],
  // Above it an answer is given out unjudged, so that nothing could be promised of it.
  ['maxJson', 0.3, evenly('64KiB', '1MiB')],
];

const KEEPALIVE: Weighted<unknown> = [
  [2, 'off'],
  [2, { after: '100ms', every: '2s' }],
  [2, { after: '1s', every: '1s' }],
  [1, { after: '1ms' }],
  [2, { after: '5s', every: '15s' }],
];

const BREAKER: readonly Row[] = [
  ['failures', 0.5, evenly(1, 2, 3, 5)],
  ['window', 0.4, evenly('10s', '1m', '30m')],
  ['open', 0.55, evenly('500ms', '1s', '3s', '20s')],
  ['maxOpen', 0.3, evenly('20s', '1m', '10m')],
  ['slowFactor', 0.3, evenly(1, 2, 20)],
  ['maxSlowOpen', 0.3, evenly('30s', '5m', '1h')],
];

const COOLDOWN: readonly Row[] = [
  ['rateLimited', 0.4, evenly('200ms', '2s', '30s')],
  ['quota', 0.4, evenly('10s', '2m', '1h')],
  ['auth', 0.4, evenly('5s', '1m', '30m')],
  ['permission', 0.3, evenly('5s', '2m')],
  ['notFound', 0.3, evenly('5s', '2m')],
  ['retired', 0.3, evenly('1m', '2h')],
  ['max', 0.2, evenly('20s', '10m', '2h')],
];

const SERVER: readonly Row[] = [
  ['maxRetryAfter', 0.35, evenly('1s', '10s', '5m', '2h')],
  ['clientStall', 0.35, evenly('500ms', '5s', '20s')],
];

function drawRows(chance: Chance, rows: readonly Row[]): Data {
  const set = rows.filter(([, share]) => chance.happens(share));
  return Object.fromEntries(set.map(([key, , values]) => [key, weigh(chance, values)]));
}

/** A section of the file; left out if nothing in it is set. */
function section(chance: Chance, name: string, share: number, rows: readonly Row[]): Data {
  if (!chance.happens(share)) return {};
  const drawn = drawRows(chance, rows);
  return Object.keys(drawn).length === 0 ? {} : { [name]: drawn };
}

/** Totals of a request (ms) with the first outputs that fit into them. */
const TOTALS: Weighted<readonly [total: number, firsts: readonly number[]]> = [
  [1, [700, [150, 700]]],
  [2, [5000, [150, 1000, 4000]]],
  [2, [30_000, [300, 2000, 10_000, 30_000]]],
  [2, [600_000, [500, 10_000, 60_000, 300_000]]],
  [4, [3_600_000, [500, 2000, 10_000, 120_000, 900_000]]],
];

export type Limits = {
  readonly totalMs: number;
  /** For `modelDefaults`: there they count for pinned models, too. */
  readonly timeouts: Data;
  readonly firsts: readonly number[];
};

/** As the product has them where nobody says anything. */
export const PATIENT: Limits = { totalMs: 3_600_000, timeouts: {}, firsts: [120_000] };

export function drawLimits(chance: Chance): Limits {
  const [totalMs, firsts] = weigh(chance, TOTALS);
  const isDefault = totalMs === 3_600_000;
  const firstOutput = `${chance.pick(firsts)}ms`;
  const timeouts = {
    ...(isDefault ? {} : { total: `${totalMs}ms` }),
    ...(isDefault && chance.happens(0.5) ? {} : { firstOutput }),
  };
  return { totalMs, timeouts, firsts };
}

/** Keys that count for a request as a whole or for each attempt: of a model, or of all. */
export function drawModelSettings(chance: Chance, { firsts }: Limits): Data {
  const timeouts = {
    ...drawRows(chance, chance.happens(0.5) ? TIMEOUTS : []),
    ...(chance.happens(0.2) ? { firstOutput: `${chance.pick(firsts)}ms` } : {}),
  };
  return {
    ...drawRows(chance, WORDS),
    ...section(chance, 'retry', 0.6, RETRY),
    ...(Object.keys(timeouts).length === 0 ? {} : { timeouts }),
    ...section(chance, 'preflight', 0.2, PREFLIGHT),
    ...(chance.happens(0.35) ? { keepalive: weigh(chance, KEEPALIVE) } : {}),
    ...(chance.happens(0.1) ? { defaults: { maxOutputTokens: chance.pick([16, 512]) } } : {}),
  };
}

/** Keys that a provider or a target may have of its own: those of an attempt. */
export function drawAttemptSettings(chance: Chance, { firsts }: Limits): Data {
  const [commit, ...clocks] = [...TIMEOUTS].reverse();
  const timeouts = {
    ...drawRows(chance, commit === undefined ? [] : clocks),
    ...(chance.happens(0.4) ? { firstOutput: `${chance.pick(firsts)}ms` } : {}),
  };
  return {
    ...drawRows(
      chance,
      WORDS.filter(([key]) => key !== 'exhausted'),
    ),
    ...(Object.keys(timeouts).length === 0 ? {} : { timeouts }),
    ...(chance.happens(0.2)
      ? {
          retry: drawRows(
            chance,
            RETRY.filter(([key]) => key === 'sameTarget'),
          ),
        }
      : {}),
  };
}

/** Opens soon, and for a small part of so long. */
function drawQuickBreaker(chance: Chance, recoversMs: number): Data {
  const openMs = Math.max(1, Math.round(recoversMs / between(chance, 20, 60)));
  return { failures: chance.pick([1, 2, 3]), open: `${openMs}ms`, maxOpen: `${2 * openMs}ms` };
}

/** Sections of the whole gateway: `health` and `server`. */
export function drawGateway(chance: Chance, recoversMs: number | null): Data {
  const breaker =
    recoversMs === null ? section(chance, 'breaker', 0.6, BREAKER) : { breaker: drawQuickBreaker(chance, recoversMs) };
  const health = { ...breaker, ...section(chance, 'cooldown', 0.45, COOLDOWN) };
  return {
    ...(Object.keys(health).length === 0 ? {} : { health }),
    ...section(chance, 'server', 0.4, SERVER),
  };
}
