import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { HttpFailure } from '../../port/http-client.ts';

/** Where a body goes. One of `end` and `fail` comes, last. */
export interface BodySink {
  data(chunk: Uint8Array): void;
  end(): void;
  fail(failure: Pick<HttpFailure, 'error' | 'detail'>): void;
}

/** Something that can be told to stop and go on. */
export interface Gate {
  pause(): void;
  resume(): void;
}

/** More than this is no body but an attack on memory. */
const MAX_CODINGS = 3;

const INFLATE = { flush: zlib.constants.Z_SYNC_FLUSH };

/** `first` is the body's first byte: "deflate" means zlib to the standard and raw deflate to some servers. */
const CODINGS: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => zlib.createGunzip(INFLATE),
  'x-gzip': () => zlib.createGunzip(INFLATE),
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate(INFLATE) : zlib.createInflateRaw(INFLATE)),
  br: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  // 8 MiB is the largest window that the coding allows (RFC 9659).
  zstd: () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }),
};

/** Names of the codings in a `content-encoding`, in the order in which they were applied; null when one is unknown. */
export function readCodings(header: string | undefined): readonly string[] | null {
  if (header === undefined) return [];
  const names = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return names.length <= MAX_CODINGS && names.every((name) => Object.hasOwn(CODINGS, name)) ? names : null;
}

export interface BodyDecoder extends BodySink, Gate {
  /** Frees everything; nothing comes out any more. */
  destroy(): void;
}

/**
 * Takes encoded bytes and gives decoded ones to `sink`, chunk by chunk as they come. A failure of the source is passed
 * on behind all that could be decoded. While the reader pauses, at most a few buffers are decoded ahead and `source` is
 * paused: a small body that unpacks into a huge one costs no more memory than any other.
 */
export function createBodyDecoder(codings: readonly string[], source: Gate, sink: BodySink): BodyDecoder {
  const stages: DecodeStage[] = [];
  let next = sink;
  for (const coding of codings) {
    const stage = new DecodeStage(coding, next);
    stages.unshift(stage);
    next = stage;
  }
  for (const [n, stage] of stages.entries()) stage.readFrom(stages[n - 1] ?? source);
  const last = stages.at(-1);
  return {
    data: (chunk) => next.data(chunk),
    end: () => next.end(),
    fail: (failure) => next.fail(failure),
    pause: () => last?.pause(),
    resume: () => last?.resume(),
    destroy() {
      for (const stage of stages) stage.destroy();
    },
  };
}

class DecodeStage implements BodySink, Gate {
  readonly #coding: string;
  readonly #next: BodySink;
  #source: Gate | null = null;
  #stream: Transform | null = null;
  #writes = 0;
  #isPaused = false;
  #isChoked = false;
  /** The coding says that the body is whole: what follows is padding. */
  #isWhole = false;
  #ending: 'end' | Pick<HttpFailure, 'error' | 'detail'> | null = null;
  #isOver = false;

  constructor(coding: string, next: BodySink) {
    this.#coding = coding;
    this.#next = next;
  }

  readFrom(source: Gate): void {
    this.#source = source;
  }

  data(chunk: Uint8Array): void {
    const first = chunk[0];
    if (this.#isOver || this.#isWhole || first === undefined) return;
    this.#stream ??= this.#open(first);
    this.#writes += 1;
    const isRoomLeft = this.#stream.write(chunk, () => {
      this.#writes -= 1;
      this.#settle();
    });
    if (isRoomLeft || this.#isChoked) return;
    this.#isChoked = true;
    this.#source?.pause();
  }

  end(): void {
    this.#ending ??= 'end';
    this.#settle();
  }

  fail(failure: Pick<HttpFailure, 'error' | 'detail'>): void {
    this.#ending ??= failure;
    this.#settle();
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  destroy(): void {
    this.#isOver = true;
    this.#stream?.destroy();
  }

  #open(first: number): Transform {
    const stream = (CODINGS[this.#coding] as (first: number) => Transform)(first);
    stream.on('data', (chunk: Uint8Array) => {
      if (!this.#isOver) this.#next.data(chunk);
      this.#settle();
    });
    stream.on('drain', () => {
      this.#isChoked = false;
      if (!this.#isOver) this.#source?.resume();
    });
    stream.on('end', () => {
      this.#isWhole = true;
      this.#settle();
    });
    stream.on('error', (error) => this.#finish(() => this.#next.fail(badEncoding(this.#coding, error))));
    if (this.#isPaused) stream.pause();
    return stream;
  }

  /** Ends only when everything before the end is decoded and read: an error of the coding would throw the rest away. */
  #settle(): void {
    const ending = this.#ending;
    const stream = this.#stream;
    if (ending === null || this.#isOver || this.#writes > 0) return;
    if (stream !== null && !this.#isWhole && stream.readableLength > 0) return;
    if (ending !== 'end') this.#finish(() => this.#next.fail(ending));
    else if (stream === null || this.#isWhole) this.#finish(() => this.#next.end());
    else if (!stream.writableEnded) stream.end();
  }

  #finish(tell: () => void): void {
    if (this.#isOver) return;
    this.destroy();
    tell();
  }
}

function badEncoding(coding: string, error: Error): Pick<HttpFailure, 'error' | 'detail'> {
  return { error: 'bad_encoding', detail: `${coding}: ${error.message}`.slice(0, 300) };
}
