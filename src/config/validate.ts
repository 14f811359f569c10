import { Interpolated } from './interpolate.ts';
import { findingsOf } from './issues.ts';
import type { Finding, Path } from './problem.ts';
import { type ConfigInput, configSchema } from './schema/index.ts';

export type Validation = {
  readonly findings: readonly Finding[];
  /** What is sound of the file: equal to it when nothing was found; null when nothing can be saved. */
  readonly input: ConfigInput | null;
  /** What had to be left out of `input`; what another check says of it is no news. */
  readonly pruned: readonly Path[];
};

/** Removing one thing may leave another incomplete; more rounds than the document is deep are never needed. */
const MAX_ROUNDS = 12;

/**
 * Checks a tree against the schema. What is wrong is taken out of a copy until the rest is sound, so that further
 * checks can look at the rest in the same run. `damaged`: places that are known to be bad already.
 */
export function validateTree(tree: unknown, damaged: readonly Path[]): Validation {
  const copy = { root: clone(tree) };
  const pruned: Path[] = [];
  for (const path of damaged) prune(copy, path, pruned);
  let findings: readonly Finding[] | null = null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = configSchema.safeParse(copy.root);
    if (result.success) return { findings: findings ?? [], input: result.data, pruned };
    const found = findingsOf(result.error.issues, configSchema);
    // Later rounds only tell of holes that the pruning has made.
    findings ??= found.filter((finding) => !isTouched(finding.path, pruned));
    for (const finding of found) prune(copy, finding.path, pruned);
  }
  return { findings: findings ?? [], input: null, pruned };
}

/** One of the places contains the path, or is contained in it. */
export function isTouched(path: Path, places: readonly Path[]): boolean {
  return places.some((place) => place.slice(0, path.length).every((step, index) => step === path[index]));
}

/** Removes the nearest key of a map at or above the path; items of lists stay, so that places keep their numbers. */
function prune(copy: { root: unknown }, path: Path, pruned: Path[]): void {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1];
    const parent = length === 1 ? copy.root : memberAt(copy.root, path.slice(0, length - 1));
    if (typeof key !== 'string' || !isMapNode(parent) || !Object.hasOwn(parent, key)) continue;
    delete parent[key];
    pruned.push(path.slice(0, length));
    return;
  }
  copy.root = {};
  pruned.push([]);
}

function memberAt(root: unknown, path: Path): unknown {
  let node = root;
  for (const step of path) {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, step)) return undefined;
    node = Reflect.get(node, step);
  }
  return node;
}

const isMapNode = (node: unknown): node is Record<string, unknown> =>
  node !== null && typeof node === 'object' && !Array.isArray(node) && !(node instanceof Interpolated);

function clone(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clone);
  if (!isMapNode(node)) return node;
  const out: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(node)) out[key] = clone(value);
  return out;
}
