/** The bytes in pieces, cut at these places (taken modulo the length); empty pieces too. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));
}
