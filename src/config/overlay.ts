/** Members that may be absent. */
export type Layer<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Lays what is said over what stands farther away; absent members, and those that the base does not know, change
 * nothing.
 */
export function overlay<T extends object>(base: T, layer: Layer<T>): T {
  const said = Object.entries(layer).filter(([key, value]) => value !== undefined && Object.hasOwn(base, key));
  return { ...base, ...Object.fromEntries(said) };
}
