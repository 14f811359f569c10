import type { ProviderError } from '../../core/failure/signal.ts';
import type { RelayEdit } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isSeen } from '../../core/stream/commit-table.ts';
import { judgeWhole } from '../../core/stream/judge.ts';
import { concatBytes } from '../../protocol/json/index.ts';
import { type AnswerReader, type BodyKind, type ReaderEnd, type ReaderInput, WRONG_CONTENT } from './types.ts';

const NOTHING = new Uint8Array(0);

/** JSON: judged whole before commit; one that outgrows `preflight.maxJson` commits and streams through. */
export class JsonReader implements AnswerReader {
  readonly anyItem = false;
  readonly outputs = 0;
  readonly isToldFailure = false;
  readonly terminal = null;
  readonly edits = new Set<RelayEdit>();
  readonly #input: ReaderInput;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #isThrough = false;
  #hasOutput = false;
  #usage: Usage | null = null;
  #answerId: string | null = null;
  #seals: readonly string[] = [];
  #finish: FinishReason | null = null;
  #servedModel: string | null = null;
  #error: ProviderError | null = null;
  #body: BodyKind = 'json';

  constructor(input: ReaderInput) {
    this.#input = input;
  }

  push(chunk: Uint8Array): ReaderEnd | null {
    if (this.#isThrough) {
      this.#input.sink.json(chunk, false);
      return null;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size <= this.#input.policy.preflight.maxJson) return null;
    if (this.#input.wantsStream || this.#input.codec.isTranslated === true) return WRONG_CONTENT;
    this.#passThrough();
    return null;
  }

  end(isClean: boolean): ReaderEnd {
    if (!isClean) return this.clock();
    if (!this.#isThrough) return this.#judge();
    this.#input.sink.json(NOTHING, true);
    return { type: 'complete', outcome: 'ok' };
  }

  clock(): ReaderEnd {
    return { type: this.#isThrough ? 'interrupted' : 'failed', cause: { kind: 'outside' } };
  }

  usage(): Usage | null {
    return this.#usage;
  }

  answerId(): string | null {
    return this.#answerId;
  }

  seals(): readonly string[] {
    return this.#seals;
  }

  finish(): FinishReason | null {
    return this.#finish;
  }

  servedModel(): string | null {
    return this.#servedModel;
  }

  get heldBytes(): number {
    return this.#size;
  }

  get anyEvent(): boolean {
    return this.#size > 0;
  }

  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  get body(): BodyKind {
    return this.#body;
  }

  get error(): ProviderError | null {
    return this.#error;
  }

  #judge(): ReaderEnd {
    const bytes = concatBytes(this.#chunks.splice(0));
    if (bytes.length === 0) {
      this.#body = 'empty';
      return { type: 'failed', cause: { kind: 'fault', fault: 'empty' } };
    }
    const decoded = this.#input.codec.decodeResponse(bytes, this.#input.decoder);
    this.#usage = decoded.usage;
    this.#answerId = decoded.answerId ?? null;
    this.#seals = decoded.seals ?? [];
    this.#servedModel = decoded.servedModel ?? null;
    this.#finish = decoded.events.find((event) => event.type === 'finish')?.reason ?? null;
    const judgement = judgeWhole(decoded.events, decoded.usage, this.#input.policy);
    if (judgement.isAnswer) {
      this.#hasOutput = decoded.events.some(isSeen);
      for (const edit of decoded.edits) this.edits.add(edit);
      this.#deliver(decoded.body);
      return { type: 'complete', outcome: judgement.outcome };
    }
    const { cause } = judgement;
    if (cause.kind !== 'error_event') return { type: 'failed', cause };
    this.#error = cause.error;
    return { type: 'failed', cause: { kind: 'error_body' } };
  }

  #deliver(bytes: Uint8Array): void {
    const { sink, codec, decoder, wantsStream } = this.#input;
    if (!wantsStream) {
      sink.commit('json');
      sink.json(bytes, true);
      return;
    }
    // Before the commit: what can't be converted is not bound to anything yet.
    const frames = codec.streamFromResponse(bytes, decoder);
    this.edits.add('converted_to_stream');
    sink.commit('stream');
    sink.frames(frames);
  }

  #passThrough(): void {
    this.#isThrough = true;
    this.#hasOutput = true;
    this.#input.sink.commit('json');
    for (const chunk of this.#chunks.splice(0)) this.#input.sink.json(chunk, false);
    this.#size = 0;
  }
}
