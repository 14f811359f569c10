import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type ZstdOptions,
} from 'node:zlib';

export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: 'too_large' | 'unknown_coding' | 'damaged' | 'full' };

export type DecodeRules = {
  /** Most bytes that may come out. */
  readonly limit: number;
  /** Counts bytes as they come out; false: no more may be held. */
  readonly reserve: (bytes: number) => boolean;
};

/** A frame may ask for a window of gigabytes; what compressors choose by themselves is far below this. */
const ZSTD_OPTIONS: ZstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 25 } };
const DEFLATE_IN_ZLIB = 8;

/** By coding; "deflate" is sent with and without the zlib wrapper. */
const UNPACKERS: ReadonlyMap<string, (bytes: Uint8Array) => Transform> = new Map<
  string,
  (bytes: Uint8Array) => Transform
>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', (bytes) => (((bytes[0] ?? 0) & 0x0f) === DEFLATE_IN_ZLIB ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress(ZSTD_OPTIONS)],
]);

/** Content codings that a request body may have, for people. */
export const CODINGS = 'gzip, deflate, br, zstd';

/** Whether a body in this coding can be read at all; asked before the body is. */
export function isKnownCoding(contentEncoding: string | undefined): boolean {
  const coding = normalise(contentEncoding);
  return coding === 'identity' || UNPACKERS.has(coding);
}

/** Takes off the content coding, piece by piece: unpacking stops with the first piece that is too much. */
export function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  rules: DecodeRules,
): Promise<DecodedBody> | DecodedBody {
  const coding = normalise(contentEncoding);
  if (coding === 'identity' || bytes.length === 0) return { ok: true, bytes };
  const create = UNPACKERS.get(coding);
  return create === undefined ? { ok: false, problem: 'unknown_coding' } : unpack(create(bytes), bytes, rules);
}

function unpack(stream: Transform, bytes: Uint8Array, { limit, reserve }: DecodeRules): Promise<DecodedBody> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (result: DecodedBody): void => {
      stream.removeAllListeners('data').destroy();
      resolve(result);
    };
    stream.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > limit) finish({ ok: false, problem: 'too_large' });
      else if (!reserve(piece.length)) finish({ ok: false, problem: 'full' });
      else pieces.push(piece);
    });
    stream.once('end', () => finish({ ok: true, bytes: Buffer.concat(pieces, length) }));
    stream.on('error', () => finish({ ok: false, problem: 'damaged' }));
    stream.end(bytes);
  });
}

const normalise = (contentEncoding: string | undefined): string =>
  contentEncoding === undefined || contentEncoding.trim() === '' ? 'identity' : contentEncoding.trim().toLowerCase();
