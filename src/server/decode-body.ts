import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
} from 'node:zlib';

export type DecodedBody =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: 'too_large' | 'unknown_coding' | 'damaged' };

type Done = (error: Error | null, bytes: Uint8Array) => void;
type Unpack = (bytes: Uint8Array, maxOutputLength: number, done: Done) => void;

/** A frame may ask for a window of gigabytes; what compressors choose by themselves is far below this. */
const ZSTD_OPTIONS: ZstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 25 } };
const DEFLATE_IN_ZLIB = 8;

/** "deflate" is sent with and without the zlib wrapper. */
const unpackDeflate: Unpack = (bytes, maxOutputLength, done) => {
  const options: ZlibOptions = { maxOutputLength };
  if (((bytes[0] ?? 0) & 0x0f) === DEFLATE_IN_ZLIB) inflate(bytes, options, done);
  else inflateRaw(bytes, options, done);
};

const UNPACK: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', (bytes, maxOutputLength, done) => gunzip(bytes, { maxOutputLength }, done)],
  ['x-gzip', (bytes, maxOutputLength, done) => gunzip(bytes, { maxOutputLength }, done)],
  ['deflate', unpackDeflate],
  ['br', (bytes, maxOutputLength, done) => brotliDecompress(bytes, { maxOutputLength }, done)],
  ['zstd', (bytes, maxOutputLength, done) => zstdDecompress(bytes, { ...ZSTD_OPTIONS, maxOutputLength }, done)],
]);

/** Content codings that a request body may have, for people. */
export const CODINGS = 'gzip, deflate, br, zstd';

/** Whether a body in this coding can be read at all; asked before the body is. */
export function isKnownCoding(contentEncoding: string | undefined): boolean {
  const coding = normalise(contentEncoding);
  return coding === 'identity' || UNPACK.has(coding);
}

/** Takes off the content coding. Unpacking stops as soon as more than `limit` bytes have come out. */
export function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  limit: number,
): Promise<DecodedBody> | DecodedBody {
  const coding = normalise(contentEncoding);
  if (coding === 'identity' || bytes.length === 0) return { ok: true, bytes };
  const unpack = UNPACK.get(coding);
  if (unpack === undefined) return { ok: false, problem: 'unknown_coding' };
  return new Promise((resolve) => {
    unpack(bytes, limit, (error, out) => {
      if (!error) resolve({ ok: true, bytes: out });
      else resolve({ ok: false, problem: isTooLarge(error) ? 'too_large' : 'damaged' });
    });
  });
}

const normalise = (contentEncoding: string | undefined): string =>
  contentEncoding === undefined || contentEncoding.trim() === '' ? 'identity' : contentEncoding.trim().toLowerCase();

const isTooLarge = (error: Error & { code?: unknown }): boolean => error.code === 'ERR_BUFFER_TOO_LARGE';
