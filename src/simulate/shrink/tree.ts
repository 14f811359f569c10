/** Steps from the root: keys of maps, places in lists. */
export type Path = readonly (string | number)[];

type Map = Readonly<Record<string, unknown>>;

export const isMap = (node: unknown): node is Map => node !== null && typeof node === 'object' && !Array.isArray(node);

/** Undefined: nothing stands there. */
export function valueAt(root: unknown, path: Path): unknown {
  let node = root;
  for (const step of path) {
    if (Array.isArray(node)) node = node[step as number];
    else if (isMap(node) && Object.hasOwn(node, step)) node = node[step];
    else return undefined;
  }
  return node;
}

/** A copy with another value at a place; undefined takes the member or item out. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(root)) {
    const place = step as number;
    const item = withValue(root[place], rest, value);
    return rest.length === 0 && value === undefined ? root.toSpliced(place, 1) : root.with(place, item);
  }
  if (!isMap(root)) return root;
  const { [step]: old, ...others } = root;
  if (rest.length === 0 && value === undefined) return others;
  // Members stay in their order.
  return Object.fromEntries(
    Object.entries(root).map(([key, each]) => [key, key === String(step) ? withValue(old, rest, value) : each]),
  );
}

/** Every place below the root, outer ones first. */
export function listPaths(root: unknown, base: Path = []): readonly Path[] {
  const steps: readonly (string | number)[] = Array.isArray(root)
    ? [...root.keys()]
    : isMap(root)
      ? Object.keys(root)
      : [];
  const own = steps.map((step) => [...base, step]);
  return [...own, ...own.flatMap((path) => listPaths(valueAt(root, path.slice(base.length)), path))];
}
