import type { Random } from '../../port/random.ts';
import { encodeUtf8 } from '../../protocol/json/index.ts';
import type { Behaviour } from '../scenario/scenario.ts';
import type { Piece } from '../world/network.ts';

/** A part of a body, so long after the one before it. */
export type Part = { readonly text: string; readonly ms: number };

/** Most bytes of one read. */
const MAX_READ = 256 << 10;
/** Longer parts are never cut byte by byte. */
const MAX_BYTEWISE = 64 << 10;
/** How far apart random cuts lie, at most. */
const RANDOM_STEP = 200;

/** The parts of a body as reads, each made when it is due. What is read, and when, is the same whatever the cuts. */
export function* readsOf(
  parts: Iterable<Part>,
  reads: NonNullable<Behaviour['reads']>,
  random: Random,
): Generator<Piece, undefined> {
  const step = reads === 'random' ? () => 1 + Math.floor(random.next() * RANDOM_STEP) : () => 1;
  for (const { text, ms } of reads === 'merged' || reads === 'random' ? merge(parts) : parts) {
    const isCut = reads === 'random' || reads === 'bytes';
    if (text.length <= MAX_READ / 4 && !isCut) {
      yield { bytes: text, ms };
      continue;
    }
    const bytes = encodeUtf8(text);
    let wait = ms;
    for (let at = 0; at < bytes.length; wait = 0) {
      const end = at + (isCut && bytes.length <= MAX_BYTEWISE ? step() : MAX_READ);
      yield { bytes: bytes.subarray(at, end), ms: wait };
      at = end;
    }
  }
  return undefined;
}

/** What comes at the same moment comes in one read. */
function* merge(parts: Iterable<Part>): Generator<Part, undefined> {
  let open: Part | null = null;
  for (const part of parts) {
    if (open === null || part.ms > 0) {
      if (open !== null) yield open;
      open = part;
    } else open = { text: open.text + part.text, ms: open.ms };
  }
  if (open !== null) yield open;
  return undefined;
}
