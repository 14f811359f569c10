import type { JsonObject, JsonValue } from './json-value.ts';
import type { Protocol } from './protocol.ts';

/**
 * Members that the canonical model has no word for, as they stood, by the protocol that they were written in. Written
 * out again for the same protocol; for another one they are dropped, and named.
 */
export type Extensions = { readonly [P in Protocol]?: JsonObject };

/** Where the bytes of a picture, a sound or a document are. `data` is base64 without a prefix. */
export type MediaSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'base64'; readonly data: string; readonly mediaType: string }
  /** A file that one provider keeps: others can't know it. */
  | { readonly kind: 'file_id'; readonly id: string; readonly issuer: Protocol };

/** The end of a part of the prompt that is worth keeping (`cache_control`); `ttl` in the provider's words: `5m`, `1h`. */
export type CacheMark = { readonly ttl: string | null };

/**
 * What only its issuer can read: a signature of visible reasoning, reasoning in cipher, an item's id. `value` is as the
 * issuer wrote it. Carried for others, never sent to them.
 */
export type OpaqueState = { readonly issuer: Protocol; readonly value: string };

/** A place in a source that a text leans on. `value`: as its protocol writes it; the other members are what all know. */
export type Citation = {
  readonly url: string | null;
  readonly title: string | null;
  readonly citedText: string | null;
  /** Characters of the text that it stands for, from its start; null: all of it, or unknown. */
  readonly start: number | null;
  readonly end: number | null;
  readonly source: { readonly protocol: Protocol; readonly value: JsonObject } | null;
};

type Common = { readonly cache?: CacheMark; readonly extensions?: Extensions };

export type TextPart = Common & {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
};

export type RefusalPart = Common & { readonly type: 'refusal'; readonly text: string };

export type ImagePart = Common & {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
};

/** `mediaType` of the source is `audio/wav`, `audio/mpeg` … */
export type AudioPart = Common & { readonly type: 'audio'; readonly source: MediaSource; readonly transcript?: string };

/** A document. `text`: it came as plain text rather than as bytes. */
export type FilePart = Common & {
  readonly type: 'file';
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string };
  readonly name?: string;
};

/** Reasoning. `text`: as it was thought; `summary`: what was told of it, in sections. Both may be empty. */
export type ReasoningPart = Common & {
  readonly type: 'reasoning';
  readonly text: string;
  readonly summary?: readonly string[];
  readonly state?: OpaqueState;
};

/**
 * A call of a tool that the client runs. `input`: for `function` the JSON text of the arguments ("{}" where there are
 * none), for `custom` any text.
 */
export type ToolCallPart = Common & {
  readonly type: 'tool_call';
  readonly kind: 'function' | 'custom';
  readonly id: string;
  readonly name: string;
  /** The group that the tool stands in (`namespace` of Responses). */
  readonly namespace?: string;
  readonly input: string;
  /** Of the call itself (Gemini's thought signature). */
  readonly state?: OpaqueState;
};

export type ToolResultPart = Common & {
  readonly type: 'tool_result';
  readonly kind: 'function' | 'custom';
  readonly callId: string;
  /** The tool's name, where the protocol tells it or an earlier call of that id does. */
  readonly name?: string;
  readonly content: readonly (TextPart | ImagePart | FilePart | AudioPart)[];
  readonly isError?: boolean;
};

/**
 * Something that only its own protocol can say: a call or a result of a tool that the provider runs, an item of a kind
 * that nobody knows. `what`: its type, in its protocol's words.
 */
export type NativePart = Common & {
  readonly type: 'native';
  readonly protocol: Protocol;
  readonly what: string;
  readonly value: JsonValue;
};

export type Part =
  | TextPart
  | RefusalPart
  | ImagePart
  | AudioPart
  | FilePart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | NativePart;

/**
 * `tool`: results only, one or more. A turn whose results come with words is two messages. Order is the
 * conversation's; system and developer messages may stand anywhere.
 */
export type Message = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly extensions?: Extensions;
};
