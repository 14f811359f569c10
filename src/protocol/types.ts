import type { ClientError } from '../core/failure/client-error.ts';
import type { ProviderError } from '../core/failure/signal.ts';
import type { ClassifierRow } from '../core/failure/table.ts';
import type { Capabilities } from '../core/model/capability.ts';
import type { CanonicalEvent, Frame, RelayEdit } from '../core/model/event.ts';
import type { AuthScheme, Headers, Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { Usage } from '../core/model/usage.ts';
import type { Secret } from '../core/redact/secret.ts';
import type { ConversationCodec } from './conversation.ts';
import type { Translation } from './translation.ts';

/** Bad input from a client: what is wrong, where, and what to do about it. Becomes a 400 in the client's protocol. */
export type RequestProblem = { readonly message: string; readonly param: string | null };

export type Decoded =
  | { readonly ok: true; readonly request: CanonicalRequest }
  | { readonly ok: false; readonly problem: RequestProblem };

/** What an attempt asks of the codec that writes its request. */
export type Egress = {
  /** Upstream model id. */
  readonly model: string;
  readonly capabilities: Capabilities;
  /** Add `stream_options.include_usage` (the model says `usage: ask`, the target can). */
  readonly askUsage: boolean;
  /** Take out state of another issuer (row 8). */
  readonly withoutState: boolean;
  readonly defaults: { readonly reasoningEffort?: string; readonly maxOutputTokens?: number };
  /** What goes along: headers of the client that may, and the provider's own. Absent: none. */
  readonly headers?: Headers;
};

/**
 * State of an issuer that a request leans on. `removable`: `withoutState` would take something out. `bound`: something
 * that can't be taken out without losing a part of the conversation, so that only its issuer can serve.
 */
export type RequestState = { readonly removable: boolean; readonly bound: boolean };

export type EncodedRequest = {
  /** Behind the base URL: `/chat/completions`. */
  readonly path: string;
  /** Absent: POST. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Must not be sent twice, also where nobody knows whether it arrived: it gets a connection of its own. */
  readonly isOnce?: boolean;
  readonly headers: Headers;
  /** Written one after the other: spans of the original with the edits between them. */
  readonly body: readonly Uint8Array[];
  /** Flags of `anthropic-beta` that are among the headers; absent: none. */
  readonly sentBetas?: readonly string[];
  /** Parts that the client sent and this target does not get (`Capabilities.leaveOut`, `betas`); absent: none. */
  readonly leftOut?: readonly string[];
  /** What got lost in translation, as the client spells it; absent: nothing, or nothing was translated. */
  readonly dropped?: readonly string[];
};

export type DecoderOptions = {
  /** The client itself asked for usage: the usage-only chunk stays. */
  readonly usageAsked: boolean;
  /** How many choices were asked for. */
  readonly choices: number;
  /** Set for `responseModel: virtual`: the name that answers are to carry. */
  readonly renameModel: string | null;
  readonly onMalformed: 'fail' | 'drop';
  /** A frame that grows beyond it is given out as it is, undecided. */
  readonly maxFrameBytes: number;
  /**
   * The limit that the client's request set (`CanonicalRequest.maxOutputTokens`); tells a cut tool call from a broken
   * one.
   */
  readonly maxOutputTokens?: number | null;
  /** The request asked for work in the background (`CanonicalRequest.background`). */
  readonly background?: boolean;
};

/**
 * Upstream bytes in, whole frames out, for one attempt. What comes out is the same however the bytes were cut.
 */
export interface StreamDecoder {
  /** From now on only frames that may decide something are parsed. */
  relax(): void;
  /**
   * `onFrame`: told of each frame as soon as it is read, so that `relax` holds for those behind it in the same chunk; false,
   * and none of them is read. It must not push.
   */
  push(chunk: Uint8Array, onFrame?: (frame: Frame) => boolean): readonly Frame[];
  /**
   * The body has ended. `clean`: as HTTP wants it. Gives what the protocol's rules make certain (a missing finish
   * reason, the end mark) and drops what is not whole.
   */
  end(clean: boolean): readonly Frame[];
  /** Usage so far; `null` when none was reported. */
  usage(): Usage | null;
  /** The id that the provider gave the answer, where later requests may name it; null: none so far. */
  answerId?(): string | null;
  /** `ConversationHints.seals` that the answer brought; absent: none. */
  seals?(): readonly string[];
  /** The model that the provider says it was, before any renaming; null: it did not say. */
  servedModel?(): string | null;
  /** Bytes that came and are in no frame yet: a frame under assembly, frames that wait for what proves them. */
  readonly heldBytes: number;
}

/** A JSON answer, judged whole. */
export type DecodedResponse = {
  /** In the order of a stream: output, reasoning, finish, or `error` / `malformed`. */
  readonly events: readonly CanonicalEvent[];
  readonly usage: Usage | null;
  /** As the client is to get it. */
  readonly body: Uint8Array;
  readonly edits: readonly RelayEdit[];
  /** The id that the provider gave the answer, where later requests may name it. */
  readonly answerId?: string | null;
  /** See `StreamDecoder`. */
  readonly seals?: readonly string[];
  readonly servedModel?: string | null;
};

/** A JSON answer of the gateway itself. `reason`: what the record says of it. */
export type OwnAnswer = { readonly headers: Headers; readonly body: Uint8Array; readonly reason: string };

export type EncodedError = { readonly status: number; readonly headers: Headers; readonly body: Uint8Array };

export type ErrorContext = {
  readonly requestId: string;
  /** A client that needs a total failure in words of its own, since it would repeat a status for ever. */
  readonly manner?: 'codex' | null;
  /**
   * The number of the last event that the client got, where the protocol counts its events: null, nothing went out yet;
   * absent, what went out has no numbers.
   */
  readonly sequence?: number | null;
  /** The answer's id, as the client knows it; null or absent: it knows none. */
  readonly answerId?: string | null;
};

/** One wire format, both ways, sans-I/O. */
export interface ProtocolCodec {
  readonly protocol: Protocol;
  /** Bounds and reads a client's body (content decoding is done). `headers` are the client's. */
  decodeRequest(body: Uint8Array, headers: Headers): Decoded;
  encodeRequest(request: CanonicalRequest, egress: Egress): EncodedRequest;
  /** How it is translated from and to; absent: it is only relayed. */
  readonly translation?: Translation;
  /** Its answers are made of another protocol's: none can be handed on unread. */
  readonly isTranslated?: true;
  /** Absent where a protocol's requests carry no state. */
  readState?(request: CanonicalRequest): RequestState;
  /** What is kept of its requests and answers; absent: no request names an earlier answer. */
  readonly conversation?: ConversationCodec;
  /** Rows that stand before all others of the table of failures for what this codec reads; absent: none. */
  readonly failureRows?: readonly ClassifierRow[];
  /**
   * `endpoint`: its requests ask nothing of a model, so that their ends say nothing of a route's health, but whether
   * its endpoint can be reached, make no half-open trial, and turn nobody's wheel. Absent: they say all that they can.
   */
  readonly tells?: 'endpoint';
  /** What a success without a body stands for; absent: nothing, and it is a failure. */
  readonly emptyAnswer?: Uint8Array;
  /** What its requests ask for, where no other protocol has words for it; absent: they can be translated. */
  readonly relaysOnly?: string;
  /**
   * The gateway's own answer to a request (or to what it becomes with all that came before), in place of the error that
   * nobody served it; null: the error is to be told. Absent: there is none. `tokens`: about how many it has, null where
   * nobody could tell; absent, the request is read for that.
   */
  ownAnswer?(request: CanonicalRequest, error: ClientError, tokens?: number | null): OwnAnswer | null;
  /**
   * How a credential of this protocol is sent. `scheme`: absent, as the protocol and the look of the secret say.
   * `headers`: those that go along, where one of them has to grow by what the credential needs.
   */
  authHeaders(secret: Secret, scheme?: AuthScheme, headers?: Headers): Headers;
  createStreamDecoder(options: DecoderOptions): StreamDecoder;
  decodeResponse(
    body: Uint8Array,
    options: Pick<DecoderOptions, 'renameModel' | 'choices' | 'maxOutputTokens' | 'background'>,
  ): DecodedResponse;
  /** JSON for a client that asked for a stream: the same answer as frames, terminal included. */
  streamFromResponse(body: Uint8Array, options: Pick<DecoderOptions, 'usageAsked' | 'renameModel'>): readonly Frame[];
  /** A whole stream (each frame's bytes as `createStreamDecoder` gave them) for a client that asked for JSON. */
  responseFromStream(frames: readonly Uint8Array[]): Uint8Array;
  /** The innermost error of a body, or null when it holds none. */
  decodeError(status: number | null, headers: Headers, body: Uint8Array): ProviderError | null;
  encodeError(error: ClientError, context: ErrorContext): EncodedError;
  /** The event (or events) that tell of a failure inside a stream whose head is out. */
  encodeStreamError(error: ClientError, context: ErrorContext): Uint8Array;
  /** What keeps a waiting client waiting. */
  readonly keepalive: Uint8Array;
  encodeComment(text: string): Uint8Array;
}
