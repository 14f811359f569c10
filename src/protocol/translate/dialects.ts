import type { Protocol } from '../../core/model/protocol.ts';

/** What a protocol, as most of its providers speak it, can say of tools and of what only an issuer can read. */
export type Dialect = {
  /** Tools on text of any form; else they become functions of one text. */
  readonly hasCustomTools: boolean;
  /** Groups of tools; else the group becomes a part of the name. */
  readonly hasNamespaces: boolean;
  /** Longest name of a tool, and what each of its characters may be. */
  readonly maxToolName: number;
  readonly toolNameLetter: RegExp;
  readonly maxCallId: number;
  readonly callIdLetter: RegExp;
  /** A client of it gives back what only the issuer of an answer can read: reasoning, calls. */
  readonly carriesState: boolean;
};

const NAME_LETTER = /[a-zA-Z0-9_-]/;
const ID_LETTER = /[a-zA-Z0-9_-]/;

const COMMON: Dialect = {
  hasCustomTools: false,
  hasNamespaces: false,
  maxToolName: 64,
  toolNameLetter: NAME_LETTER,
  maxCallId: 64,
  callIdLetter: ID_LETTER,
  carriesState: true,
};

export const DIALECTS: { readonly [P in Protocol]: Dialect } = {
  // Of the many servers that speak it few know custom tools.
  'openai-chat': { ...COMMON, carriesState: false },
  'openai-responses': { ...COMMON, hasCustomTools: true, hasNamespaces: true },
  'anthropic-messages': { ...COMMON, maxToolName: 128 },
  gemini: { ...COMMON, maxCallId: 128 },
  'bedrock-converse': COMMON,
};
