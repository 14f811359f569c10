import type { ProviderError } from '../../core/failure/signal.ts';
import type { Headers } from '../../core/model/protocol.ts';
import { concatBytes } from '../../protocol/json/index.ts';
import { type AnswerReader, type BodyKind, type ReaderEnd, type ReaderInput, WRONG_CONTENT } from './types.ts';

const BODY_LIMIT = 256 * 1024;
const LESS_THAN = 0x3c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/**
 * The body of an error status, or of something that is no answer at all. However it ends, the failure is the one that
 * the status (or the kind of the content) told.
 */
export class FailureReader implements AnswerReader {
  readonly edits: ReadonlySet<never> = new Set();
  readonly anyEvent = false;
  readonly anyItem = false;
  readonly hasOutput = false;
  readonly outputs = 0;
  readonly isToldFailure = true;
  readonly terminal = null;
  readonly #input: ReaderInput;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #body: BodyKind = 'none';
  #error: ProviderError | null = null;

  constructor(input: ReaderInput) {
    this.#input = input;
  }

  push(chunk: Uint8Array): ReaderEnd | null {
    const part = chunk.subarray(0, BODY_LIMIT - this.#size);
    this.#chunks.push(part);
    this.#size += part.length;
    return part.length < chunk.length ? this.#finish() : null;
  }

  end(): ReaderEnd {
    return this.#finish();
  }

  clock(): ReaderEnd {
    return this.#finish();
  }

  usage(): null {
    return null;
  }

  get heldBytes(): number {
    return this.#size;
  }

  get body(): BodyKind {
    return this.#body;
  }

  get error(): ProviderError | null {
    return this.#error;
  }

  #finish(): ReaderEnd {
    const { codec, status, headers } = this.#input;
    const bytes = concatBytes(this.#chunks.splice(0));
    this.#body = bodyKind(bytes, headers);
    this.#error = this.#body === 'html' ? null : codec.decodeError(status, headers, bytes);
    return status < 200 || status >= 300 ? { type: 'failed', cause: { kind: 'status' } } : WRONG_CONTENT;
  }
}

function bodyKind(bytes: Uint8Array, headers: Headers): BodyKind {
  const first = bytes.find((byte) => byte > 0x20);
  if (first === undefined) return 'empty';
  if (first === LESS_THAN || (headers['content-type'] ?? '').includes('text/html')) return 'html';
  return first === BRACE || first === BRACKET ? 'json' : 'text';
}
