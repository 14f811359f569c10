import type { Outcome } from '../../core/failure/outcome.ts';
import type { RelayEdit } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Usage } from '../../core/model/usage.ts';
import { completeOutcome } from '../../core/stream/machine.ts';
import type { StreamDecoder } from '../../protocol/types.ts';
import { type PumpEnd, StreamPump } from '../pump-stream.ts';
import { type AnswerReader, type ReaderEnd, type ReaderInput, WRONG_CONTENT } from './types.ts';

/** What both ways of reading a stream share: decoder, pump, and what the pump knows. */
abstract class PumpedReader implements AnswerReader {
  readonly body = 'none';
  readonly isToldFailure = false;
  readonly error = null;
  protected readonly input: ReaderInput;
  protected readonly decoder: StreamDecoder;
  protected readonly pump: StreamPump;

  constructor(input: ReaderInput, decoder: StreamDecoder, pump: StreamPump) {
    this.input = input;
    this.decoder = decoder;
    this.pump = pump;
  }

  protected abstract close(end: PumpEnd): ReaderEnd;
  abstract readonly terminal: Outcome | null;

  push(chunk: Uint8Array): ReaderEnd | null {
    const end = this.pump.push(chunk);
    return end === null ? null : this.close(end);
  }

  end(isClean: boolean): ReaderEnd {
    return this.close(this.pump.end(isClean));
  }

  clock(): ReaderEnd {
    return this.close(this.pump.clock());
  }

  answerId(): string | null {
    return this.decoder.answerId?.() ?? null;
  }

  seals(): readonly string[] {
    return this.decoder.seals?.() ?? [];
  }

  usage(): Usage | null {
    return this.decoder.usage();
  }

  finish(): FinishReason | null {
    return this.pump.state.finish;
  }

  servedModel(): string | null {
    return this.decoder.servedModel?.() ?? null;
  }

  get edits(): ReadonlySet<RelayEdit> {
    return this.pump.edits;
  }

  get heldBytes(): number {
    return this.pump.heldBytes + this.decoder.heldBytes;
  }

  get anyEvent(): boolean {
    return this.pump.state.anyEvent;
  }

  get anyItem(): boolean {
    return this.pump.state.anyItem;
  }

  get hasOutput(): boolean {
    const { hasOutput, hasReasoning } = this.pump.state;
    return hasOutput || hasReasoning;
  }

  get outputs(): number {
    return this.pump.outputs;
  }
}

/** SSE for a client that asked for a stream: relayed as it comes. */
export class StreamReader extends PumpedReader {
  constructor(input: ReaderInput) {
    const { codec, policy, sink } = input;
    const decoder = codec.createStreamDecoder(input.decoder);
    const pump = new StreamPump(decoder, policy, {
      onCommit: () => sink.commit('stream'),
      onWrite: (frames) => sink.frames(frames),
    });
    super(input, decoder, pump);
  }

  protected close(end: PumpEnd): ReaderEnd {
    return end.type === 'complete' ? { type: 'complete', outcome: completeOutcome(this.pump.state) } : end;
  }

  get terminal(): Outcome | null {
    return this.pump.state.phase === 'finished' ? completeOutcome(this.pump.state) : null;
  }
}

/** SSE for a client that asked for JSON: collected, judged whole, then turned into one body. */
export class StreamAsJsonReader extends PumpedReader {
  readonly terminal = null;
  readonly #kept: Uint8Array[];
  #size = 0;

  constructor(input: ReaderInput) {
    const kept: Uint8Array[] = [];
    const decoder = input.codec.createStreamDecoder({ ...input.decoder, usageAsked: true });
    const pump = new StreamPump(decoder, input.policy, {
      onCommit: () => {},
      onWrite: (frames) => {
        for (const frame of frames) {
          kept.push(frame.bytes);
          this.#size += frame.bytes.length;
        }
      },
    });
    super(input, decoder, pump);
    this.#kept = kept;
  }

  override push(chunk: Uint8Array): ReaderEnd | null {
    const end = super.push(chunk);
    // A frame under assembly has a bound of its own.
    const collected = this.#size + this.pump.heldBytes;
    return end === null && collected > this.input.policy.preflight.maxJson ? WRONG_CONTENT : end;
  }

  override get heldBytes(): number {
    return this.#size + super.heldBytes;
  }

  protected close(end: PumpEnd): ReaderEnd {
    if (end.type !== 'complete') return { type: 'failed', cause: end.cause };
    // Before the commit: what can't be converted is not bound to anything yet.
    const body = this.input.codec.responseFromStream(this.#kept);
    this.pump.edits.add('converted_to_json');
    this.input.sink.commit('json');
    this.input.sink.json(body, true);
    return { type: 'complete', outcome: completeOutcome(this.pump.state) };
  }
}
