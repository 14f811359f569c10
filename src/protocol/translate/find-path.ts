import { decodeUtf8 } from '../json/index.ts';
import { isObject } from '../shared/value.ts';

export type IsSought = (value: unknown) => boolean;

/** Members of a wire format: whatever else is there may be the client's own text. */
const MEMBER = /^[A-Za-z_]{1,40}$/;
const MAX_DEPTH = 8;

/**
 * Finds values in a JSON body and tells the element that they stand in, as people write it: `messages[2].content[1]`.
 * Null: it is not there, or the body can't be read. The body is parsed once, when something is first asked for.
 */
export function findPath(body: Uint8Array): (isSought: IsSought) => string | null {
  let tree: unknown;
  let isRead = false;
  return (isSought) => {
    if (!isRead) tree = parse(body);
    isRead = true;
    const path = walk(tree, '', isSought, 0);
    if (path === null || path === '') return null;
    // Of what stands in a list, its element is place enough.
    const end = path.lastIndexOf(']');
    return end < 0 ? path : path.slice(0, end + 1);
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(body));
  } catch {
    return null;
  }
}

function walk(value: unknown, path: string, isSought: IsSought, depth: number): string | null {
  if (depth > 0 && isSought(value)) return path;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) {
      const found = walk(each, `${path}[${at}]`, isSought, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isObject(value)) return null;
  for (const [name, each] of Object.entries(value)) {
    if (!MEMBER.test(name)) continue;
    const found = walk(each, path === '' ? name : `${path}.${name}`, isSought, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
