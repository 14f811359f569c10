/** Lists one behind the other, or, mixed, one of each in turns. */
export function mixTurns<T>(lists: readonly (readonly T[])[], isMixed: boolean): readonly T[] {
  if (!isMixed) return lists.flat();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
