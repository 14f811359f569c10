import { ENTITIES } from './entities.ts';
import { asWritten, type Reading, readOn } from './reading.ts';

/** Escaping in escaping, of different kinds: more rounds than any relay adds. */
const MAX_ROUNDS = 8;

/** What one escape stands for; `isByte`: a part of a character, in UTF-8. */
type Token = { readonly point: number; readonly isByte: boolean; readonly end: number };

/** Browsers read these without a semicolon too. */
const BARE = /^(?:amp|lt|gt|quot|nbsp|shy)$/;

/** The first group that is filled says which kind it is; each is tried where the lead character stands. */
type Form = { readonly pattern: RegExp; readonly kinds: readonly Kind[] };
type Kind = 'hex' | 'decimal' | 'hexByte' | 'octalByte' | 'blank' | 'entity';

const POINTS: { readonly [K in Kind]: (word: string, all: string) => number | null } = {
  hex: (word) => Number.parseInt(word, 16),
  decimal: (word) => Number.parseInt(word, 10),
  hexByte: (word) => Number.parseInt(word, 16),
  octalByte: (word) => Number.parseInt(word, 8),
  blank: () => 0x20,
  entity: (word, all) => {
    const name = word.toLowerCase();
    return all.endsWith(';') || BARE.test(name) ? (ENTITIES[name]?.charCodeAt(0) ?? null) : null;
  },
};

/** By lead character. Backslashes are a run, however many escapings have doubled them. */
const FORMS: Readonly<Record<string, Form>> = {
  '\\': {
    pattern:
      /\\+(?:[uU]\{0*([\da-fA-F]{1,6})\}|N\{U\+0*([\da-fA-F]{1,6})\}|U([\da-fA-F]{8})|[uU]([\da-fA-F]{4})|[xX]\{0*([\da-fA-F]{1,6})\}|[xX]([\da-fA-F]{2})|0?([0-3][0-7]{2}|[0-7]{2})|([nrtfv]))/y,
    kinds: ['hex', 'hex', 'hex', 'hex', 'hex', 'hexByte', 'octalByte', 'blank'],
  },
  '%': { pattern: /%(?:u([\da-f]{4})|([\da-f]{2}))/iy, kinds: ['hex', 'hexByte'] },
  '&': {
    pattern: /&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|(amp|lt|gt|quot|nbsp|shy|[a-z]{2,8}(?=;)));?/iy,
    kinds: ['hex', 'decimal', 'entity'],
  },
  // One by one they stand with a blank or a comma between them.
  U: { pattern: /U\+0{0,4}([\da-f]{1,6})(?![\da-z])(?:,? ?(?=U\+))?/iy, kinds: ['hex'] },
};

const SLASHES = /\\+/y;

function readToken(text: string, at: number): Token | null {
  const form = FORMS[text.charAt(at)];
  if (form === undefined) return null;
  form.pattern.lastIndex = at;
  const found = form.pattern.exec(text);
  if (found === null) return null;
  const nth = found.findIndex((word, n) => n > 0 && word !== undefined);
  const kind = form.kinds[nth - 1];
  const point = kind === undefined ? null : POINTS[kind](found[nth] ?? '', found[0]);
  if (kind === undefined || point === null || point > 0x10ffff) return null;
  return { point, isByte: kind === 'hexByte' || kind === 'octalByte', end: at + found[0].length };
}

const continuations = (byte: number): number => (byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0);

/** Bytes that are a character together; what is none stands for itself. */
function readCharacter(text: string, at: number): Token | null {
  const first = readToken(text, at);
  if (first === null || !first.isByte) return first;
  const more = continuations(first.point);
  let point = first.point & (more === 0 ? 0xff : 0x3f >> more);
  let end = first.end;
  for (let n = 0; n < more; n++) {
    const next = readToken(text, end);
    if (next === null || !next.isByte || next.point >> 6 !== 2) return first;
    point = (point << 6) | (next.point & 63);
    end = next.end;
  }
  return point > 0x10ffff ? first : { point, isByte: false, end };
}

