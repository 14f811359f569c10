import { type About, scalar } from '../../config/schema/scalar.ts';
import { DURATION_PATTERN, type Parsed, parseDuration, parseSize, SIZE_PATTERN } from '../../config/units.ts';

const wrong = (message: string, hint: string | null = null): Parsed<never> => ({ ok: false, message, hint });
const right = <T>(value: T): Parsed<T> => ({ ok: true, value });
const quote = (value: unknown): string => {
  if (typeof value === 'object') return '';
  return ` (not ${typeof value === 'number' ? value : JSON.stringify(value)?.slice(0, 60)})`;
};

/** Milliseconds, from words with a unit; parts of a millisecond are kept where it is the only unit. */
export function parseTime(value: unknown): Parsed<number> {
  if (typeof value === 'string' && /^[0-9]+(\.[0-9]+)?ms$/.test(value)) return right(Number(value.slice(0, -2)));
  const parsed = parseDuration(value);
  return parsed.ok ? parsed : wrong(parsed.message + quote(value), parsed.hint);
}

const TIME_JSON = { type: 'string', pattern: DURATION_PATTERN };

/** A moment from the beginning, or a span. */
export const time = (about: About) => scalar<number>(about, TIME_JSON, parseTime);

/** The same, or the word for what does not come. */
export const timeOrNever = (about: About) =>
  scalar<number | null>(about, { type: 'string', pattern: `${DURATION_PATTERN}|^never$` }, (value) =>
    value === 'never' ? right(null) : parseTime(value),
  );

/** Bytes; none is a size too. */
export const bytes = (about: About, max: number) =>
  scalar<number>(about, { type: 'string', pattern: SIZE_PATTERN }, (value) => {
    const parsed = parseSize(value);
    if (!parsed.ok) return wrong(parsed.message + quote(value), parsed.hint);
    return parsed.value <= max ? parsed : wrong('is too large', `at most ${max / 1024 ** 2}MiB`);
  });

export const RATE_PATTERN = '^[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?/(s|m|h)$';
const RATE = new RegExp(RATE_PATTERN);
export const RATE_SECONDS = { s: 1, m: 60, h: 3600 } as const;
export type RateUnit = keyof typeof RATE_SECONDS;

/** So many in a time: `50/s`, `300/m`, `10/h`, as so many in `perSeconds`. */
export const rate = (about: About, perSeconds: number) =>
  scalar<number>(about, { type: 'string', pattern: RATE_PATTERN }, (value) => {
    if (typeof value === 'number' && value > 0 && Number.isFinite(value))
      return wrong('a rate needs a time', `write "${value}/s" or "${value}/m"`);
    if (typeof value !== 'string' || !RATE.test(value))
      return wrong(`is no rate${quote(value)}`, 'write a number of requests in a time: 50/s, 300/m, 10/h');
    const [count = '', unit = ''] = value.split('/');
    const found = rateOf(Number(count), unit as RateUnit, perSeconds);
    if (!(found > 0)) return wrong('must be more than 0', 'leave the row out where nobody is to ask');
    return Number.isFinite(found) ? right(found) : wrong(`is more than anybody can count${quote(value)}`);
  });

/** In its own unit a number stays what it is, to the last digit. */
export const rateOf = (count: number, unit: RateUnit, perSeconds: number): number =>
  RATE_SECONDS[unit] === perSeconds ? count : (count * perSeconds) / RATE_SECONDS[unit];

/** A part of all: `20%`, or a number from 0 to 1. */
export const share = (about: About) =>
  scalar<number>(
    about,
    {
      anyOf: [
        { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?%$' },
        { type: 'number', minimum: 0, maximum: 1 },
      ],
    },
    (value) => {
      const isPercent = typeof value === 'string' && /^[0-9]+(\.[0-9]+)?%$/.test(value);
      const part = isPercent ? Number(value.slice(0, -1)) / 100 : value;
      if (typeof part === 'number' && part >= 0 && part <= 1) return right(part);
      return wrong(`must be a share${quote(value)}`, 'write 20%, or a number from 0 to 1');
    },
  );

export type Sends = { readonly from: number; readonly to: number | null };

const LAST_SEND = 999_999_999_999_999;

/** Which of the sends: `1-10` the first ten, `3` the third alone, `11-` all behind the tenth, `none`. */
export const sends = (about: About) =>
  scalar<Sends>(
    about,
    {
      anyOf: [
        { type: 'string', pattern: '^([1-9][0-9]*(-([1-9][0-9]*)?)?|none)$' },
        { type: 'integer', minimum: 1, maximum: LAST_SEND },
      ],
    },
    (value) => {
      if (value === 'none') return right({ from: 0, to: 0 });
      const match = /^([1-9][0-9]{0,14})(-([1-9][0-9]{0,14})?)?$/.exec(String(value));
      if (match === null)
        return wrong(
          `does not name any sends${quote(value)}`,
          'write 1-10 for the first ten, 3 for the third, 11- for all behind the tenth',
        );
      const first = Number(match[1]);
      const last = match[2] === undefined ? first : match[3] === undefined ? null : Number(match[3]);
      if (last !== null && last < first) return wrong('ends before it begins', `write ${last}-${first}`);
      return right({ from: first - 1, to: last });
    },
  );

const LAST_PLACE = 1_000_000;

/** A number behind which something happens, or a place by name. */
export const placeOr = <W extends string>(words: readonly W[], about: About) =>
  scalar<W | number>(
    about,
    { anyOf: [{ enum: [...words] }, { type: 'integer', minimum: 0, maximum: LAST_PLACE }] },
    (value) => {
      const word = words.find((each) => each === value);
      if (word !== undefined) return right(word);
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_PLACE)
        return right(value);
      return wrong(`must be ${words.join(' | ')} or a number of words${quote(value)}`);
    },
  );

/** A status, or the word for a connection that ends without one. */
export const status = (about: About) =>
  scalar<number | null>(
    about,
    { anyOf: [{ type: 'integer', minimum: 100, maximum: 599 }, { enum: ['none'] }] },
    (value) => {
      if (value === 'none') return right(null);
      if (typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599) return right(value);
      return wrong(`must be a status from 100 to 599, or none${quote(value)}`);
    },
  );
