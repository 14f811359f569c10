import type { Citation, OpaqueState } from './content.ts';
import type { FinishReason } from './finish.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Protocol } from './protocol.ts';
import type { Usage } from './usage.ts';

/**
 * An answer's content, piece by piece, the same for every protocol; a JSON answer is the same list, with one piece for
 * each block. `CanonicalEvent` says what a piece means for failover; these say what it holds.
 *
 * Blocks: `block` numbers are unique in an answer, over all choices, and rise in the order of opening. A block opens with
 * `block_start`, gets its deltas and closes with `block_end`; what a choice left open is closed by its `finish`. Several
 * blocks may be open at once. `choice` counts from 0 and stands only at `block_start` and `finish`.
 */
export type AnswerEvent =
  /** Once, first. `createdAt`: epoch ms. */
  | {
      readonly type: 'start';
      readonly id: string | null;
      readonly model: string | null;
      readonly createdAt: number | null;
      readonly serviceTier?: string;
    }
  | { readonly type: 'block_start'; readonly block: number; readonly choice: number; readonly content: BlockStart }
  /** To `text`, `refusal`, `reasoning` and `tool_call` (its input). `section`: of a reasoning's summary, from 0. */
  | { readonly type: 'delta'; readonly block: number; readonly text: string; readonly section?: number }
  | { readonly type: 'citation'; readonly block: number; readonly citation: Citation }
  /** Of a reasoning block or a tool call; what came before it for the same block is replaced. */
  | { readonly type: 'state'; readonly block: number; readonly state: OpaqueState }
  | { readonly type: 'logprobs'; readonly choice: number; readonly content: readonly JsonValue[] }
  | { readonly type: 'block_end'; readonly block: number }
  /** All that is known so far; a later one replaces it. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | {
      readonly type: 'finish';
      readonly choice: number;
      readonly reason: FinishReason;
      /** The provider's word. */
      readonly raw: string | null;
      readonly stopSequence?: string;
    }
  /** The end of the whole answer, once, last. Without it the answer is not whole. */
  | { readonly type: 'end' };

export type BlockStart =
  | { readonly type: 'text' }
  | { readonly type: 'refusal' }
  /** `summary`: its deltas tell of the reasoning; else they are the thoughts themselves. */
  | { readonly type: 'reasoning'; readonly isSummary: boolean }
  | {
      readonly type: 'tool_call';
      readonly kind: 'function' | 'custom';
      readonly id: string;
      readonly name: string;
      readonly namespace?: string;
    }
  /** Whole at its start; no delta follows. `data`: base64. */
  | { readonly type: 'image'; readonly data: string; readonly mediaType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mediaType: string; readonly transcript?: string }
  /** What only its protocol can say: a call of a tool that the provider ran, its result. Whole at its start. */
  | { readonly type: 'native'; readonly protocol: Protocol; readonly what: string; readonly value: JsonObject };
