import { type Document, isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml';
import { holdsSecret } from '../read-source.ts';
import { PARSE_OPTIONS } from './edit-text.ts';
import { dataOf, nameOf } from './merge-node.ts';
import { isReference, isWritten } from './written-entries.ts';

/** Where a secret stands: by names, so that it is found again where a list has another order. */
type Place = { readonly id: string; readonly node: Scalar };

const WITHHELD = /^\$\{withheld:(.*)\}$/s;

export type RestoreResult =
  | { readonly ok: true; readonly text: string }
  /** The first secret that is nowhere to be found. */
  | { readonly ok: false; readonly missing: string };

/** A configuration file without the secrets that stand in it, to be kept: references to them stay. */
export function withholdSecrets(text: string): string {
  const literal = placesOf(text).filter(({ node: { value } }) => !isReference(value) && value !== '' && value !== null);
  return replaceAll(text, literal, ({ id }) => JSON.stringify(`\${withheld:${id}}`));
}

/** The file that a kept one was, with the secrets that the file has now in the same places. */
export function restoreSecrets(kept: string, now: string): RestoreResult {
  const known = new Map(placesOf(now).map(({ id, node }) => [id, node]));
  const wanted = placesOf(kept).flatMap(({ id, node }) => {
    const [, withheld] = WITHHELD.exec(String(node.value)) ?? [];
    return withheld === undefined ? [] : [{ id, node, source: known.get(withheld) ?? null, withheld }];
  });
  const missing = wanted.find(({ source }) => source === null);
  if (missing !== undefined) return { ok: false, missing: missing.withheld };
  const sources = new Map(wanted.map(({ node, source }) => [node, source as Scalar]));
  return { ok: true, text: replaceAll(kept, wanted, ({ node }) => sourceOf(now, sources.get(node) as Scalar)) };
}

const BLOCKS: readonly unknown[] = ['BLOCK_LITERAL', 'BLOCK_FOLDED'];

/** As it is written there, where that can be written elsewhere too. */
function sourceOf(text: string, { range, value, type }: Scalar): string {
  return range == null || BLOCKS.includes(type) ? JSON.stringify(value) : text.slice(range[0], range[1]);
}

function replaceAll<P extends Place>(text: string, places: readonly P[], by: (place: P) => string): string {
  const backwards = places.toSorted((one, other) => (other.node.range?.[0] ?? 0) - (one.node.range?.[0] ?? 0));
  return backwards.reduce((made, place) => {
    const [start, end] = place.node.range ?? [0, 0];
    return made.slice(0, start) + by(place) + made.slice(end);
  }, text);
}

function placesOf(text: string): readonly Place[] {
  const document = parseDocument(text, PARSE_OPTIONS);
  const places: Place[] = [];
  if (document.errors.length === 0) walk(document, document.contents, [], places);
  return places;
}

function walk(document: Document, node: unknown, path: readonly string[], places: Place[]): void {
  if (isScalar(node)) {
    if (holdsSecret(path)) places.push({ id: path.join('.'), node });
    return;
  }
  if (isMap(node)) {
    for (const { key, value } of node.items) walk(document, value, [...path, nameOf(key)], places);
    return;
  }
  if (!isSeq(node)) return;
  node.items.forEach((item, index) => {
    const data = dataOf(document, item);
    const name = isWritten(data) && typeof data['name'] === 'string' ? data['name'] : String(index);
    walk(document, item, [...path, `(${name})`], places);
  });
}
