import { createEventMaker, EVENT_NAMES, type EventDraft, type IsOurs } from '../../core/event/index.ts';
import type { EventFeed, FeedOptions, FeedReader } from '../../port/event-feed.ts';

/** A draft whose event may have another name: of a request's start is told what is told of its end, as far as it is known. */
export type LiveDraft = EventDraft & { readonly as?: string };

export type EventRingOptions = {
  /** Events that are kept. A draft takes less than 1 KiB, and as bytes less than 2 KiB, by the bounds of its schema. */
  readonly size?: number;
  /** Tells the ids of this process from those of others. */
  readonly mark: string;
  readonly isOurs?: IsOurs;
};

export type EventRing = EventFeed & {
  /** Costs one store where nobody reads: what it says is written out when somebody takes it. */
  add(draft: LiveDraft): void;
  /** Who reads now. */
  readers(): number;
};

/** Half of them are a few hundred KiB of events. */
const SIZE = 4_096;
/** What a reader takes at once. */
const PIECE_BYTES = 64 * 1024;

const OWN_NAMES = ['request_started'];
const encoder = new TextEncoder();

type Entry = { readonly draft: LiveDraft; bytes: Uint8Array | null };

/**
 * The last events, each with a number. Readers have a place in it and no queue of their own, so that a slow one costs
 * nothing; an event is encoded once, for all of them, and only if somebody takes it.
 */
export function createEventRing({ size = SIZE, mark, isOurs }: EventRingOptions): EventRing {
  const make = createEventMaker(isOurs);
  const slots: (Entry | undefined)[] = [];
  const waiting = new Set<() => void>();
  let isTold = false;
  let readers = 0;
  /** The number of the newest event; the first one is 1. */
  let last = 0;

  const oldest = (): number => Math.max(1, last - size + 1);
  const idOf = (n: number): string => `${mark}-${n}`;
  const encode = (entry: Entry, n: number): Uint8Array => {
    entry.bytes ??= write(entry.draft, idOf(n));
    return entry.bytes;
  };
  const write = (draft: LiveDraft, id: string): Uint8Array => {
    const { event } = make(draft);
    const name = draft.as ?? event.event;
    return frame(name, { ...event, event: name }, id);
  };
  const tell = (): void => {
    isTold = false;
    const told = [...waiting];
    waiting.clear();
    for (const onNews of told) onNews();
  };

  return {
    names: [...EVENT_NAMES, ...OWN_NAMES],
    readers: () => readers,
    add(draft) {
      last += 1;
      slots[last % size] = { draft, bytes: null };
      if (isTold || waiting.size === 0) return;
      // Not here: whoever reports goes on, and what comes in the same turn is taken together.
      isTold = true;
      setImmediate(tell);
    },
    open(options) {
      readers += 1;
      let isOpen = true;
      const reader = createReader(options, {
        wait: (onNews) => void (isOpen && waiting.add(onNews)),
        oldest,
        last: () => last,
        idOf,
        place: (id) => placeOf(id, mark, oldest() - 1, last),
        at: (n) => {
          const entry = slots[n % size];
          return entry === undefined
            ? null
            : { name: entry.draft.as ?? entry.draft.name, bytes: () => encode(entry, n) };
        },
      });
      return {
        take: () => (isOpen ? reader.take() : null),
        close() {
          if (!isOpen) return;
          isOpen = false;
          readers -= 1;
          waiting.delete(options.onNews);
        },
      };
    },
  };
}

type Ring = {
  readonly wait: (onNews: () => void) => void;
  readonly oldest: () => number;
  readonly last: () => number;
  readonly idOf: (n: number) => string;
  /** The number of an event that was seen; null: it is gone, or another process's. */
  readonly place: (id: string) => number | null;
  readonly at: (n: number) => { readonly name: string; readonly bytes: () => Uint8Array } | null;
};

function createReader({ after, types, onNews }: FeedOptions, ring: Ring): Pick<FeedReader, 'take'> {
  const found = after === null ? null : ring.place(after);
  let seen = found ?? ring.last();
  let opening: string | null = after !== null && found === null ? 'reset' : 'opened';

  return {
    take() {
      const pieces: Uint8Array[] = [];
      if (opening !== null) pieces.push(frame(opening, { event: opening, v: 1 }, ring.idOf(seen)));
      opening = null;
      const missed = ring.oldest() - 1 - seen;
      if (missed > 0) {
        seen += missed;
        pieces.push(frame('lagged', { event: 'lagged', v: 1, missed }, ring.idOf(seen)));
      }
      for (let bytes = 0; seen < ring.last() && bytes < PIECE_BYTES; ) {
        seen += 1;
        const entry = ring.at(seen);
        if (entry === null || !(types?.has(entry.name) ?? true)) continue;
        const piece = entry.bytes();
        pieces.push(piece);
        bytes += piece.length;
      }
      if (seen === ring.last()) ring.wait(onNews);
      return pieces.length === 0 ? null : Buffer.concat(pieces);
    },
  };
}

/** Numbers of this process from `least` on: what came behind an event must be there, itself it need not. */
function placeOf(id: string, mark: string, least: number, last: number): number | null {
  const [, own, digits = ''] = /^(.+)-(\d{1,15})$/.exec(id) ?? [];
  const n = Number(digits);
  return own === mark && n >= least && n <= last ? n : null;
}

const frame = (name: string, data: object, id: string): Uint8Array =>
  encoder.encode(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
