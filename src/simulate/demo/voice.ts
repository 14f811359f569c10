import type { Protocol } from '../../core/model/protocol.ts';

/** One thing that the demo provider does with a connection. */
export type DemoStep =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end' }
  /** The connection is cut in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Nothing more, ever: whoever asked has to give up. */
  | { readonly kind: 'hang' };

export type DemoRequest = {
  readonly model: string;
  readonly stream: boolean;
  readonly wantsUsage: boolean;
  /** Chat Completions, if nothing is said. */
  readonly protocol?: Protocol;
};

/** What goes wrong, in words that every protocol has its own for. */
export type Trouble = 'overloaded' | 'rate_limited' | 'broken' | 'retired' | 'unknown_model';

/** How a protocol says what a script wants said. Streams are frames of text, JSON answers are values. */
export type Voice = {
  /** The stream is open, nothing of the answer is there yet. */
  opening(request: DemoRequest): readonly string[];
  /** What stands before the first word. */
  begin(): readonly string[];
  word(request: DemoRequest, text: string, index: number): string;
  /** All that makes a stream whole behind these words. */
  closing(request: DemoRequest, said: readonly string[]): readonly string[];
  /** An error inside a stream. */
  streamError(trouble: Trouble, message: string): string;
  completion(request: DemoRequest, content: string): unknown;
  error(trouble: Trouble, message: string): unknown;
};

const PROMPT_TOKENS = 12;

export const splitWords = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];

/** One token for a word, as nowhere else. */
export const countTokens = (outputTokens: number) => ({ input: PROMPT_TOKENS, output: outputTokens });
