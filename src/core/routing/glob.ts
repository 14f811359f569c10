/**
 * Matches a name against a pattern of literal characters, `*` (any run, also none) and `?` (any one). Takes at most
 * length × length steps, whatever the pattern.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < name.length) {
    if (at < pattern.length && pattern[at] !== '*' && (pattern[at] === '?' || pattern[at] === name[from])) {
      at += 1;
      from += 1;
    } else if (pattern[at] === '*') {
      star = at;
      resume = from;
      at += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      from = resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

export function isGlob(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?');
}

/** How much of a pattern is literal: the more, the more specific. */
export function literalLength(pattern: string): number {
  return pattern.replaceAll(/[*?]/g, '').length;
}
