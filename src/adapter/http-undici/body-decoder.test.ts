import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type BodyDecoder, createBodyDecoder, readCodings } from './body-decoder.ts';

const FAST = { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 };
const ENCODE: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  'x-gzip': (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  'deflate (raw)': (bytes) => zlib.deflateRawSync(bytes),
  // As well as it can it takes seconds for a bomb.
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: FAST }),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
};
const NAMES = Object.keys(ENCODE);
const TEXT = Buffer.from('data: {"n":1}\n\n'.repeat(40));

function encode(name: string, bytes: Uint8Array): Buffer {
  return (ENCODE[name] as (bytes: Uint8Array) => Buffer)(bytes);
}

function start(name: string) {
  const codings = readCodings(name.replace(' (raw)', '')) ?? [];
  const out: Uint8Array[] = [];
  const ends: string[] = [];
  const gates: string[] = [];
  let over: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    over = resolve;
  });
  const decoder: BodyDecoder = createBodyDecoder(
    codings,
    { pause: () => gates.push('pause'), resume: () => gates.push('resume') },
    {
      data(chunk) {
        expect(ends).toEqual([]);
        out.push(Buffer.from(chunk));
      },
      end() {
        ends.push('end');
        over();
      },
      fail({ error }) {
        ends.push(error);
        over();
      },
    },
  );
  return { decoder, done, ends, gates, out, text: () => Buffer.concat(out) };
}

async function decode(name: string, chunks: readonly Uint8Array[]) {
  const run = start(name);
  for (const chunk of chunks) run.decoder.data(chunk);
  run.decoder.end();
  await run.done;
  // Nothing behind the end.
  await sleep(1);
  return { ends: run.ends, body: run.text() };
}

