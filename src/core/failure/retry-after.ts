import type { Headers } from '../model/protocol.ts';
import type { ProviderError } from './signal.ts';
import { parseDuration, parseHttpDate, parsePlainNumber, parseWait, readAmount } from './told-time.ts';

/**
 * How far the reset headers of rate-limit budgets are believed. `all`: an answer that says "rate limited". `spent`:
 * only budgets with nothing remaining; providers send these headers with every answer, and a full budget says nothing
 * of an overload or of a spent account. `none`: an outage, of which budgets know nothing.
 */
export type BudgetTrust = 'all' | 'spent' | 'none';

const MIN_DELAY_MS = 1000;
/** Longer is a slip of units. The hold is bounded by `health.cooldown.max` anyway. */
const MAX_DELAY_MS = 400 * 86_400_000;

const RESET_NAME = /^(?:x-)?rate-?limit-reset(?:-[a-z0-9-]{1,40})?$|^[a-z]{2,20}-ratelimit-(?:[a-z0-9-]{1,40}-)?reset$/;

/** Seconds or a date: nothing else is a Retry-After, and what is nothing else is as if it were not there. */
function retryAfterHeader(headers: Headers, serverNow: number): number | null {
  const ms = parsePlainNumber(headers['retry-after-ms'] ?? '');
  if (ms !== null) return ms;
  const value = headers['retry-after'] ?? '';
  const seconds = parsePlainNumber(value);
  if (seconds !== null) return readAmount(seconds, serverNow);
  const date = parseHttpDate(value);
  return date === null ? null : date - serverNow;
}

function budgetReset(headers: Headers, serverNow: number, trust: BudgetTrust): number | null {
  if (trust === 'none') return null;
  const spent: number[] = [];
  const others: number[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!RESET_NAME.test(name)) continue;
    const wait = parseWait(value, serverNow);
    if (wait === null) continue;
    const remaining = parsePlainNumber(headers[name.replace('reset', 'remaining')] ?? '');
    (remaining === 0 ? spent : others).push(wait);
  }
  if (spent.length > 0) return Math.max(...spent);
  return trust === 'all' && others.length > 0 ? Math.max(...others) : null;
}

function errorDelay(error: ProviderError | null, serverNow: number): number | null {
  const delay = error?.delay;
  if (!delay) return null;
  if (delay.seconds !== undefined && Number.isFinite(delay.seconds) && delay.seconds >= 0) return delay.seconds * 1000;
  const text = delay.text === undefined ? null : parseWait(delay.text, serverNow);
  if (text !== null) return text;
  return delay.at === undefined ? null : readAmount(delay.at, serverNow);
}

const IN_WORDS =
  /\b(?:try again|retry|wait|again|resets?|available)\s+(?:(?:in|after|for)\s+)?(?:about\s+|approximately\s+)?((?:\d{1,9}(?:\.\d{1,9})?\s?(?:ns|us|µs|ms|milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|[smhd])(?![a-z])[\s,]*(?:and\s+)?)+)/;

function messageDelay(error: ProviderError | null): number | null {
  // Units stand without space between them ("1m2.3s"), so the guard against words must allow a digit behind a unit.
  const found = IN_WORDS.exec((error?.message ?? '').slice(0, 4000).toLowerCase());
  return found?.[1] === undefined ? null : parseDuration(found[1].replace(/[\s,]*(?:and\s*)?$/, ''));
}

/**
 * How long a server asks to be left alone, in ms from the answer on; null when it does not say. The surest source wins:
 * Retry-After, then what the error object names, then budgets, then words in the message. Zero, or a moment that has
 * passed, is one second. Instants are read against the answer's own `date`, so that a wrong clock on either side does
 * not matter.
 */
export function readToldDelay(
  headers: Headers,
  error: ProviderError | null,
  at: number,
  budgets: BudgetTrust = 'all',
): number | null {
  const serverNow = parseHttpDate(headers['date'] ?? '') ?? at;
  const delay =
    retryAfterHeader(headers, serverNow) ??
    errorDelay(error, serverNow) ??
    budgetReset(headers, serverNow, budgets) ??
    messageDelay(error);
  if (delay === null || !Number.isFinite(delay)) return null;
  return delay <= 0 ? MIN_DELAY_MS : Math.min(MAX_DELAY_MS, Math.max(1, Math.ceil(delay)));
}
