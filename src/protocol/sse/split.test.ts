import { describe, expect, it } from 'vitest';
import { createFrameSplitter, type PieceKind } from './split.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(chunks: readonly string[], max = 1024): { pieces: [PieceKind, string, number][]; rest: string } {
  const splitter = createFrameSplitter(max);
  const pieces: [PieceKind, string, number][] = [];
  for (const chunk of chunks) {
    splitter.push(encode(chunk), (bytes, start, end, kind, lines) => {
      pieces.push([kind, new TextDecoder().decode(bytes.subarray(start, end)), lines]);
    });
  }
  return { pieces, rest: new TextDecoder().decode(splitter.end().bytes) };
}

const frames = (chunks: readonly string[]): string[] => split(chunks).pieces.map(([, text]) => text);

describe('createFrameSplitter', () => {
  it('ends a frame at each kind of blank line', () => {
    expect(frames(['data: a\n\ndata: b\n\n'])).toEqual(['data: a\n\n', 'data: b\n\n']);
    expect(frames(['data: a\r\rdata: b\r\r'])).toEqual(['data: a\r\r', 'data: b\r\r']);
    expect(frames(['data: a\r\n\r\ndata: b\n\r\n'])).toEqual(['data: a\r\n\r', '\ndata: b\n\r']);
  });

  it('gives a frame out at the CR of its blank line, and the LF with the next', () => {
    expect(frames(['data: a\r', '\n\r', '\ndata: b\r\n\r'])).toEqual(['data: a\r\n\r', '\ndata: b\r\n\r']);
  });

  it('counts the lines of a frame, over chunks too', () => {
    expect(split([': x\nda', 'ta: 1\n\n\n']).pieces).toEqual([
      ['frame', ': x\ndata: 1\n\n', 2],
      ['blank', '\n', 1],
    ]);
  });

  it('gives a run of blank lines out in one piece, whatever ends them', () => {
    expect(split(['\n\n\r\r\n\n\r\ndata: 1\n\n']).pieces).toEqual([
      ['blank', '\n\n\r\r\n\n\r', 6],
      ['frame', '\ndata: 1\n\n', 1],
    ]);
  });

  it('keeps what has no end yet', () => {
    expect(split(['data: a\n\ndata: b\n'])).toEqual({ pieces: [['frame', 'data: a\n\n', 1]], rest: 'data: b\n' });
  });

  it('gives a frame of just the bound out whole, wherever the chunks are cut', () => {
    const want = [['frame', 'd: 456\n\n', 1]];
    expect(split(['d: 456\n\n'], 8).pieces).toEqual(want);
    expect(split('d: 456\n\n'.split(''), 8).pieces).toEqual(want);
  });

  it('gives a frame beyond the bound out in pieces, wherever the chunks are cut', () => {
    const want = [['large', 'data: 12', 'rest', '345\n\n', 'frame', 'd\n\n']];
    const flat = (chunks: string[]): unknown[] => {
      const { pieces } = split(chunks, 8);
      const rest = pieces.filter(([kind]) => kind === 'rest').map(([, text]) => text);
      const others = pieces.filter(([kind]) => kind !== 'rest').flatMap((piece) => piece.slice(0, 2));
      return [[...others.slice(0, 2), 'rest', rest.join(''), ...others.slice(2)]];
    };
    expect(flat(['data: 12345\n\nd\n\n'])).toEqual(want);
    expect(flat('data: 12345\n\nd\n\n'.split(''))).toEqual(want);
  });
});
