import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import { BlockText } from './block-text.ts';
import { PROTOCOL } from './members.ts';
import type { BlockEvent, WireOut } from './wire-out.ts';

type Waiting = {
  readonly start: BlockStart;
  readonly number: number;
  readonly events: BlockEvent[];
  hasEnded: boolean;
};

/** Blocks that can go on in another one of their kind, as a call can't. */
const DIVISIBLE: ReadonlySet<BlockStart['type']> = new Set(['text', 'refusal', 'reasoning']);

/**
 * Writes blocks one after the other, however they come in: only one may be open. A text that is still open when another
 * block begins is closed, and goes on in a block of its own if more of it comes; what comes beside an open call waits
 * until that has ended.
 */
export class BlockWriter {
  readonly #out: WireOut[];
  readonly #createId: (prefix: string) => string;
  #current: { readonly waiting: Waiting; readonly text: BlockText } | null = null;
  readonly #queue: Waiting[] = [];
  /** Blocks that were closed while more of them may come. */
  readonly #divided = new Map<number, BlockStart>();
  /** Every block that has begun: a number stands for one. */
  readonly #seen = new Set<number>();
  #count = 0;
  hasCalls = false;

  constructor(out: WireOut[], createId: (prefix: string) => string) {
    this.#out = out;
    this.#createId = createId;
  }

  take(event: Exclude<AnswerEvent, { readonly type: 'start' | 'usage' | 'finish' | 'end' }>): void {
    if (event.type === 'block_start') {
      if (event.choice === 0 && !this.#seen.has(event.block) && isSayable(event.content))
        this.#begin(event.block, event.content);
      this.#seen.add(event.block);
    } else if (event.type === 'block_end') this.#finish(event.block);
    else if (event.type !== 'logprobs') this.#add(event);
  }

  closeAll(): void {
    for (const waiting of this.#queue) waiting.hasEnded = true;
    if (this.#current !== null) this.#current.waiting.hasEnded = true;
    this.#divided.clear();
    this.#advance();
  }

  #begin(number: number, start: BlockStart): void {
    const waiting: Waiting = { start, number, events: [], hasEnded: start.type === 'native' };
    const open = this.#current?.waiting;
    if (open !== undefined && DIVISIBLE.has(open.start.type)) {
      this.#divided.set(open.number, open.start);
      open.hasEnded = true;
    }
    this.#queue.push(waiting);
    this.#advance();
  }

  #add(event: BlockEvent): void {
    if (this.#current?.waiting.number === event.block) this.#current.text.add(event);
    else {
      const waiting = this.#queue.findLast(({ number }) => number === event.block);
      const start = this.#divided.get(event.block);
      if (waiting !== undefined) waiting.events.push(event);
      else if (start !== undefined) {
        this.#divided.delete(event.block);
        this.#begin(event.block, start);
        this.#add(event);
      }
    }
  }

  #finish(block: number): void {
    this.#divided.delete(block);
    const waiting = this.#queue.findLast(({ number }) => number === block);
    if (waiting !== undefined) waiting.hasEnded = true;
    else if (this.#current?.waiting.number === block) this.#current.waiting.hasEnded = true;
    this.#advance();
  }

  /** Ends what has ended, and begins what waits. */
  #advance(): void {
    while (this.#current === null || this.#current.waiting.hasEnded) {
      if (this.#current !== null) this.#close(this.#current.text);
      const waiting = this.#queue.shift();
      if (waiting === undefined) return;
      const text = new BlockText(this.#out, this.#count, waiting.start, this.#createId);
      this.#current = { waiting, text };
      for (const event of waiting.events) text.add(event);
      // A text that waited has had its turn, if more waits behind it.
      if (!waiting.hasEnded && DIVISIBLE.has(waiting.start.type) && this.#queue.length > 0) {
        this.#divided.set(waiting.number, waiting.start);
        waiting.hasEnded = true;
      }
    }
  }

  #close(text: BlockText): void {
    this.#count += text.end();
    this.hasCalls ||= text.isCall;
    this.#current = null;
  }
}

/** Pictures and sound can't be told, nor what only another protocol can say. */
const isSayable = (start: BlockStart): boolean =>
  start.type === 'native' ? start.protocol === PROTOCOL : start.type !== 'image' && start.type !== 'audio';
