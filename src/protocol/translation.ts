import type { AnswerEvent } from '../core/model/answer.ts';
import type { Capabilities } from '../core/model/capability.ts';
import type { CanonicalPrompt } from '../core/model/prompt.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { EncodedRequest, RequestProblem } from './types.ts';

/**
 * What a prompt may hold that changes the answer, and that a protocol may have no words for: then none of its targets
 * is eligible. Whatever else can't be said is dropped, and named. In the order in which they are told: first what a
 * request is about, last what nobody knows.
 */
export const LACKS = [
  'work in the background',
  'state of a provider',
  'audio output',
  'image output',
  'audio input',
  'image input',
  'files by id',
  'files by url',
  'images by url',
  'files',
  'server tools',
  'custom tools',
  'tool namespaces',
  'forced tool choice',
  'several choices',
  'log probabilities',
  'json without a schema',
  'tool arguments that are no JSON',
  'unknown content',
] as const;

export type Lack = (typeof LACKS)[number];

export type ReadPrompt =
  | { readonly ok: true; readonly prompt: CanonicalPrompt }
  | { readonly ok: false; readonly problem: RequestProblem };

/** What an attempt asks of the codec that writes a foreign request. */
export type PromptEgress = {
  /** Upstream model id. */
  readonly model: string;
  readonly stream: boolean;
  /** Ask for usage in a stream, where that has to be asked for. */
  readonly askUsage: boolean;
  readonly capabilities: Capabilities;
  /** Of the target, for what the prompt leaves open. */
  readonly defaults: { readonly reasoningEffort?: string; readonly maxOutputTokens?: number };
  /** Headers that go along whatever the prompt says (the provider's own). */
  readonly headers?: EncodedRequest['headers'];
};

/**
 * `dropped`: what the prompt said and the body does not, each once, by canonical names: a setting (`topK`), a member of
 * a part (`cache`, `citations`, `detail`), `reasoning` for what an earlier turn thought, or a member of `extensions` by
 * its own name. Never what only another issuer could read (states): that is nobody's loss.
 */
export type WrittenPrompt = EncodedRequest & { readonly dropped: readonly string[] };

/** The content of upstream frames, for one attempt. */
export interface AnswerDecoder {
  /** One frame, or several joined, as `StreamDecoder` gave them: whole, mended, without errors. */
  push(bytes: Uint8Array): readonly AnswerEvent[];
  /** The body has ended cleanly behind its terminal: what is open is closed, with `end` as the last event. */
  end(): readonly AnswerEvent[];
}

export type AnswerOptions = {
  /** The model's name as the client is to see it. */
  readonly model: string;
  /** Usage is to be in the stream (Chat: the client asked for it). */
  readonly usageAsked: boolean;
  /** An id for an answer whose provider gave none, or one of another form; `random` is of the port. */
  readonly createId: (prefix: string) => string;
  /** Epoch ms, where the provider told no time. */
  readonly now: number;
  /** The gateway keeps the answer, so that it can be asked for by its id. */
  readonly isStored?: boolean;
};

/** Writes an answer as a stream: a valid sequence, whatever comes in. */
export interface AnswerEncoder {
  /** Whole frames; empty where the protocol says nothing of these events. */
  push(events: readonly AnswerEvent[]): Uint8Array;
  /** The number of the last event that was written, where the protocol counts them; null: none so far. */
  readonly sequence?: number | null;
  /** The answer's id, as the client knows it; null: none so far. */
  readonly answerId?: string | null;
}

/** How one protocol is translated from and to. Sans-I/O; the same for requests and answers, streams and JSON. */
export interface Translation {
  /** The tree of a request that `decodeRequest` took. `model` and `stream` stay where they are. */
  readPrompt(request: CanonicalRequest): ReadPrompt;
  /** What this protocol has no words for in a prompt; empty: every target that speaks it is eligible. */
  lacks(prompt: CanonicalPrompt): readonly Lack[];
  writePrompt(prompt: CanonicalPrompt, egress: PromptEgress): WrittenPrompt;
  createAnswerDecoder(): AnswerDecoder;
  /** A JSON answer that `decodeResponse` found good, as events. */
  readAnswer(body: Uint8Array): readonly AnswerEvent[];
  createAnswerEncoder(options: AnswerOptions): AnswerEncoder;
  /** A JSON answer. */
  writeAnswer(events: readonly AnswerEvent[], options: AnswerOptions): Uint8Array;
  /** How a client of this protocol spells what was dropped, by canonical name; absent: it is called the same. */
  readonly spelling: { readonly [canonical: string]: string };
}
