/**
 * Spellings of durations and instants in headers and messages. Everything here is total: what is no time gives null.
 */

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Longer words for the same units, as messages write them. */
const WORD_UNIT: readonly (readonly [RegExp, string])[] = [
  [/^m(?:illi)?sec(?:ond)?s?$/, 'ms'],
  [/^sec(?:ond)?s?$/, 's'],
  [/^min(?:ute)?s?$/, 'm'],
  [/^(?:hours?|hrs?)$/, 'h'],
  [/^days?$/, 'd'],
];

const unitMs = (unit: string): number | null =>
  UNIT_MS.get(unit) ?? UNIT_MS.get(WORD_UNIT.find(([word]) => word.test(unit))?.[1] ?? '') ?? null;

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** `1s`, `6m0s`, `1h30m0s`, `120ms`, `2 minutes 5 seconds`; null without a unit. Milliseconds. */
export function parseDuration(text: string): number | null {
  const rest = text.trim().toLowerCase();
  if (rest.length > 64 || !/^(?:\d+(?:\.\d+)?\s?[a-zµμ]+[\s,]*(?:and\s+)?)+$/.test(rest)) return null;
  let total = 0;
  for (const [, amount = '', unit = ''] of rest.matchAll(/(\d+(?:\.\d+)?)\s?([a-zµμ]+)/g)) {
    const ms = unitMs(unit);
    if (ms === null) return null;
    total += Number(amount) * ms;
  }
  return finite(total);
}

/** A number without sign, exponent or hexadecimal: `5`, `0.25`. */
export function parsePlainNumber(text: string): number | null {
  return /^\d{1,20}(?:\.\d{1,12})?$/.test(text.trim()) ? Number(text.trim()) : null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The three forms of RFC 9110, section 5.6.7: IMF-fixdate, RFC 850, asctime. */
const HTTP_DATES: readonly RegExp[] = [
  /^[a-z]{3}, (?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<h>\d\d):(?<m>\d\d):(?<s>\d\d) gmt$/,
  /^[a-z]{6,9}, (?<day>\d{1,2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<h>\d\d):(?<m>\d\d):(?<s>\d\d) gmt$/,
  /^[a-z]{3} (?<month>[a-z]{3}) {1,2}(?<day>\d{1,2}) (?<h>\d\d):(?<m>\d\d):(?<s>\d\d) (?<year>\d{4})$/,
];

/** An HTTP date as epoch ms. `Date.parse` alone would read a date out of almost any word. */
export function parseHttpDate(text: string): number | null {
  const lower = text.trim().toLowerCase();
  for (const form of HTTP_DATES) {
    const groups = form.exec(lower)?.groups;
    if (!groups) continue;
    const part = (name: string) => Number(groups[name]);
    const month = MONTHS.indexOf(groups['month'] ?? '');
    const year = part('year') < 100 ? part('year') + 2000 : part('year');
    return month < 0 ? null : finite(Date.UTC(year, month, part('day'), part('h'), part('m'), part('s')));
  }
  return null;
}

/** RFC 3339 with a zone, as epoch ms. */
export function parseRfc3339(text: string): number | null {
  const form = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)$/;
  const trimmed = text.trim();
  return form.test(trimmed) ? finite(Date.parse(trimmed.replace(' ', 'T'))) : null;
}

/**
 * A number that may be seconds to wait, or an instant in seconds or milliseconds since 1970: told apart by its size.
 */
export function readAmount(amount: number, serverNow: number): number | null {
  if (!Number.isFinite(amount) || amount < 0) return null;
  if (amount >= 1e11) return amount - serverNow;
  if (amount >= 1e9) return amount * 1000 - serverNow;
  return amount * 1000;
}

/**
 * Any spelling of a wait: plain number, duration, HTTP date, RFC 3339. Milliseconds from `serverNow` on, may be
 * negative for an instant that has passed; null for anything else.
 */
export function parseWait(text: string, serverNow: number): number | null {
  const amount = parsePlainNumber(text);
  if (amount !== null) return readAmount(amount, serverNow);
  const duration = parseDuration(text);
  if (duration !== null) return duration;
  const instant = parseHttpDate(text) ?? parseRfc3339(text);
  return instant === null ? null : instant - serverNow;
}
