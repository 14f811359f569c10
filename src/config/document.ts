import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { ConfigProblem, Finding, Path, Position } from './problem.ts';
import { formatPath } from './problem.ts';

/** A file as plain data, with the place of everything in it. Maps have no prototype. */
export type SourceDocument = {
  readonly tree: unknown;
  /** The place of a key or value; that of the nearest thing around it when it isn't in the file. */
  locate(path: Path, atKey: boolean): Position;
  /** A string as it is written there, with its references; null: there is none. */
  textAt(path: Path): string | null;
};

export type DocumentResult =
  | {
      readonly ok: true;
      readonly document: SourceDocument;
      /** What is wrong with single keys and strings, and where: the tree has a hole there. */
      readonly problems: readonly ConfigProblem[];
      readonly damaged: readonly Path[];
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** What is done with each string of the document: its value, or what is wrong with it. */
export type StringReader = (
  text: string,
  path: Path,
) =>
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Omit<Finding, 'path'>[] };

/** Bounds on what aliases may unfold to. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 64;

/** Names that JavaScript objects give a meaning to: no key of a map may be one. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__']);

/**
 * Parses YAML 1.2 (JSON is a part of it) into plain data. All syntax errors, repeated keys and strings that
 * `readString` refuses are collected, each with its line and column.
 */
export function readDocument(text: string, readString: StringReader): DocumentResult {
  const lines = new LineCounter();
  const parsed = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    logLevel: 'silent',
  });
  const errors = [...parsed.errors, ...parsed.warnings];
  // Too deep is too deep at each level on the way back.
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  const syntax = (exhausted === undefined ? errors : [exhausted]).map((error) => syntaxProblem(error, lines));
  if (syntax.length > 0) return { ok: false, problems: syntax };
  const walk: Walk = {
    parsed,
    lines,
    readString,
    places: new Map(),
    texts: new Map(),
    problems: [],
    damaged: [],
    nodes: 0,
  };
  const tree = parsed.contents === null ? null : plainNode(parsed.contents, [], walk);
  if (walk.nodes >= MAX_NODES) return { ok: false, problems: walk.problems };
  const document = {
    tree,
    locate: (path: Path, atKey: boolean) => locate(walk.places, path, atKey),
    textAt: (path: Path) => walk.texts.get(placeKey(path)) ?? null,
  };
  return { ok: true, document, problems: walk.problems, damaged: walk.damaged };
}

type Place = { readonly key: Position | null; readonly value: Position };

type Walk = {
  readonly parsed: Document;
  readonly lines: LineCounter;
  readonly readString: StringReader;
  readonly places: Map<string, Place>;
  readonly texts: Map<string, string>;
  readonly problems: ConfigProblem[];
  readonly damaged: Path[];
  nodes: number;
};

const TOO_DEEP = [`this is nested deeper than ${MAX_DEPTH} levels`, 'an anchor that holds itself is, too'] as const;
const TOO_MUCH = [`the file holds more than ${MAX_NODES} values`, 'aliases unfold to many: write them out'] as const;

const SYNTAX_WORDS: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  DUPLICATE_KEY: { message: 'this key stands twice in one map', hint: 'keep one of the two' },
  MULTIPLE_DOCS: {
    message: 'the file holds more than one document',
    hint: 'remove the line "---" and what follows it',
  },
  RESOURCE_EXHAUSTION: { message: TOO_DEEP[0], hint: TOO_DEEP[1] },
  TAB_AS_INDENT: { message: 'a tab can not indent YAML', hint: 'use spaces' },
  TAG_RESOLVE_FAILED: {
    message: 'tags are not supported',
    hint: 'write ${NAME} for a variable, ${file:/path} for a file',
  },
};

function syntaxProblem(
  error: { code: string; message: string; pos: [number, number] },
  lines: LineCounter,
): ConfigProblem {
  const { line, col } = lines.linePos(error.pos[0]);
  const words = SYNTAX_WORDS[error.code];
  const message = words?.message ?? `this is no valid YAML: ${error.message}`;
  return { path: '', line, column: col, message, hint: words?.hint ?? null };
}

