/**
 * A number of so many digits, or with an exponent, may be more than a double can hold. Looked for where values stand:
 * texts are full of digits, and a reviver makes parsing ten times as slow.
 */
const LONG_NUMBER = /(?:^|[[:,])\s*-?[\d.]*(?:\d{16}|\d[eE])/;

/** Longer ones are not looked at: they stay as they are. */
const MAX_DIGITS = 400;

/** ES2025's raw values, which TypeScript's library does not know yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Numbers that a double would change stay as they were written: `JSON.stringify` gives them back so. */
function keep(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return isSame(value, source) ? value : rawJSON(source);
}

/** The same number in another spelling (`1.0`, `1e3`). */
const isSame = (value: number, source: string): boolean =>
  Number.isFinite(value) && source.length <= MAX_DIGITS && plain(String(value)) === plain(source);

/** Digits without point, sign of exponent and outer zeros, with the place of the point: equal for equal numbers. */
function plain(text: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = whole + part;
  const front = digits.length - digits.replace(/^0+/, '').length;
  const trimmed = digits.slice(front).replace(/0+$/, '');
  return trimmed === '' ? '0' : `${sign}${trimmed}@${whole.length - front + Number(exponent)}`;
}

/**
 * `JSON.parse` that loses no digits: a number that a double can't hold becomes a raw value, which `JSON.stringify`
 * writes as it came. Throws SyntaxError like `JSON.parse`.
 */
export function parseExact(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(text, keep);
}

/** The JSON text of a value of `parseExact`. */
export const stringifyExact = (value: unknown): string => JSON.stringify(value);
