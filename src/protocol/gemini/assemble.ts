import { isObject, type WireCandidate, type WireChunk, type WireContent, type WirePart } from './types.ts';

type Json = Readonly<Record<string, unknown>>;

type Built = { index: number; role: unknown; readonly parts: unknown[]; rest: Json };

/** Members of a candidate that hold lists of which each chunk brings a part. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  citationMetadata: ['citations'],
  logprobsResult: ['chosenCandidates', 'topCandidates'],
};

/** Puts the chunks of a stream together into the answer that a client without stream would have got. */
export class ResponseBuilder {
  #rest: Json = {};
  readonly #candidates = new Map<number, Built>();

  add({ candidates, ...rest }: WireChunk): void {
    this.#rest = { ...this.#rest, ...rest };
    for (const wire of Array.isArray(candidates) ? candidates : []) {
      if (isObject<WireCandidate>(wire)) this.#addCandidate(wire);
    }
  }

  build(): Json {
    const built = [...this.#candidates.values()].toSorted((a, b) => a.index - b.index);
    if (built.length === 0) return this.#rest;
    const candidates = built.map(({ index, role, parts, rest }) => ({ content: { role, parts }, ...rest, index }));
    return { candidates, ...this.#rest };
  }

  #addCandidate({ content, index, ...rest }: WireCandidate): void {
    const at = Number.isInteger(index) ? (index as number) : 0;
    const built: Built = this.#candidates.get(at) ?? { index: at, role: 'model', parts: [], rest: {} };
    this.#candidates.set(at, built);
    built.rest = Object.fromEntries([
      ...Object.entries(built.rest),
      ...Object.entries(rest).map(([name, value]) => [name, grown(name, built.rest[name], value)]),
    ]);
    if (!isObject<WireContent>(content)) return;
    built.role = content.role ?? built.role;
    for (const part of Array.isArray(content.parts) ? content.parts : []) addPart(built.parts, part);
  }
}

function grown(name: string, before: unknown, value: unknown): unknown {
  const lists = Object.hasOwn(GROWING, name) ? GROWING[name] : undefined;
  if (lists === undefined || !isObject(before) || !isObject(value)) return value;
  const joined = lists.flatMap((list) => {
    const [a, b] = [before[list], value[list]];
    return Array.isArray(a) && Array.isArray(b) ? [[list, [...a, ...b]] as const] : [];
  });
  return { ...before, ...value, ...Object.fromEntries(joined) };
}

/** Pieces of one text become one part; a part with a signature stays as it is. */
function addPart(parts: unknown[], part: unknown): void {
  const last = parts.at(-1);
  if (isPlain(last) && isPlain(part) && (last.thought === true) === (part.thought === true)) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text };
  } else if (!isPlain(part) || part.text !== '' || parts.length === 0) parts.push(part);
}

type PlainPart = { readonly text: string; readonly thought?: unknown };

const isPlain = (part: unknown): part is PlainPart =>
  isObject<WirePart>(part) &&
  typeof part.text === 'string' &&
  Object.keys(part).every((name) => name === 'text' || name === 'thought');
