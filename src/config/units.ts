/** A parsed value, or what is wrong with it and what would be right. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly hint: string | null };

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

export const DURATION_PATTERN = '^([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$';
export const SIZE_PATTERN = '^[0-9]+(\\.[0-9]+)? ?([kKmMgG]i?)?[bB]$';
export const SHARE_PATTERN = '^[0-9]+(\\.[0-9]+)?%$';

const MAX_DURATION_MS = 365 * 86_400_000;

const DURATION = new RegExp(DURATION_PATTERN);
const DURATION_PART = /([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)/g;
const SIZE = /^([0-9]+(?:\.[0-9]+)?) ?([kmg]?i?b)$/i;
const SHARE = new RegExp(SHARE_PATTERN);

/** `250ms`, `2s`, `5m`, `1h30m`, `7d` as milliseconds. */
export function parseDuration(value: unknown): Parsed<number> {
  if (typeof value === 'number') return refuse('a duration needs a unit', unitHint(value, ['ms', 's']));
  if (typeof value !== 'string')
    return refuse('must be a duration', 'write it as text with a unit: 250ms, 2s, 5m, 24h');
  const text = value.trim();
  if (/^[0-9.]+$/.test(text)) return refuse('a duration needs a unit', 'write it with a unit: 250ms, 2s, 5m, 24h');
  if (!DURATION.test(text)) return refuse('is no duration', 'write a number with ms, s, m, h or d: 250ms, 2s, 5m, 24h');
  let total = 0;
  for (const part of text.matchAll(DURATION_PART)) total += Number(part[1]) * (DURATION_UNITS[part[2] ?? ''] ?? 0);
  if (total > MAX_DURATION_MS) return refuse('is longer than a year', 'write a shorter one, 365d at most');
  return { ok: true, value: Math.round(total) };
}

/** `512B`, `64KiB`, `4MiB`, `2GiB` (and decimal `kB`, `MB`, `GB`) as bytes. */
export function parseSize(value: unknown): Parsed<number> {
  if (typeof value === 'number') return refuse('a size needs a unit', unitHint(value, ['B', 'KiB', 'MiB']));
  if (typeof value !== 'string') return refuse('must be a size', 'write it as text with a unit: 512KiB, 4MiB, 2GiB');
  const match = SIZE.exec(value.trim());
  const factor = SIZE_UNITS[match?.[2]?.toLowerCase() ?? ''];
  if (match === null || factor === undefined) return refuse('is no size', 'write a number with KiB, MiB or GiB: 4MiB');
  return { ok: true, value: Math.floor(Number(match[1]) * factor) };
}

/** A size, or a share of the memory of the machine (`25%`). */
export function parseSizeOrShare(value: unknown): Parsed<{ readonly bytes: number } | { readonly share: number }> {
  if (typeof value === 'string' && SHARE.test(value.trim())) {
    const percent = Number(value.trim().slice(0, -1));
    if (percent <= 0 || percent > 100) return refuse('must be more than 0% and at most 100%', null);
    return { ok: true, value: { share: percent / 100 } };
  }
  const size = parseSize(value);
  if (!size.ok) return { ...size, hint: 'write a size (512MiB, 2GiB) or a share of memory (25%)' };
  return { ok: true, value: { bytes: size.value } };
}

/** Milliseconds as the file would have them: in the largest unit that needs no fraction. */
export const writeDuration = (ms: number): string => writeWith(DURATION_UNITS, ['h', 'm', 's', 'ms'], ms);

/** Bytes as the file would have them. */
export const writeSize = (bytes: number): string => writeWith(SIZE_FACTORS, ['GiB', 'MiB', 'KiB', 'B'], bytes);

const SIZE_FACTORS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

function writeWith(factors: Readonly<Record<string, number>>, units: readonly string[], value: number): string {
  if (value === 0) return `0${units.at(-2) ?? ''}`;
  const smallest = units.at(-1) ?? '';
  const unit = units.find((word) => value % (factors[word] ?? 1) === 0) ?? smallest;
  return `${value / (factors[unit] ?? 1)}${unit}`;
}

const unitHint = (value: number, units: readonly string[]): string =>
  `write it with a unit: ${units.map((unit) => `"${value}${unit}"`).join(' or ')}`;

const refuse = (message: string, hint: string | null): { ok: false; message: string; hint: string | null } => ({
  ok: false,
  message,
  hint,
});
