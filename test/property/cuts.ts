import * as fc from 'fast-check';
import { encodeUtf8 } from '../../src/protocol/json/index.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';

/** The bytes in pieces, cut at these places (taken modulo the length); empty pieces too. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));
}

/** The worst that a network can do. */
export const bytewise = (bytes: Uint8Array): Uint8Array[] => [...bytes].map((byte) => Uint8Array.of(byte));

/** A stream, and how it may come: bytes one by one, or cut at any places; with settings for who reads it. */
export type CutStream = {
  readonly bytes: Uint8Array;
  readonly cuts: readonly (readonly Uint8Array[])[];
  readonly settings: DecoderOptions;
  /** The body ends as it must. */
  readonly clean: boolean;
  readonly relaxed: boolean;
};

export const cutStreams = (stream: fc.Arbitrary<string>, options: fc.Arbitrary<DecoderOptions>) =>
  fc
    .tuple(stream, fc.array(fc.nat()), fc.record({ settings: options, clean: fc.boolean(), relaxed: fc.boolean() }))
    .map(([text, places, rest]): CutStream => {
      const bytes = encodeUtf8(text);
      return { bytes, cuts: [bytewise(bytes), cutAt(bytes, places)], ...rest };
    });
