/** A text that must be found nowhere. */
export type Needle = { readonly name: string; readonly value: string };

export type Find = {
  /** Of the needle. */
  readonly name: string;
  /** How the text had to be read: as it is, or decoded. */
  readonly view: string;
  /** What was found, with what stands around it. */
  readonly around: string;
};

/** So many successive characters are a find: who has them has the rest soon. */
export const WINDOW = 12;

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const AROUND = 60;

/**
 * A search for needles, whole or in pieces of twelve characters, in whatever a reader could make of a text: with
 * escapes undone, base64, hex and lists of bytes decoded, in either case, without invisible characters.
 */
export function createSearch(needles: readonly Needle[]): (text: string) => readonly Find[] {
  const windows = new Map<string, string>();
  for (const { name, value } of needles) {
    const text = value.toLowerCase();
    for (let at = 0; at + WINDOW <= text.length; at++) windows.set(text.slice(at, at + WINDOW), name);
  }
  const pattern = new RegExp([...windows.keys()].map(quote).join('|'));
  return (text) =>
    viewsOf(text).flatMap(({ view, read }): Find[] => {
      const found = pattern.exec(read);
      if (found === null) return [];
      const around = read.slice(Math.max(0, found.index - AROUND), found.index + AROUND);
      return [{ name: windows.get(found[0]) ?? '?', view, around }];
    });
}

type View = { readonly view: string; readonly read: string };

function viewsOf(text: string): readonly View[] {
  const plain = text.replace(INVISIBLE, '').toLowerCase();
  const unescaped = Array.from({ length: ROUNDS }).reduce<string>(undoEscapes, text.replace(INVISIBLE, ''));
  const read = unescaped.replace(INVISIBLE, '');
  return [
    { view: 'as it is', read: plain },
    { view: 'unescaped', read: read.toLowerCase() },
    { view: 'base64', read: decodeRuns(read, BASE64_RUNS, (run) => fromBase64(run.replace(/[^\w+/-]/g, ''))) },
    {
      view: 'numbers of bytes',
      read: decodeRuns(read, DECIMAL_RUNS, (run) =>
        Buffer.from((run.match(/\d+/g) ?? []).map(Number)).toString('latin1'),
      ),
    },
    {
      view: 'hex',
      read: decodeRuns(read, HEX_RUNS, (run) =>
        Buffer.from(run.replace(/0x|[^0-9a-f]/gi, ''), 'hex').toString('latin1'),
      ),
    },
  ];
}

/** In lines, as mail and certificates have it. */
const BASE64_RUNS = /[\w+/-]{16,}|[\w+/-]{4,}(?:[\r\n]+[ \t]*[\w+/-]{2,})+/g;
/** In lists, as programs print what they hold. */
const DECIMAL_RUNS = /\d{1,3}(?:[\s,;]{1,4}\d{1,3}){11,}/g;
/** With anything between the bytes. */
const HEX_RUNS = /[0-9a-f]{2}(?:[\s:,-]{0,3}(?:0x)?[0-9a-f]{2}){11,}/gi;

/** Escapes in escapes in escapes. */
const ROUNDS = 4;

const byCode = (_: string, ...groups: readonly (string | undefined)[]): string => {
  const point = Number.parseInt(groups.find((group) => typeof group === 'string') ?? '', 16);
  return point > 0x10ffff ? '' : String.fromCodePoint(point);
};

const undoEscapes = (text: string): string =>
  text
    .replace(/\\+u\{([0-9a-f]{1,8})\}/gi, byCode)
    .replace(/\\+U([0-9a-f]{8})/g, byCode)
    .replace(/\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})/gi, byCode)
    .replace(/\\+([0-3][0-7]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
    .replace(/\\+[rn]/g, '\n')
    .replace(/%([0-9a-f]{2})/gi, byCode)
    .replace(/&amp;?/gi, '&')
    .replace(/&#x0*([0-9a-f]{2,5});?/gi, byCode)
    .replace(/&#0*(\d{2,6});?/g, (_, digits: string) => String.fromCharCode(Number(digits)))
    .replace(/\\{1,4}([/"])/g, '$1');

const decodeRuns = (text: string, runs: RegExp, decode: (run: string) => string): string =>
  [...text.matchAll(runs)].map(([run]) => decode(run).toLowerCase()).join('\n');

/** A run may have been cut in front: all four ways to group it are tried. */
const fromBase64 = (run: string): string =>
  [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')).join('\n');

const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
