/** So many characters of a secret in a row are no accident, and too many to tell. */
export const FRAGMENT = 12;

/** In each run of FRAGMENT characters, wherever it begins, lies one whole block of this size that begins at a multiple of it. */
const BLOCK = FRAGMENT / 2;

/**
 * A function that replaces every piece of known texts that is at least twelve characters long, in either case: whoever
 * cuts a text that holds a key, or masks a part of it, leaves such pieces. Most texts hold none, and every line of the log
 * comes by here: only each sixth place of a text is looked at, until one of them may be a piece.
 */
export function createFragmentHider(forms: Iterable<string>): (text: string) => string {
  const grams = new Set<string>();
  const blocks = new Set<string>();
  for (const form of forms) {
    const lower = form.toLowerCase();
    for (let at = 0; at + FRAGMENT <= lower.length; at++) grams.add(lower.slice(at, at + FRAGMENT));
    for (let at = 0; at + BLOCK <= lower.length; at++) blocks.add(lower.slice(at, at + BLOCK));
  }
  return (text) => {
    if (text.length < FRAGMENT) return text;
    // The one character that is longer in lower case, where positions would no longer fit.
    const lower = text.replaceAll('\u0130', 'I').toLowerCase();
    if (!mayHold(lower, blocks)) return text;
    return replaceRuns(text, (at) => grams.has(lower.slice(at, at + FRAGMENT)));
  };
}

function mayHold(lower: string, blocks: ReadonlySet<string>): boolean {
  for (let at = 0; at + BLOCK <= lower.length; at += BLOCK) if (blocks.has(lower.slice(at, at + BLOCK))) return true;
  return false;
}

function replaceRuns(text: string, isHit: (at: number) => boolean): string {
  let out = '';
  let done = 0;
  for (let at = 0; at + FRAGMENT <= text.length; at++) {
    if (!isHit(at)) continue;
    let end = at + FRAGMENT;
    for (let next = at + 1; next <= end && next + FRAGMENT <= text.length; next++) {
      if (isHit(next)) end = next + FRAGMENT;
    }
    out += `${text.slice(done, at)}[secret]`;
    done = end;
    at = end - 1;
  }
  return done === 0 ? text : out + text.slice(done);
}
