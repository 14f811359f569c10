/**
 * Number of edits between two texts (insert, delete, replace, swap of neighbours), case folded. Stops counting above
 * `limit` and then gives `limit + 1`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = last;
    last = row;
  }
  return Math.min(at(last, right.length), limit + 1);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;

/** The names closest to a wrong one, closest first; those that share nothing with it are left out. */
export function nearestNames(wrong: string, names: readonly string[], count: number): string[] {
  const word = wrong.slice(0, 128);
  const limit = Math.max(2, Math.floor(word.length / 2));
  return names
    .map((name, order) => ({ name, order, distance: closeness(word, name, limit) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.order - b.order)
    .slice(0, count)
    .map((entry) => entry.name);
}

/** The names that stand nearest to a wrong one, nearest first, however far that is. */
export function closestNames(wrong: string, names: readonly string[], count: number): string[] {
  const word = wrong.slice(0, 128);
  const longest = Math.max(word.length, ...names.map((name) => name.length));
  return names
    .map((name, order) => ({ name, order, distance: closeness(word, name, longest) }))
    .sort((a, b) => a.distance - b.distance || a.order - b.order)
    .slice(0, count)
    .map((entry) => entry.name);
}

/** A name that begins or ends with the other is close, whatever its length. */
function closeness(word: string, name: string, limit: number): number {
  const distance = editDistance(word, name, limit);
  const [a, b] = [word.toLowerCase(), name.toLowerCase()];
  const holds =
    Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a) || a.endsWith(b) || b.endsWith(a));
  return holds ? Math.min(distance, 2) : distance;
}

/** `did you mean "x"?`, or null when nothing is close enough for a guess. */
export function didYouMean(wrong: string, names: readonly string[]): string | null {
  const limit = wrong.length <= 3 ? 1 : Math.max(2, Math.floor(wrong.length / 3));
  const best = nearestNames(wrong, names, 1)[0];
  if (best === undefined || closeness(wrong, best, limit) > limit) return null;
  return `did you mean "${best}"?`;
}