function plainNode(node: Node, path: Path, walk: Walk): unknown {
  walk.nodes += 1;
  if (walk.nodes > MAX_NODES) return null;
  const isTooDeep = path.length > MAX_DEPTH;
  if (walk.nodes === MAX_NODES || isTooDeep) {
    // The rest of the walk is silent.
    walk.nodes = MAX_NODES;
    const [message, hint] = isTooDeep ? TOO_DEEP : TOO_MUCH;
    return report(walk, node, path.slice(0, 8), message, hint);
  }
  if (isAlias(node)) {
    const target = node.resolve(walk.parsed);
    if (target === undefined) return report(walk, node, path, `no anchor is named "${node.source}"`, null);
    return plainNode(target, path, walk);
  }
  if (isMap(node)) return plainMap(node, path, walk);
  if (isSeq(node)) return plainList(node, path, walk);
  if (!isScalar(node)) return null;
  if (typeof node.value !== 'string') return node.value;
  return plainString(node.value, node, path, walk);
}

function plainString(text: string, node: Node, path: Path, walk: Walk): unknown {
  walk.texts.set(placeKey(path), text);
  const read = walk.readString(text, path);
  if (read.ok) return read.value;
  for (const { message, hint } of read.problems) report(walk, node, path, message, hint ?? null);
  return null;
}

function plainList(node: YAMLSeq, path: Path, walk: Walk): unknown[] {
  return node.items.map((item, index) => {
    const at = [...path, index];
    if (item === null) return null;
    walk.places.set(placeKey(at), { key: null, value: positionOf(item as Node, walk) });
    return plainNode(item as Node, at, walk);
  });
}

function plainMap(node: YAMLMap, path: Path, walk: Walk): object {
  const out: Record<string, unknown> = Object.create(null);
  for (const pair of node.items) {
    const key = keyText(pair);
    const fault = key === null ? NO_KEY : keyFault(key, out);
    if (key === null || fault !== null) {
      report(walk, (pair.key ?? node) as Node, [...path, key ?? '?'], fault?.message ?? '', fault?.hint ?? null);
      continue;
    }
    const at = [...path, key];
    const keyPosition = positionOf(pair.key as Node, walk);
    const value = pair.value as Node | null;
    walk.places.set(placeKey(at), {
      key: keyPosition,
      value: value === null ? keyPosition : positionOf(value, walk, keyPosition),
    });
    out[key] = value === null ? null : plainNode(value, at, walk);
  }
  return out;
}

const NO_KEY = { message: 'a key must be a plain word', hint: null };

function keyFault(key: string, map: object): { readonly message: string; readonly hint: string | null } | null {
  if (UNSAFE_KEYS.has(key)) return { message: `"${key}" can not be a key`, hint: 'choose another name' };
  return Object.hasOwn(map, key) ? (SYNTAX_WORDS['DUPLICATE_KEY'] ?? null) : null;
}

/** Keys are names: `1.0` and `true` are meant as they are written. */
function keyText(pair: Pair): string | null {
  const key = pair.key;
  if (!isScalar(key) || key.value === null) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? null);
}

function report(walk: Walk, node: Node, path: Path, message: string, hint: string | null): null {
  const { line, column } = positionOf(node, walk);
  walk.problems.push({ path: formatPath(path), line, column, message, hint });
  walk.damaged.push(path);
  return null;
}

function positionOf(node: Node, walk: Walk, fallback: Position = { line: 1, column: 1 }): Position {
  const offset = node.range?.[0];
  // An empty value has a range behind its key: the key is the better place.
  if (offset === undefined || (isScalar(node) && node.value === null && node.source === '')) return fallback;
  const { line, col } = walk.lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

const placeKey = (path: Path): string => JSON.stringify(path);

function locate(places: ReadonlyMap<string, Place>, path: Path, atKey: boolean): Position {
  for (let length = path.length; length > 0; length--) {
    const place = places.get(placeKey(path.slice(0, length)));
    // What is missing is looked for at the key of the map that should hold it.
    if (place) return (atKey || length < path.length) && place.key !== null ? place.key : place.value;
  }
  return { line: 1, column: 1 };
}
