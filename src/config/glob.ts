/** Patterns of names: `*` stands for any text, the empty one and `/` included; everything else for itself. */
export const isGlob = (pattern: string): boolean => pattern.includes('*');

/** Linear in the length of the name for each part of the pattern, whatever the pattern. */
export function matchesGlob(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return name === pattern;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** How much of a pattern is literal: the more, the closer it fits. */
export const literalLength = (pattern: string): number => pattern.length - (pattern.match(/\*/g)?.length ?? 0);
