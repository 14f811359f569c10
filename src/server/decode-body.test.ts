import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody } from './decode-body.ts';

const text = Buffer.from('{"model":"main"}');
const bomb = Buffer.alloc(2_000_000, 'y');

const PACK = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;

describe('content codings of request bodies', () => {
  it.each(Object.entries(PACK))('%s is taken off', async (coding, pack) => {
    const decoded = await decodeBody(pack(text), coding.toUpperCase(), 1000);
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe(text.toString());
  });

  it('deflate is understood without its wrapper', async () => {
    const decoded = await decodeBody(deflateRawSync(text), 'deflate', 1000);
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe(text.toString());
  });

  it.each(Object.entries(PACK))('a %s bomb stops at the limit', async (coding, pack) => {
    expect(await decodeBody(pack(bomb), coding, 100_000)).toEqual({ ok: false, problem: 'too_large' });
  });

  it.each(Object.entries(PACK))('a damaged %s body is told', async (coding, pack) => {
    const packed = pack(bomb);
    expect(await decodeBody(packed.subarray(0, packed.length - 8), coding, 1 << 24)).toEqual({
      ok: false,
      problem: 'damaged',
    });
    expect(await decodeBody(Buffer.from('plain'), coding, 1000)).toMatchObject({ ok: false });
  });

  it('plain bodies pass, unknown codings do not', async () => {
    expect(await decodeBody(text, undefined, 1000)).toEqual({ ok: true, bytes: text });
    expect(await decodeBody(text, 'identity', 1000)).toEqual({ ok: true, bytes: text });
    expect(await decodeBody(text, 'compress', 1000)).toEqual({ ok: false, problem: 'unknown_coding' });
    expect(await decodeBody(text, 'gzip, gzip', 1000)).toEqual({ ok: false, problem: 'unknown_coding' });
  });
});
