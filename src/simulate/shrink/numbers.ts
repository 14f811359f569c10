const DURATION = /^([0-9]+)(ms|s|m|h)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const WORDS = ['1ms', '100ms', '1s', '10s', '1m', '10m', '1h'];

/** Plainer values that could stand there, the plainest first; none: there is nothing plainer. */
export function plainerThan(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return plainerNumbers(value);
  if (typeof value === 'string') return plainerDurations(value);
  return value === true ? [false] : [];
}

function plainerNumbers(value: number): readonly number[] {
  if (value === 0 || !Number.isFinite(value)) return [];
  const digits = 10 ** Math.floor(Math.log10(Math.abs(value)));
  const round = [
    digits,
    Math.floor(value / digits) * digits,
    Math.ceil(value / digits) * digits,
    Math.trunc(value / 2),
  ];
  const tidy = (each: number): number => Number(each.toPrecision(6));
  const all = [
    0,
    1,
    2,
    10,
    100,
    1000,
    ...round,
    Math.trunc(value),
    ...(Number.isInteger(value) ? [value - digits] : []),
  ];
  return [...new Set(all.map(tidy))].filter((each) => isPlainer(each, value));
}

/** Fewer digits that count, then smaller: so each step down is one, and there is an end. */
function isPlainer(one: number, other: number): boolean {
  if (one < 0 || Math.abs(one) > Math.abs(other) * 2) return false;
  const [a, b] = [weight(one), weight(other)];
  return a < b || (a === b && one < other);
}

const weight = (value: number): number => {
  const text = value.toFixed(6).replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  return Number.isInteger(value) ? text.length : text.length + 6;
};

function plainerDurations(text: string): readonly string[] {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined || unit === undefined) return [];
  const ms = (each: string): number => {
    const [, n = '0', of = 'ms'] = DURATION.exec(each) ?? [];
    return Number(n) * (UNITS[of] ?? 1);
  };
  const place = WORDS.indexOf(text);
  return place < 0 ? WORDS.filter((each) => ms(each) <= ms(text) * 10) : WORDS.slice(0, place);
}
