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
  /** What the first of them may be, if not any. */
  readonly toolNameStart?: RegExp;
  /** A schema of arguments has to say that it is of an object, and to list its members, be there none. */
  readonly hasListedMembers?: true;
  readonly maxCallId: number;
  readonly callIdLetter: RegExp;
  /** Arguments of a call are an object; else a text, which may hold anything. */
  readonly hasObjectArguments: boolean;
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
  hasObjectArguments: false,
};

export const DIALECTS: { readonly [P in Protocol]: Dialect } = {
  // Of the many servers that speak it few know custom tools. Its author refused longer ids than of 40 letters for years.
  'openai-chat': { ...COMMON, maxCallId: 40, hasListedMembers: true },
  'openai-responses': { ...COMMON, hasCustomTools: true, hasNamespaces: true, hasListedMembers: true },
  'anthropic-messages': { ...COMMON, maxToolName: 128, hasObjectArguments: true },
  gemini: { ...COMMON, maxCallId: 128, toolNameStart: /[a-zA-Z_]/, hasObjectArguments: true },
  'bedrock-converse': COMMON,
};