const INVISIBLE = '\\p{Cf}\\p{Default_Ignorable_Code_Point}';
/** Letters, digits and marks of ASCII in another shape: wide, mathematical, in circles, raised, lowered. */
const SHAPED = '\\uff01-\\uff5e\\u{1d400}-\\u{1d7ff}\\u2460-\\u2468\\u24b6-\\u24ea\\u00b2\\u00b3\\u00b9\\u2070-\\u209c';
/** Everything that may read otherwise than it stands. */
const LEADS = new RegExp(`[\\\\%&]|U(?=\\+)|[${SHAPED}]|[${INVISIBLE}]+|[^\\S ]|\\p{Cc}`, 'gu');
const IN_SHAPE = new RegExp(`^[${SHAPED}]`, 'u');
const HIDDEN = new RegExp(`^[${INVISIBLE}]`, 'u');

/** What stands at a lead: what it reads as, and where it ends. null: just what it is. */
function readLead(text: string, at: number, lead: string): { readonly read: string; readonly end: number } | null {
  if (IN_SHAPE.test(lead)) return { read: lead.normalize('NFKC'), end: at + lead.length };
  if (FORMS[lead] === undefined) return { read: HIDDEN.test(lead) ? '' : ' ', end: at + lead.length };
  const token = readCharacter(text, at);
  if (token !== null) return { read: String.fromCodePoint(token.point), end: token.end };
  if (lead !== '\\') return null;
  // Slashes that escape nothing, or a quote.
  SLASHES.lastIndex = at;
  return { read: '', end: at + (SLASHES.exec(text)?.[0].length ?? 1) };
}

/**
 * One round from left to right; each unit is looked at once, and once more where it failed to be an escape. What reads as
 * nothing goes with what is behind it.
 */
function undoOnce(text: string): Reading {
  let out = '';
  const from: number[] = [];
  let done = 0;
  /** Where the next unit begins. */
  let next = 0;
  const put = (read: string, at: (n: number) => number): void => {
    for (let n = 0; n < read.length; n++) from.push(n === 0 ? next : at(n));
    out += read;
  };
  LEADS.lastIndex = 0;
  for (let found = LEADS.exec(text); found !== null; found = LEADS.exec(text)) {
    const { index } = found;
    const lead = readLead(text, index, found[0]);
    if (lead === null) continue;
    const start = done;
    if (index > done) {
      put(text.slice(done, index), (n) => start + n);
      next = index;
    }
    done = lead.end;
    LEADS.lastIndex = done;
    if (lead.read === '') continue;
    put(lead.read, () => done);
    next = done;
  }
  if (done === 0) return asWritten(text);
  const start = done;
  put(text.slice(done), (n) => start + n);
  from.push(done < text.length ? text.length : next);
  return { text: out, from };
}

/** Most texts are printable and without an escape. */
const MAY_READ_OTHERWISE = /[^\x20-\x24\x27-\x5b\x5d-\x7e]|U\+/;

/**
 * A text as its reader could read it: on one line, without what is invisible, with the escapes of JSON, HTML, URLs and
 * programs undone, one in the other. Total; of at most `rounds` rounds, each of which takes time by the length.
 */
export function undoEscapes(text: string, rounds = MAX_ROUNDS): Reading {
  let out = asWritten(text);
  for (let round = 0; round < rounds && MAY_READ_OTHERWISE.test(out.text); round++) {
    const next = undoOnce(out.text);
    if (next.from === null) break;
    out = readOn(out, next);
  }
  return out;
}

/** A text as it stands, with one escaping undone, and with all of them: what a relay may have made of it on its way. */
export function readingsOf(text: string): readonly Reading[] {
  const once = undoEscapes(text, 1);
  if (once.from === null) return [once];
  const all = undoEscapes(text);
  return all.text === once.text ? [asWritten(text), once] : [asWritten(text), once, all];
}
