/** Ways to write one character, none of which needs to know what stands behind it. */
const codeOf = (char: string): number => char.charCodeAt(0);
const hexOf = (char: string, digits: number): string => codeOf(char).toString(16).padStart(digits, '0');

export const ESCAPES: Readonly<Record<string, (char: string) => string>> = {
  plain: (char) => char,
  json: (char) => `\\u${hexOf(char, 4)}`,
  'json, upper case': (char) => `\\u${hexOf(char, 4).toUpperCase()}`,
  'json in json': (char) => `\\\\u${hexOf(char, 4)}`,
  'json in json in json': (char) => `\\\\\\\\u${hexOf(char, 4)}`,
  braces: (char) => `\\u{${hexOf(char, 2)}}`,
  'padded braces': (char) => `\\u{${hexOf(char, 6)}}`,
  'eight digits': (char) => `\\U${hexOf(char, 8)}`,
  octal: (char) => `\\${codeOf(char).toString(8).padStart(3, '0')}`,
  hex: (char) => `\\x${hexOf(char, 2)}`,
  percent: (char) => `%${hexOf(char, 2)}`,
  'percent, upper case': (char) => `%${hexOf(char, 2).toUpperCase()}`,
  'percent twice': (char) => `%25${hexOf(char, 2)}`,
  'percent three times': (char) => `%2525${hexOf(char, 2)}`,
  decimal: (char) => `&#${codeOf(char)};`,
  'decimal, padded': (char) => `&#${String(codeOf(char)).padStart(7, '0')};`,
  'hex entity': (char) => `&#x${hexOf(char, 2)};`,
  'hex entity, upper case': (char) => `&#X${hexOf(char, 4).toUpperCase()};`,
  'entity in an entity': (char) => `&amp;#${codeOf(char)};`,
  'entity in entities': (char) => `&amp;amp;#x${hexOf(char, 2)};`,
  'entity, percent-encoded': (char) => `%26%23${codeOf(char)}%3B`,
  'percent, as JSON': (char) => `\\u0025${hexOf(char, 2)}`,
  'name of a point': (char) => `\\N{U+${hexOf(char, 2)}}`,
  wide: (char) => (/[!-~]/.test(char) ? String.fromCodePoint(codeOf(char) + 0xfee0) : char),
  mathematical: (char) => (/[a-z]/.test(char) ? String.fromCodePoint(codeOf(char) - 0x61 + 0x1d41a) : char),
  invisible: (char) => `${char}\u200b`,
};

const byHex = (_: string, ...groups: readonly (string | undefined)[]): string =>
  String.fromCodePoint(
    Math.min(0x10ffff, Number.parseInt(groups.find((group) => typeof group === 'string') ?? '', 16)),
  );

/** Decoders of the test itself, as simple as they can be: each undoes one kind once. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(/\\+u\{([0-9a-fA-F]+)\}|\\+U([0-9a-fA-F]{8})|\\+u([0-9a-fA-F]{4})|\\+x([0-9a-fA-F]{2})/g, byHex),
  (text) => text.replace(/\\+([0-3][0-7]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))),
  (text) => text.replace(/%([0-9a-f]{2})/gi, byHex),
  (text) =>
    text
      .replace(/&#x([0-9a-f]{1,7});/gi, byHex)
      .replace(/&#([0-9]{1,7});/g, (_, n: string) => String.fromCharCode(Number(n))),
  (text) => text.replaceAll('&amp;', '&'),
  (text) => text.replace(/\\+N\{U\+([0-9a-f]+)\}/gi, byHex),
  (text) => text.replace(/[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu, (char) => char.normalize('NFKC')),
  (text) => text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''),
];

const ROUNDS = 5;

/** What a text reads as after each step of all decoders, one behind the other, for some rounds. */
export function decodingsOf(text: string): readonly string[] {
  const out = [text];
  let read = text;
  for (let round = 0; round < ROUNDS; round++) {
    for (const decode of DECODERS) {
      read = decode(read);
      out.push(read);
    }
  }
  return out;
}
