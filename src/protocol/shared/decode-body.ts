import type { Headers, Protocol } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import type { JsonIndex } from '../json/index.ts';
import type { Decoded, RequestProblem } from '../types.ts';
import { indexBody, problem, repeatedProblem } from './request-shape.ts';
import { spellingProblem } from './spelling.ts';

/**
 * What a protocol's bodies are read by. `T`: an element of the list that holds the conversation, as it is looked at.
 */
export type BodyReader<T> = {
  readonly protocol: Protocol;
  /** So deep the body is noted down. */
  readonly depth: number;
  /** What may be wrong with its members, in the order in which it is told. */
  readonly checks: readonly ((index: JsonIndex) => RequestProblem | null)[];
  /** The conversation, or the place of an element that is none. */
  readonly outline: (index: JsonIndex) => readonly T[] | number;
  /** Where the conversation stands, and what each element of it must be. */
  readonly list: string;
  readonly element: string;
  /** More in the conversation than anybody needs. */
  readonly excess: (index: JsonIndex, elements: readonly T[]) => RequestProblem | null;
  readonly canonical: (index: JsonIndex, elements: readonly T[], headers: Headers) => CanonicalRequest;
};

const refused = (found: RequestProblem): Decoded => ({ ok: false, problem: found });

/** Reads a client's body. It is noted, not parsed: a body of megabytes costs one pass over its bytes. */
export function decodeBody<T>(reader: BodyReader<T>, body: Uint8Array, headers: Headers): Decoded {
  const index = indexBody(body, reader.depth);
  if ('message' in index) return refused(index);
  const spelling = (noted: JsonIndex) => spellingProblem(noted, reader.protocol);
  for (const check of [repeatedProblem, spelling, ...reader.checks]) {
    const found = check(index);
    if (found !== null) return refused(found);
  }
  const elements = reader.outline(index);
  if (typeof elements === 'number') {
    const place = `${reader.list}[${elements}]`;
    return refused(problem(`"${place}" must be ${reader.element}.`, place));
  }
  const excess = reader.excess(index, elements);
  return excess === null ? { ok: true, request: reader.canonical(index, elements, headers) } : refused(excess);
}
