import { findStretches } from './find-stretches.ts';
import type { Range } from './reading.ts';

/** So many characters of a secret in a row are no accident, and too many to tell. */
export const FRAGMENT = 12;

/** In each run of FRAGMENT characters, wherever it begins, lies one whole block of this size that begins at a multiple of it. */
const BLOCK = FRAGMENT / 2;

const quote = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Lower case, place by place. */
const lowerOf = (text: string): string =>
  // The one character that is longer in lower case, where positions would no longer fit.
  text.replaceAll('\u0130', 'I').toLowerCase();

/**
 * A function that finds known texts, in either case, and every piece of them that is at least twelve characters long:
 * whoever cuts a text that holds a key, or masks a part of it, leaves such pieces. Most texts hold none, and every line of
 * the log comes by here: only each sixth place of a text is looked at, until one of them may be a piece.
 */
export function createFragmentFinder(known: Iterable<string>): (text: string) => readonly Range[] {
  const grams = new Set<string>();
  const blocks = new Set<string>();
  const short = new Set<string>();
  for (const form of known) {
    const lower = lowerOf(form);
    if (lower.length < FRAGMENT) short.add(lower);
    for (let at = 0; at + FRAGMENT <= lower.length; at++) grams.add(lower.slice(at, at + FRAGMENT));
    for (let at = 0; grams.size > 0 && at + BLOCK <= lower.length; at++) blocks.add(lower.slice(at, at + BLOCK));
  }
  short.delete('');
  const whole = short.size === 0 ? null : new RegExp([...short].map(quote).join('|'), 'g');
  return (text) => {
    const lower = lowerOf(text);
    const found: Range[] =
      whole === null ? [] : Array.from(lower.matchAll(whole), ({ 0: all, index }) => [index, index + all.length]);
    if (mayHold(lower, blocks)) {
      const has = (at: number): boolean => grams.has(lower.slice(at, at + FRAGMENT));
      found.push(...findStretches(has, lower.length - FRAGMENT + 1, FRAGMENT));
    }
    return found;
  };
}

function mayHold(lower: string, blocks: ReadonlySet<string>): boolean {
  for (let at = 0; at + BLOCK <= lower.length; at += BLOCK) if (blocks.has(lower.slice(at, at + BLOCK))) return true;
  return false;
}
