import type { Frame } from '../core/model/event.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { Decoded } from './types.ts';

/**
 * What is kept of requests and their answers, so that a later request can go on from them at any target. A list here is
 * the inside of a JSON list: items with commas between them, as the client or the provider wrote them.
 */
export interface ConversationCodec {
  /** The items of a request's input: bytes of their own, since the body is let go. */
  inputOf(request: CanonicalRequest): Uint8Array;
  createCollector(): AnswerCollector;
  /**
   * A request with these lists in front of its input, in place of the id of what came before. A conversation may have
   * grown beyond what one request may hold.
   */
  expand(request: CanonicalRequest, lists: readonly Uint8Array[]): Decoded;
  /** A list without what only the issuer of its items can read. */
  withoutState(list: Uint8Array): Uint8Array;
}

/** Looks for the whole answer in what a client is given, for one attempt. */
export interface AnswerCollector {
  /** Null: it is not whole yet. */
  frames(frames: readonly Frame[]): KeptAnswer | null;
  /** A whole JSON answer; null: it is none that can be gone on from. */
  json(body: Uint8Array): KeptAnswer | null;
  readonly heldBytes: number;
}

/** Bytes of its own. */
export type KeptAnswer = {
  /** By which later requests name it. */
  readonly id: string;
  /** The answer as the client got it. */
  readonly response: Uint8Array;
  /** The list of its output: a part of `response`, or bytes of its own. */
  readonly output: Uint8Array;
};
