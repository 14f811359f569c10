/** Names of clients have any length; what lies behind this does not help to guess what was meant. */
const MAX_LENGTH = 128;

/**
 * The `n` names nearest to the one that was asked for: by edit distance without regard to case, where a name that begins
 * with the other is near; of equals the earlier one.
 */
export function nearestNames(name: string, names: readonly string[], n: number): readonly string[] {
  const asked = fold(name);
  return [...new Set(names)]
    .map((candidate) => ({ candidate, distance: distanceOf(asked, fold(candidate)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, Math.max(0, n))
    .map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase();
}

function distanceOf(a: string, b: string): number {
  const isStart = a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a));
  return isStart ? Math.min(1, editDistance(a, b)) : editDistance(a, b);
}

/** Insertions, deletions and substitutions that make `b` of `a`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
