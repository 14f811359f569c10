import type { Outcome } from '../../core/failure/outcome.ts';
import type { FailureSignal, ProviderError } from '../../core/failure/signal.ts';
import type { Frame, RelayEdit } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Headers } from '../../core/model/protocol.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { StreamCause } from '../../core/stream/machine.ts';
import type { StreamPolicy } from '../../core/stream/phase.ts';
import type { DecoderOptions, ProtocolCodec } from '../../protocol/types.ts';

/** How reading one answer ended. `status`: the provider's status line was the failure. */
export type ReaderEnd =
  | { readonly type: 'complete'; readonly outcome: Outcome }
  | {
      readonly type: 'failed' | 'interrupted';
      readonly cause: StreamCause | { readonly kind: 'status' | 'error_body' };
    };

export type BodyKind = FailureSignal['body'];

/** Where an answer goes. The first call of `commit` binds the request to this attempt. */
export type AnswerSink = {
  commit(form: 'stream' | 'json'): void;
  frames(frames: readonly Frame[]): void;
  /** A piece of a JSON body; `isLast` ends it. */
  json(bytes: Uint8Array, isLast: boolean): void;
};

/** Reads the body of one answer, whatever it turned out to be. Nothing is called after an end. */
export interface AnswerReader {
  push(chunk: Uint8Array): ReaderEnd | null;
  end(isClean: boolean): ReaderEnd;
  clock(): ReaderEnd;
  usage(): Usage | null;
  readonly edits: ReadonlySet<RelayEdit>;
  /** The id that the provider gave the answer; absent where none is read. */
  answerId?(): string | null;
  /** What of the answer only its issuer can read, by sums; absent: nothing. */
  seals?(): readonly string[];
  /** Why the answer ended; absent where nobody can tell, null: it has not. */
  finish?(): FinishReason | null;
  /** The model that the provider says it was; absent where none is read. */
  servedModel?(): string | null;
  readonly heldBytes: number;
  readonly anyEvent: boolean;
  readonly anyItem: boolean;
  /** Something that a reader of the answer would see has come. */
  readonly hasOutput: boolean;
  /** Grows with everything that is more than a sign of life. */
  readonly outputs: number;
  /** It is a failure, whatever the rest of the body says. */
  readonly isToldFailure: boolean;
  /** The client holds a terminal already: its leaving is a success, with this outcome. */
  readonly terminal: Outcome | null;
  readonly body: BodyKind;
  readonly error: ProviderError | null;
}

export type ReaderInput = {
  readonly codec: ProtocolCodec;
  readonly decoder: DecoderOptions;
  readonly policy: StreamPolicy;
  /** What the client asked for. */
  readonly wantsStream: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly sink: AnswerSink;
};

/** The content is not what was asked for, in a way that nothing can be made of. */
export const WRONG_CONTENT: ReaderEnd = { type: 'failed', cause: { kind: 'fault', fault: 'wrong_content' } };
