import { z } from 'zod';
import { Secret } from '../../core/redact/secret.ts';
import { Interpolated } from '../interpolate.ts';
import { didYouMean } from '../nearest.ts';
import {
  DURATION_PATTERN,
  type Parsed,
  parseDuration,
  parseSize,
  parseSizeOrShare,
  SHARE_PATTERN,
  SIZE_PATTERN,
} from '../units.ts';

/** What the published schema and the reference say of a key. */
export type About = {
  readonly description: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
};

type JsonSchema = Readonly<Record<string, unknown>>;

/** Any scalar may be written as a reference to the environment. */
const REFERENCE = { type: 'string', pattern: '\\$\\{' } as const;

/** Longest span that a timer of the runtime can hold. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * One scalar key: `parse` gets what the file says (`interpolated` is set when the text came from elsewhere, and is then
 * not to be quoted in a message), `json` is how the published schema describes it.
 */
export function scalar<T>(about: About, json: JsonSchema, parse: (value: unknown, interpolated: boolean) => Parsed<T>) {
  return z
    .unknown()
    .transform((input, context): T => {
      const interpolated = input instanceof Interpolated;
      const result = parse(interpolated ? input.secret.reveal() : input, interpolated);
      if (result.ok) return result.value;
      const value = interpolated ? 'the interpolated value ' : '';
      context.issues.push({
        code: 'custom',
        message: value + result.message,
        params: { hint: result.hint, isMissing: input === undefined },
        input,
      });
      return z.NEVER;
    })
    .meta({ ...json, ...about });
}

const withReference = (json: JsonSchema): JsonSchema => ({ anyOf: [json, REFERENCE] });

const wrong = (message: string, hint: string | null = null): Parsed<never> => ({ ok: false, message, hint });
const right = <T>(value: T): Parsed<T> => ({ ok: true, value });

/** A value as it may be quoted: short, and never one that came from the environment. */
const quote = (value: unknown, interpolated: boolean): string =>
  interpolated || typeof value === 'object' ? '' : ` (not ${JSON.stringify(value)?.slice(0, 60)})`;

/** One of a few words; `true` and `false` may be among them. */
export function choice<const W extends readonly (string | boolean)[]>(words: W, about: About) {
  const named = words.map((word) => (typeof word === 'string' ? word : String(word)));
  return scalar<W[number]>(about, withReference({ enum: [...words] }), (value, interpolated) => {
    const found = words.find((word) => word === value || (interpolated && String(word) === value));
    if (found !== undefined) return right(found);
    const guess = typeof value === 'string' && !interpolated ? didYouMean(value, named) : null;
    return wrong(`must be ${named.join(' | ')}${quote(value, interpolated)}`, guess ?? switchHint(value, words));
  });
}

/** YAML's `no` and `false` are not the word `off`. */
function switchHint(value: unknown, words: readonly unknown[]): string | null {
  if (value === false && words.includes('off')) return 'write off';
  if (typeof value === 'string' && typeof words[0] === 'boolean') return 'write true or false without quotes';
  return null;
}

export const flag = (about: About) => choice([true, false], { ...about });

/** Text that is not empty unless `empty` says so. */
export function text(about: About, options: { empty?: boolean; pattern?: RegExp; rule?: string; max?: number } = {}) {
  const json = { type: 'string', ...(options.pattern ? { pattern: options.pattern.source } : {}) };
  return scalar<string>(about, options.pattern ? withReference(json) : json, (value, interpolated) => {
    if (typeof value !== 'string') return wrong('must be text', textHint(value));
    if (value === '' && options.empty !== true) return wrong('is empty', 'give it a value, or remove the key');
    if (value !== '' && options.pattern && !options.pattern.test(value)) {
      return wrong(`${options.rule ?? 'has a form that is not allowed'}${quote(value, interpolated)}`);
    }
    if (value.length > (options.max ?? 4096)) return wrong('is too long');
    return right(value);
  });
}

const textHint = (value: unknown): string | null =>
  typeof value === 'number' || typeof value === 'boolean' ? `write it in quotes: "${value}"` : null;

