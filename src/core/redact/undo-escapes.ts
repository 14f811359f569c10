/** Escaping in escaping: more rounds than any relay adds. Runs are bounded too, so that no text takes long. */
const MAX_ROUNDS = 3;

const byHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
const byPercent = (run: string): string => {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replace(/%(..)/g, byHex);
  }
};
const byDecimal = (_: string, digits: string): string => String.fromCharCode(Number(digits));

/**
 * A text as its reader could read it: `\u0073`, `\x73`, `%73`, `&#115;` and `&#x73;` are one letter. Total; most texts come back as they are.
 */
export function undoEscapes(text: string): string {
  let out = text;
  for (let round = 0; round < MAX_ROUNDS && /[\\%&]/.test(out); round++) {
    const before = out;
    out = out
      .replace(/\\{1,8}u([0-9a-f]{4})/gi, byHex)
      .replace(/\\{1,8}x([0-9a-f]{2})/gi, byHex)
      .replace(/(?:%[0-9a-f]{2})+/gi, byPercent)
      .replace(/&#x([0-9a-f]{1,4});/gi, byHex)
      .replace(/&#(\d{1,5});/g, byDecimal)
      .replace(/\\{1,8}([/"'])/g, '$1');
    if (out === before) break;
  }
  return out;
}
