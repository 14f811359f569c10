import type { Citation } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isJsonObject, listOf, objectOf } from '../shared/json-object.ts';
import { nonEmpty } from '../shared/value.ts';

const encoder = new TextEncoder();

const bytesIn = (text: string): number => encoder.encode(text).length;

/** The wire counts bytes of a text's UTF-8: which character is at each, in one pass for all that are asked for. */
function createCharFinder(text: string): (byte: number) => number {
  const size = bytesIn(text);
  if (size === text.length) return (byte) => Math.min(byte, size);
  const chars = new Uint32Array(size + 1);
  let byte = 0;
  let at = 0;
  for (const letter of text) {
    const end = byte + bytesOf(letter.codePointAt(0) ?? 0);
    at += letter.length;
    chars.fill(at, byte + 1, end + 1);
    byte = end;
  }
  return (asked) => chars[Math.min(asked, size)] ?? at;
}

const bytesOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

const byteAt = (text: string, char: number): number => bytesIn(text.slice(0, char));

const whole = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

type Place = { readonly start: number | null; readonly end: number | null };

/** A start of zero is left out on the wire. */
function createPlaceReader(text: string): (segment: JsonObject) => Place {
  let find: ReturnType<typeof createCharFinder> | null = null;
  return ({ startIndex, endIndex }) => {
    const end = whole(endIndex);
    if (end === null) return { start: null, end: null };
    find ??= createCharFinder(text);
    return { start: find(whole(startIndex) ?? 0), end: find(end) };
  };
}

/** `citationMetadata`: places of texts that the answer repeats. */
export function readCitations(value: JsonValue | undefined, text: string): Citation[] {
  const placeIn = createPlaceReader(text);
  return listOf(objectOf(value)['citations']).map((each) => {
    const citation = objectOf(each);
    return {
      url: nonEmpty(citation['uri']),
      title: nonEmpty(citation['title']),
      citedText: null,
      ...placeIn(citation),
      source: { protocol: 'gemini', value: { citation } },
    };
  });
}

/** What a search found: one citation for each place of the text and source; sources that no place leans on have none. */
export function readGrounding(value: JsonValue | undefined, text: string): Citation[] {
  const { groundingChunks, groundingSupports } = objectOf(value);
  const chunks = listOf(groundingChunks).map(objectOf);
  const placeIn = createPlaceReader(text);
  const used = new Set<number>();
  const placed = listOf(groundingSupports).flatMap((each): Citation[] => {
    const { segment, groundingChunkIndices } = objectOf(each);
    const place = placeIn(objectOf(segment));
    return listOf(groundingChunkIndices).flatMap((index): Citation[] => {
      const chunk = typeof index === 'number' ? chunks[index] : undefined;
      if (chunk === undefined || typeof index !== 'number') return [];
      used.add(index);
      return [citationOf(chunk, place)];
    });
  });
  const others = chunks.filter((_chunk, index) => !used.has(index));
  return [...placed, ...others.map((chunk) => citationOf(chunk, { start: null, end: null }))];
}

function citationOf(chunk: JsonObject, place: Place): Citation {
  const [kind] = Object.keys(chunk);
  const { uri, title } = objectOf(kind === undefined ? undefined : chunk[kind]);
  return {
    url: nonEmpty(uri),
    title: nonEmpty(title),
    citedText: null,
    ...place,
    source: { protocol: 'gemini', value: { groundingChunk: chunk } },
  };
}

/** A citation, and the text of the block that it stands in. */
export type Cited = { readonly citation: Citation; readonly text: string };

/** The members of a candidate that tell of citations; none for none. */
export function writeCitations(all: readonly Cited[]): JsonObject {
  const repeated = all.flatMap((cited) => {
    const value = own(cited.citation)['citation'];
    return isJsonObject(value) ? [{ ...value, ...indices(cited) }] : [];
  });
  const found = all.filter(({ citation }) => own(citation)['citation'] === undefined);
  return {
    ...(repeated.length === 0 ? {} : { citationMetadata: { citations: repeated } }),
    ...(found.length === 0 ? {} : { groundingMetadata: grounding(found) }),
  };
}

const own = ({ source }: Citation): JsonObject => (source?.protocol === 'gemini' ? source.value : {});

function indices({ citation: { start, end }, text }: Cited): JsonObject {
  return end === null ? {} : { startIndex: byteAt(text, start ?? 0), endIndex: byteAt(text, end) };
}

function grounding(found: readonly Cited[]): JsonObject {
  const chunks: JsonObject[] = [];
  const places = new Map<string, number>();
  const supports: JsonObject[] = [];
  for (const cited of found) {
    const { url, title, start, end } = cited.citation;
    const chunk = own(cited.citation)['groundingChunk'] ?? {
      web: { ...(url === null ? {} : { uri: url }), ...(title === null ? {} : { title }) },
    };
    const key = JSON.stringify(chunk);
    const index = places.get(key) ?? chunks.push(objectOf(chunk)) - 1;
    places.set(key, index);
    if (end === null) continue;
    const segment = { ...indices(cited), text: cited.text.slice(start ?? 0, end) };
    supports.push({ segment, groundingChunkIndices: [index] });
  }
  return { groundingChunks: chunks, ...(supports.length === 0 ? {} : { groundingSupports: supports }) };
}

/** What `groundingMetadata` says beside chunks and supports. */
export function restOfGrounding(value: JsonValue | undefined): JsonObject {
  const { groundingChunks: _chunks, groundingSupports: _supports, ...rest } = objectOf(value);
  return rest;
}