/** A credential: text that may be empty here (what an empty one means is decided where it is used). */
export function secret(about: About) {
  return scalar<Secret>(about, { type: 'string', writeOnly: true }, (value) =>
    typeof value === 'string' ? right(new Secret(value)) : wrong('must be text', 'write it in quotes, or as ${NAME}'),
  );
}

export function integer(about: About, range: { min: number; max: number }) {
  const json = { type: 'integer', minimum: range.min, maximum: range.max };
  return scalar<number>(about, withReference(json), (value, interpolated) => {
    const number = asNumber(value, interpolated);
    const inside = number !== null && Number.isInteger(number) && number >= range.min && number <= range.max;
    if (inside) return right(number);
    return wrong(
      `must be an integer from ${range.min} to ${range.max}${quote(value, interpolated)}`,
      quotedNumberHint(value),
    );
  });
}

export function decimal(about: About, range: { min: number; max: number }) {
  const json = { type: 'number', minimum: range.min, maximum: range.max };
  return scalar<number>(about, withReference(json), (value, interpolated) => {
    const number = asNumber(value, interpolated);
    if (number !== null && number >= range.min && number <= range.max) return right(number);
    return wrong(
      `must be a number from ${range.min} to ${range.max}${quote(value, interpolated)}`,
      quotedNumberHint(value),
    );
  });
}

/** Text becomes a number only if it was interpolated: `port: "80"` is as wrong as it looks. */
function asNumber(value: unknown, interpolated: boolean): number | null {
  if (typeof value === 'number') return value;
  if (!interpolated || typeof value !== 'string' || !/^-?[0-9]+(\.[0-9]+)?$/.test(value.trim())) return null;
  return Number(value.trim());
}

const quotedNumberHint = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9.]+$/.test(value) ? 'write it without quotes' : null;

/** Milliseconds. `zero`: `0s` is a value too. `timer`: it must fit a timer. */
export function duration(about: About, options: { zero?: boolean; timer?: boolean } = {}) {
  const json = withReference({ type: 'string', pattern: DURATION_PATTERN });
  return scalar<number>(about, json, (value, interpolated) => {
    const parsed = parseDuration(value);
    if (!parsed.ok) return { ...parsed, message: parsed.message + quote(value, interpolated) };
    if (parsed.value === 0 && options.zero !== true) return wrong('must be more than 0');
    if (parsed.value > MAX_TIMER_MS && options.timer !== false) return wrong('is too long', 'at most 24d');
    return parsed;
  });
}

/** Bytes. */
export function size(about: About) {
  return scalar<number>(about, withReference({ type: 'string', pattern: SIZE_PATTERN }), (value, interpolated) =>
    sizeOf(parseSize(value), value, interpolated),
  );
}

/** Bytes, or a share of the machine's memory. */
export function sizeOrShare(about: About) {
  const json = { type: 'string', pattern: `${SIZE_PATTERN}|${SHARE_PATTERN}` };
  return scalar(about, withReference(json), (value, interpolated) => {
    const parsed = parseSizeOrShare(value);
    if (parsed.ok && 'bytes' in parsed.value && parsed.value.bytes === 0) return wrong('must be more than 0');
    return parsed.ok ? parsed : { ...parsed, message: parsed.message + quote(value, interpolated) };
  });
}

function sizeOf(parsed: Parsed<number>, value: unknown, interpolated: boolean): Parsed<number> {
  if (!parsed.ok) return { ...parsed, message: parsed.message + quote(value, interpolated) };
  if (parsed.value === 0) return wrong('must be more than 0');
  return Number.isSafeInteger(parsed.value) ? parsed : wrong('is too large');
}

/** A map with fixed keys; an empty one (`key:` with nothing behind it) is a map without keys. */
export const section = <S extends z.core.$ZodLooseShape>(shape: S, about?: About) =>
  z.preprocess((value) => value ?? {}, z.strictObject(shape)).meta({ ...about });

export const list = <T extends z.core.SomeType>(item: T, about: About) =>
  z.preprocess((value) => value ?? [], z.array(item)).meta({ ...about });

/** A map from names that the user chooses. */
export const named = <T extends z.core.SomeType>(value: T, about: About) =>
  z.preprocess((input) => input ?? {}, z.record(z.string(), value)).meta({ ...about });
