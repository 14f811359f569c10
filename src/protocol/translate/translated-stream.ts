import type { AnswerEvent } from '../../core/model/answer.ts';
import type { CanonicalEvent, Frame } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { EMPTY } from '../json/index.ts';
import type { AnswerDecoder, AnswerEncoder } from '../translation.ts';
import type { StreamDecoder } from '../types.ts';
import { ownFault } from './own-fault.ts';
import type { AnswerShim } from './shim-answer.ts';

export type TranslatedStreamParts = {
  /** Of the provider's protocol: frames, and what each means for failover. */
  readonly upstream: StreamDecoder;
  readonly answer: AnswerDecoder;
  readonly shim: AnswerShim;
  readonly encoder: AnswerEncoder;
  /** A frame of so many bytes was given out unread. */
  readonly maxFrameBytes: number;
  /** Set: the model's name for the client, whatever the provider says. */
  readonly renameModel: string | null;
};

const isEnd = ({ type }: AnswerEvent): boolean => type === 'end';

/** The provider has failed by its own word: nothing that is wrong here says more. */
const isFailure = ({ type }: CanonicalEvent): boolean => type === 'error' || type === 'malformed' || type === 'cut';

type OnFrame = (frame: Frame) => boolean;

/**
 * Frames of one protocol as frames of another: what a frame means is the upstream's, what it says is written anew. So
 * whatever is decided on frames (commit, hold, cut) is decided as in a relay.
 */
export class TranslatedStream implements StreamDecoder {
  readonly #parts: TranslatedStreamParts;
  #isEnded = false;
  #isBroken = false;

  constructor(parts: TranslatedStreamParts) {
    this.#parts = parts;
  }

  get heldBytes(): number {
    return this.#parts.upstream.heldBytes;
  }

  relax(): void {
    this.#parts.upstream.relax();
  }

  push(chunk: Uint8Array, onFrame: OnFrame = () => true): readonly Frame[] {
    const out: Frame[] = [];
    this.#parts.upstream.push(chunk, (frame) => {
      const translated = this.#translate(frame);
      out.push(translated);
      return onFrame(translated);
    });
    return out;
  }

  end(clean: boolean): readonly Frame[] {
    return this.#parts.upstream.end(clean).map((frame) => this.#translate(frame));
  }

  usage(): Usage | null {
    return this.#parts.upstream.usage();
  }

  servedModel(): string | null {
    return this.#parts.upstream.servedModel?.() ?? null;
  }

  answerId(): string | null {
    return this.#parts.encoder.answerId ?? null;
  }

  #translate(frame: Frame): Frame {
    if (this.#isBroken) return { ...frame, bytes: EMPTY };
    // Unread bytes of another protocol are nothing that this client could read.
    if (frame.bytes.length >= this.#parts.maxFrameBytes) return this.#break([{ type: 'malformed' }]);
    try {
      const bytes = this.#write(this.#eventsIn(frame));
      return this.#frame(bytes, frame);
    } catch (thrown) {
      return this.#break(frame.events.some(isFailure) ? frame.events : [ownFault(thrown)]);
    }
  }

  /** Behind the upstream's end mark nothing is read any more: what the answer lacks comes with it. */
  #eventsIn({ bytes, events }: Frame): readonly AnswerEvent[] {
    const { answer } = this.#parts;
    const read = bytes.length === 0 ? [] : answer.push(bytes);
    const isLast = events.some(({ type }) => type === 'done') && !this.#isEnded && !read.some(isEnd);
    return isLast ? [...read, ...answer.end()] : read;
  }

  #break(events: Frame['events']): Frame {
    this.#isBroken = true;
    return { bytes: EMPTY, events, edits: [], count: 1 };
  }

  #frame(bytes: Uint8Array, { events, count }: Frame): Frame {
    const { sequence } = this.#parts.encoder;
    // What was mended upstream is no edit of what the client gets.
    return { bytes, events, edits: [], count, ...(sequence == null ? {} : { sequence }) };
  }

  #write(events: readonly AnswerEvent[]): Uint8Array {
    if (events.some(isEnd)) this.#isEnded = true;
    const { shim, encoder } = this.#parts;
    return encoder.push(shim.push(events.map((event) => this.#named(event))));
  }

  #named(event: AnswerEvent): AnswerEvent {
    const { renameModel } = this.#parts;
    return event.type === 'start' && renameModel !== null ? { ...event, model: renameModel } : event;
  }
}
