/** What a terminal acts on, reorders or hides; line ends and tabs are left alone. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** A colour or weight, as `paint` writes it. */
const PAINT = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]{1,16}m`, 'g');

/** As JSON writes it, so that a JSON text means the same afterwards. */
function escapeChar(char: string): string {
  if (char === '\n' || char === '\t') return char;
  const units = Array.from({ length: char.length }, (_, i) => char.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The text with all such characters escaped. Names and reasons come from clients and providers. */
const escapeUnsafe = (text: string): string => text.replace(UNSAFE, escapeChar);

/** All paint that stands in a text. */
export const paintsIn = (text: string): readonly string[] => text.match(PAINT) ?? [];

/**
 * A text fit for a terminal: nothing in it moves the cursor, sets a title, turns the direction of writing or hides a
 * part. Of paint only what is in `own` stays.
 */
export function plainText(text: string, own: ReadonlySet<string>): string {
  let out = '';
  let done = 0;
  for (const { 0: paint, index } of text.matchAll(PAINT)) {
    if (!own.has(paint)) continue;
    out += escapeUnsafe(text.slice(done, index)) + paint;
    done = index + paint.length;
  }
  return out + escapeUnsafe(text.slice(done));
}
