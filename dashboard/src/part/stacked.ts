/** Each part on top of those before it: `[[1, 2], [3, 4]]` becomes `[[1, 2], [4, 6]]`. */
export function stacked(parts: readonly (readonly number[])[]): number[][] {
  const tops: number[][] = [];
  for (const values of parts) {
    const below = tops.at(-1);
    tops.push(values.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return tops;
}
