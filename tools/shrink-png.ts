import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
/** So many of the commonest colours stay exactly as they are: surfaces and text. */
const EXACT = 128;

type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array };

/**
 * A screenshot (PNG, 8 bits of red, green, blue and maybe alpha) with 256 colours at most. Surfaces keep theirs; of the
 * edges of letters, which have a thousand shades, the nearest ones are taken. Throws where it is another kind of PNG.
 */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const palette = choosePalette(pixels);
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, at) => {
    const index = nearest.get(colour) ?? findNearest(palette, colour);
    nearest.set(colour, index);
    rows[Math.floor(at / width) + 1 + at] = index;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The commonest colours as they are, then one of each coarse kind of the others. */
function choosePalette(pixels: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const palette = common.slice(0, EXACT);
  const kinds = new Set<number>();
  for (const colour of common.slice(EXACT)) {
    const kind = colour & 0xe0e0e0;
    if (palette.length === MAX_COLOURS) break;
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    palette.push(colour);
  }
  return palette;
}

function findNearest(palette: readonly number[], colour: number): number {
  const distance = (other: number): number =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  let best = 0;
  for (let index = 1; index < palette.length; index += 1)
    if (distance(palette[index] ?? 0) < distance(palette[best] ?? 0)) best = index;
  return best;
}

function decode(png: Buffer): Picture {
  const parts: Buffer[] = [];
  let head: Buffer | null = null;
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') head = data;
    if (name === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const [depth, kind, , , interlace] = head?.subarray(8) ?? [];
  if (head === null || depth !== 8 || (kind !== 2 && kind !== 6) || interlace !== 0)
    throw new Error('This is no plain PNG of 8 bits with red, green and blue.');
  const [width, height, size] = [head.readUInt32BE(0), head.readUInt32BE(4), kind === 6 ? 4 : 3];
  const bytes = unfilter(inflateSync(Buffer.concat(parts)), width * size, height, size);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = bytes.readUIntBE(at * size, 3);
  return { width, height, pixels };
}

/** Takes back what PNG does to each row so that it compresses better. */
function unfilter(raw: Buffer, stride: number, height: number, size: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)] ?? 0;
    for (let column = 0; column < stride; column += 1) {
      const at = row * stride + column;
      const left = column >= size ? (out[at - size] ?? 0) : 0;
      const up = row > 0 ? (out[at - stride] ?? 0) : 0;
      const corner = row > 0 && column >= size ? (out[at - stride - size] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[at] = (raw[row * (stride + 1) + 1 + column] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
