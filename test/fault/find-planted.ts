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
 * escapes undone, base64 and hex decoded, in either case, without invisible characters.
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
  const unescaped = undoEscapes(undoEscapes(text)).replace(INVISIBLE, '').toLowerCase();
  return [
    { view: 'as it is', read: plain },
    { view: 'unescaped', read: unescaped },
    { view: 'base64', read: decodeRuns(text, /[\w+/-]{16,}/g, fromBase64) },
    {
      view: 'hex',
      read: decodeRuns(text, /(?:[0-9a-f]{2}){12,}/gi, (run) => Buffer.from(run, 'hex').toString('latin1')),
    },
  ];
}

const byCode = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const undoEscapes = (text: string): string =>
  text
    .replace(/\\{1,4}u([0-9a-f]{4})/gi, byCode)
    .replace(/\\{1,4}x([0-9a-f]{2})/gi, byCode)
    .replace(/%([0-9a-f]{2})/gi, byCode)
    .replace(/&#x([0-9a-f]{2,4});/gi, byCode)
    .replace(/&#(\d{2,5});/g, (_, digits: string) => String.fromCharCode(Number(digits)))
    .replace(/\\{1,4}([/"])/g, '$1');

const decodeRuns = (text: string, runs: RegExp, decode: (run: string) => string): string =>
  [...text.matchAll(runs)].map(([run]) => decode(run).toLowerCase()).join('\n');

/** A run may have been cut in front: all four ways to group it are tried. */
const fromBase64 = (run: string): string =>
  [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')).join('\n');

const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
