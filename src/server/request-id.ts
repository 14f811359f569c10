import type { Random } from '../port/random.ts';

/** Crockford's base 32: no letter that is taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
const HALF_CHARS = 8;
const HALF_RANGE = 2 ** 40;

/** A ledger id: `req_` and a ULID, so that ids sort by time. `now` is epoch milliseconds. */
export function createRequestId(now: number, random: Random): string {
  return `req_${encode(Math.floor(now), TIME_CHARS)}${half(random)}${half(random)}`;
}

const half = (random: Random): string => encode(Math.floor(random.next() * HALF_RANGE), HALF_CHARS);

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = `${ALPHABET[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}
