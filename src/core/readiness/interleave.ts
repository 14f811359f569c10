/** One of each list in turn, until all of them are empty. */
export function takeTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

/**
 * One of each group in turn, the groups made by the first key, and each of them in turn by the next one. What has all
 * keys in common keeps its order.
 */
export function interleave<T>(items: readonly T[], keys: readonly ((item: T) => string)[]): readonly T[] {
  const [key, ...rest] = keys;
  if (key === undefined) return items;
  return takeTurns(groupBy(items, key).map((group) => interleave(group, rest)));
}

/** Groups in the order in which they are first met. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string | number): readonly (readonly T[])[] {
  const groups = new Map<string | number, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