function split(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

describe('readCodings', () => {
  it('reads a list in order, and knows what it does not know', () => {
    expect(readCodings(undefined)).toEqual([]);
    expect(readCodings('')).toEqual([]);
    expect(readCodings('identity')).toEqual([]);
    expect(readCodings(' GZIP , br')).toEqual(['gzip', 'br']);
    expect(readCodings('gzip, identity')).toEqual(['gzip']);
    expect(readCodings('compress')).toBeNull();
    expect(readCodings('gzip, aws-chunked')).toBeNull();
    expect(readCodings('constructor')).toBeNull();
    expect(readCodings('gzip, gzip, gzip, gzip')).toBeNull();
  });
});

describe.each(NAMES)('a body in %s', (name) => {
  it.each([1, 2, 3, 7, 1_000_000])('comes out whole however it is cut (%i)', async (size) => {
    const { ends, body } = await decode(name, split(encode(name, TEXT), size));
    expect(ends).toEqual(['end']);
    expect(body.equals(TEXT)).toBe(true);
  });

  it('that stops early is bad_encoding behind all that could be read, wherever it stops', async () => {
    const whole = encode(name, TEXT);
    for (let length = 1; length < whole.length; length++) {
      const { ends } = await decode(name, [whole.subarray(0, length)]);
      expect(ends, `${length} of ${whole.length}`).toEqual(['bad_encoding']);
    }
  });

  it('that is something else is bad_encoding', async () => {
    const { ends } = await decode(name, [Buffer.from('{"error":"this is no such coding at all"}')]);
    expect(ends).toEqual(['bad_encoding']);
  });

  it('may be empty', async () => {
    expect(await decode(name, [])).toEqual({ ends: ['end'], body: Buffer.alloc(0) });
    expect(await decode(name, [Buffer.alloc(0)])).toEqual({ ends: ['end'], body: Buffer.alloc(0) });
  });

  it('gives what it has before the source fails', async () => {
    const run = start(name);
    run.decoder.pause();
    run.decoder.data(encode(name, TEXT));
    run.decoder.fail({ error: 'reset', detail: 'cut' });
    await sleep(20);
    expect(run.ends).toEqual([]);
    run.decoder.resume();
    await run.done;
    expect(run.ends).toEqual(['reset']);
    expect(run.text().equals(TEXT)).toBe(true);
  });

  it('says nothing once it is destroyed', async () => {
    const run = start(name);
    run.decoder.data(encode(name, TEXT));
    run.decoder.destroy();
    run.decoder.data(encode(name, TEXT));
    run.decoder.end();
    await sleep(20);
    expect(run.ends).toEqual([]);
    expect(run.out).toEqual([]);
  });

  it('is not unpacked ahead of its reader', async () => {
    const run = start(name);
    run.decoder.pause();
    const bomb = encode(name, Buffer.alloc(64 * 1024 * 1024));
    for (const chunk of split(bomb, 1024)) run.decoder.data(chunk);
    run.decoder.end();
    const before = process.memoryUsage();
    await sleep(100);
    const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    expect(grown).toBeLessThan(4 * 1024 * 1024);
    expect(run.out).toEqual([]);
    run.decoder.destroy();
  });
});

/** An encoder whose every write is flushed, as servers do for event streams. */
async function flushed(make: () => zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress, events: readonly string[]) {
  const encoder = make();
  const chunks: Buffer[] = [];
  for (const event of events) {
    encoder.write(event);
    await new Promise<void>((resolve) => encoder.flush(() => resolve()));
    chunks.push((encoder.read() as Buffer | null) ?? Buffer.alloc(0));
  }
  return chunks;
}

describe.each([
  ['gzip', () => zlib.createGzip()],
  ['deflate', () => zlib.createDeflate() as unknown as zlib.Gzip],
  ['br', () => zlib.createBrotliCompress()],
  ['zstd', () => zlib.createZstdCompress()],
] as const)('a stream in %s', (name, make) => {
  it('is given out event by event', async () => {
    const events = ['data: one\n\n', 'data: two\n\n', 'data: three\n\n'];
    const run = start(name);
    let expected = '';
    for (const [n, chunk] of (await flushed(make, events)).entries()) {
      run.decoder.data(chunk);
      expected += events[n];
      for (let wait = 0; wait < 100 && run.text().toString() !== expected; wait++) await sleep(2);
      expect(run.text().toString()).toBe(expected);
    }
    expect(run.ends).toEqual([]);
    run.decoder.destroy();
  });
});

describe('odd bodies', () => {
  it.each(['gzip', 'zstd'])('several members in %s are one body, however they are cut', async (name) => {
    const twice = Buffer.concat([encode(name, TEXT), encode(name, TEXT)]);
    const cuts = [...Array(twice.length - 1).keys()].map((n) => [twice.subarray(0, n + 1), twice.subarray(n + 1)]);
    for (const chunks of [[twice], split(twice, 1), ...cuts]) {
      const { ends, body } = await decode(name, chunks);
      expect(ends).toEqual(['end']);
      expect(body.length).toBe(TEXT.length * 2);
    }
    expect((await decode(name, [twice.subarray(0, -2)])).ends).toEqual(['bad_encoding']);
  });

  it.each([
    ['gzip, br', 'gzip', 'br'],
    ['br, gzip', 'br', 'gzip'],
    ['zstd, deflate', 'zstd', 'deflate'],
  ])('codings on top of each other (%s) are undone in order', async (header, inner, outer) => {
    const bytes = encode(outer, encode(inner, TEXT));
    for (const size of [1, 5, 10_000]) {
      const { ends, body } = await decode(header, split(bytes, size));
      expect(ends).toEqual(['end']);
      expect(body.equals(TEXT)).toBe(true);
    }
    expect((await decode(header, [encode(outer, encode(inner, TEXT).subarray(0, -1))])).ends).toEqual(['bad_encoding']);
    expect((await decode(header, [bytes.subarray(0, -1)])).ends).toEqual(['bad_encoding']);
  });

  it('padding behind the end is passed over', async () => {
    for (const chunks of [[Buffer.alloc(8)], [Buffer.alloc(3), Buffer.alloc(3)]]) {
      const { ends, body } = await decode('gzip', [encode('gzip', TEXT), ...chunks]);
      expect(ends).toEqual(['end']);
      expect(body.equals(TEXT)).toBe(true);
    }
  });

  it.each(['gzip', 'br, gzip'])(
    'pauses its source while its reader pauses (%s), and goes on where it was',
    async (header) => {
      const run = start(header);
      // What can't be packed: all of it has to come through.
      const noise = randomBytes(1_000_000);
      const inner = header === 'gzip' ? noise : zlib.brotliCompressSync(noise, { params: FAST });
      run.decoder.pause();
      for (const chunk of split(zlib.gzipSync(inner, { level: 0 }), 32 * 1024)) run.decoder.data(chunk);
      run.decoder.end();
      await sleep(50);
      expect(run.gates).toEqual(['pause']);
      expect(run.ends).toEqual([]);
      expect(run.out).toEqual([]);
      run.decoder.resume();
      await run.done;
      expect(run.ends).toEqual(['end']);
      expect(run.text().equals(noise)).toBe(true);
      expect(run.gates).toContain('resume');
    },
  );

  it('refuses windows that the coding does not allow', async () => {
    const bytes = Buffer.alloc(40 * 1024 * 1024);
    const { constants } = zlib;
    const huge = zlib.zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 },
    });
    expect((await decode('zstd', [huge])).ends).toEqual(['bad_encoding']);
  });
});
