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

const rules = (limit: number) => ({ limit, reserve: () => true });

describe('content codings of request bodies', () => {
  it.each(Object.entries(PACK))('%s is taken off', async (coding, pack) => {
    const decoded = await decodeBody(pack(text), coding.toUpperCase(), rules(1000));
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe(text.toString());
  });

  it('deflate is understood without its wrapper', async () => {
    const decoded = await decodeBody(deflateRawSync(text), 'deflate', rules(1000));
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe(text.toString());
  });

  it.each(Object.entries(PACK))('a %s bomb stops at the limit', async (coding, pack) => {
    expect(await decodeBody(pack(bomb), coding, rules(100_000))).toEqual({ ok: false, problem: 'too_large' });
  });

  it.each(Object.entries(PACK))('a damaged %s body is told', async (coding, pack) => {
    const packed = pack(bomb);
    expect(await decodeBody(packed.subarray(0, packed.length - 8), coding, rules(1 << 24))).toEqual({
      ok: false,
      problem: 'damaged',
    });
    expect(await decodeBody(Buffer.from('plain'), coding, rules(1000))).toMatchObject({ ok: false });
  });

  it('plain bodies pass, unknown codings do not', async () => {
    expect(await decodeBody(text, undefined, rules(1000))).toEqual({ ok: true, bytes: text });
    expect(await decodeBody(text, 'identity', rules(1000))).toEqual({ ok: true, bytes: text });
    expect(await decodeBody(text, 'compress', rules(1000))).toEqual({ ok: false, problem: 'unknown_coding' });
    expect(await decodeBody(text, 'gzip, gzip', rules(1000))).toEqual({ ok: false, problem: 'unknown_coding' });
  });

  it('stops as soon as no more may be held', async () => {
    let held = 0;
    const reserve = (bytes: number): boolean => {
      held += bytes;
      return held <= 200_000;
    };
    const bomb = gzipSync(Buffer.alloc(8 << 20));
    expect(await decodeBody(bomb, 'gzip', { limit: 32 << 20, reserve })).toEqual({ ok: false, problem: 'full' });
    expect(held).toBeLessThan(1 << 20);
  });
});
