import type { CanonicalEvent, Frame, RelayEdit } from '../core/model/event.ts';
import { createHoldBuffer } from '../core/stream/hold-buffer.ts';
import { isFull, type StreamCause, type StreamInput, stepStream } from '../core/stream/machine.ts';
import { isCommitted, START, type StreamPolicy, type StreamState } from '../core/stream/phase.ts';
import type { Effect } from '../core/stream/transitions.ts';
import type { StreamDecoder } from '../protocol/types.ts';

/** How a stream ended: whole, failed with nothing given out, or cut behind output. */
export type PumpEnd =
  | { readonly type: 'complete' }
  | { readonly type: 'failed'; readonly cause: StreamCause }
  | { readonly type: 'interrupted'; readonly cause: StreamCause };

export type PumpSink = {
  /** From now on the answer is this attempt's. Called once, before the first `onWrite`. */
  onCommit(): void;
  /** Frames to give out, in order; one call a read. */
  onWrite(frames: readonly Frame[]): void;
};

const OUTSIDE: StreamCause = { kind: 'outside' };

/** Runs one attempt's stream through decoder and machine, and performs the effects. */
export class StreamPump {
  readonly edits = new Set<RelayEdit>();
  readonly #decoder: StreamDecoder;
  readonly #policy: StreamPolicy;
  readonly #sink: PumpSink;
  readonly #held = createHoldBuffer();
  #state: StreamState = START;
  #out: Frame[] = [];
  #end: PumpEnd | null = null;
  #outputs = 0;

  constructor(decoder: StreamDecoder, policy: StreamPolicy, sink: PumpSink) {
    this.#decoder = decoder;
    this.#policy = policy;
    this.#sink = sink;
  }

  get state(): StreamState {
    return this.#state;
  }

  get heldBytes(): number {
    return this.#held.bytes;
  }

  /** Frames so far that were more than a sign of life, given out or not. */
  get outputs(): number {
    return this.#outputs;
  }

  /** The end of the stream, when this chunk brought it. */
  push(chunk: Uint8Array): PumpEnd | null {
    // Frame by frame: once one commits, those behind it in the same read are looked at no closer than in the next.
    this.#decoder.push(chunk, this.#stepFrame);
    if (this.#end === null && isFull(this.#state, this.#policy)) this.#step({ type: 'bound' });
    if (this.#isWhole) this.#step({ type: 'end', usage: this.#decoder.usage() });
    if (this.#end?.type === 'complete' && !this.#state.isDone) this.#addEnd();
    this.#flush();
    return this.#end;
  }

  /** The body has ended: as HTTP wants it, or not. */
  end(isClean: boolean): PumpEnd {
    if (this.#end === null) this.#decoder.end(isClean || this.#isFinished).forEach(this.#stepFrame);
    return this.#close({ type: isClean ? 'end' : 'cut', usage: this.#decoder.usage() });
  }

  /** A clock has run out. An answer whose terminal is out is whole all the same. */
  clock(): PumpEnd {
    if (this.#end === null && this.#isFinished) this.#decoder.end(true).forEach(this.#stepFrame);
    return this.#close({ type: 'clock' });
  }

  /** The client has a terminal: however the body ends, what is missing behind it may be added. */
  get #isFinished(): boolean {
    return this.#state.phase === 'finished';
  }

  /** Finish and end mark are there: whatever follows is no part of it. */
  get #isWhole(): boolean {
    return this.#end === null && this.#state.isDone && this.#isFinished;
  }

  #close(last: StreamInput): PumpEnd {
    if (this.#end === null) this.#step(last);
    this.#flush();
    return this.#end ?? { type: isCommitted(this.#state) ? 'interrupted' : 'failed', cause: OUTSIDE };
  }

  readonly #stepFrame = (frame: Frame): boolean => {
    if (this.#end !== null) return false;
    if (!isSignOfLife(frame.events)) this.#outputs += 1;
    this.#step({ type: 'frame', frame, usage: this.#decoder.usage() });
    return this.#end === null && !this.#isWhole;
  };

  #step(input: StreamInput): void {
    const { state, effects, cause } = stepStream(this.#state, input, this.#policy);
    this.#state = state;
    const frame = input.type === 'frame' ? input.frame : null;
    for (const effect of effects) this.#perform(effect, frame, cause);
  }

  /** Something failed behind the terminal: the answer is whole, and lacks its end mark. */
  #addEnd(): void {
    for (const frame of this.#decoder.end(true)) this.#give(frame);
  }

  #perform(effect: Effect, frame: Frame | null, cause: StreamCause | null): void {
    if (effect === 'complete') this.#end ??= { type: 'complete' };
    else if (effect === 'fail') this.#end ??= { type: 'failed', cause: cause ?? OUTSIDE };
    else if (effect === 'interrupt') this.#end ??= { type: 'interrupted', cause: cause ?? OUTSIDE };
    else if (effect === 'commit') this.#commit();
    else if (effect === 'release_end') this.#giveHeld();
    else if (effect === 'discard_end') this.#held.take();
    else if (frame !== null) this.#performOnFrame(effect, frame);
  }

  #performOnFrame(effect: Effect, frame: Frame): void {
    if (effect === 'write') this.#give(frame);
    else if (effect === 'leave_out') for (const edit of frame.edits) this.edits.add(edit);
    else this.#held.keep(frame);
  }

  #commit(): void {
    this.#decoder.relax();
    this.#sink.onCommit();
    this.#giveHeld();
  }

  #giveHeld(): void {
    for (const frame of this.#held.take()) this.#give(frame);
  }

  #give(frame: Frame): void {
    for (const edit of frame.edits) this.edits.add(edit);
    if (frame.bytes.length > 0) this.#out.push(frame);
  }

  #flush(): void {
    if (this.#out.length === 0) return;
    const frames = this.#out;
    this.#out = [];
    this.#sink.onWrite(frames);
  }
}

/** Pings and comments show that somebody is there, not that the answer grows. */
function isSignOfLife(events: readonly CanonicalEvent[]): boolean {
  return events.length > 0 && events.every(({ type }) => type === 'comment' || type === 'ping' || type === 'noise');
}
