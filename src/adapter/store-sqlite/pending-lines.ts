import { encodeLine } from './journal-line.ts';

/** Where a line stands among those of its request: nothing comes before `first`, nothing behind `last`. */
export type LinePlace = 'first' | 'middle' | 'last' | 'only';

/**
 * Lines that wait for the disk, by request: each request's in its order, the requests in the order of their first line.
 */
export interface PendingLines {
  add(request: string, line: string, place: LinePlace): void;
  /** Takes out whole requests' lines of about so many bytes, from the oldest on. */
  take(maxBytes: number): string;
  takeRequest(request: string): string;
  bytes(): number;
  /** Lines that were given up since the last time. */
  takeLost(): number;
}

type Waiting = { text: string; lines: number; readonly isWhole: boolean; isLast: boolean };

/** What an entry costs besides its text. */
const OVERHEAD = 200;

/** Room that is made when there is none: a part at once, so that it need not be made for each line. */
const ROOM = 1 / 8;

export function createPendingLines(maxBytes: number): PendingLines {
  const waiting = new Map<string, Waiting>();
  /** Requests under way of which something was given up: the rest of their facts would make no sense. */
  const given = new Set<string>();
  /** Of those, what the disk has the beginning of, so that it learns that no end will come. */
  const halved = new Set<string>();
  let bytes = 0;
  let lost = 0;

  const remove = (request: string, entry: Waiting): void => {
    waiting.delete(request);
    bytes -= entry.text.length + OVERHEAD;
  };
  const makeRoom = (): void => {
    for (const [request, entry] of waiting) {
      if (bytes <= maxBytes * (1 - ROOM)) return;
      remove(request, entry);
      lost += entry.lines;
      if (!entry.isLast) given.add(request);
      if (!entry.isWhole) halved.add(request);
    }
  };

  return {
    add(request, line, place) {
      const isLast = place === 'last' || place === 'only';
      if (given.size > 0 && given.has(request)) {
        lost += 1;
        if (isLast) given.delete(request);
        return;
      }
      const entry = waiting.get(request);
      if (entry === undefined) {
        const isWhole = place === 'first' || place === 'only';
        waiting.set(request, { text: line, lines: 1, isWhole, isLast });
        bytes += line.length + OVERHEAD;
      } else {
        entry.text += line;
        entry.lines += 1;
        entry.isLast ||= isLast;
        bytes += line.length;
      }
      if (bytes > maxBytes) makeRoom();
    },
    take(limit) {
      let text = '';
      for (const request of halved) {
        if (text.length >= limit) return text;
        text += encodeLine({ type: 'lost', request });
        halved.delete(request);
      }
      for (const [request, entry] of waiting) {
        if (text.length >= limit) return text;
        text += entry.text;
        remove(request, entry);
      }
      return text;
    },
    takeRequest(request) {
      const entry = waiting.get(request);
      if (entry === undefined) return '';
      remove(request, entry);
      return entry.text;
    },
    bytes: () => bytes,
    takeLost() {
      const count = lost;
      lost = 0;
      return count;
    },
  };
}
