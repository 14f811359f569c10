/**
 * What is read of Gemini on the wire. Nothing is believed: every member is `unknown` until it was looked at. A whole
 * answer and a chunk of a stream have one shape.
 */
export type WireChunk = {
  readonly candidates?: unknown;
  readonly promptFeedback?: unknown;
  readonly usageMetadata?: unknown;
  readonly modelVersion?: unknown;
  readonly responseId?: unknown;
  readonly createTime?: unknown;
  readonly error?: unknown;
};

export type WireCandidate = {
  readonly index?: unknown;
  readonly content?: unknown;
  readonly finishReason?: unknown;
  readonly citationMetadata?: unknown;
  readonly groundingMetadata?: unknown;
  readonly urlContextMetadata?: unknown;
  readonly logprobsResult?: unknown;
};

export type WireContent = { readonly role?: unknown; readonly parts?: unknown };

/** A part has one member that says what it is, and flags beside it. */
export type WirePart = {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly thoughtSignature?: unknown;
  readonly functionCall?: unknown;
  readonly inlineData?: unknown;
} & Readonly<Record<string, unknown>>;

export type WireCall = { readonly id?: unknown; readonly name?: unknown; readonly args?: unknown };

export type WireBlob = { readonly mimeType?: unknown; readonly data?: unknown };

export { hasSubstance, isObject, nonEmpty } from '../shared/value.ts';
