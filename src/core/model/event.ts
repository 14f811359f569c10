import type { OwnFault, ProviderError } from '../failure/signal.ts';
import type { FinishReason } from './finish.ts';
import type { Usage } from './usage.ts';

/**
 * Events that carry nothing a reader of the answer would see. They are told apart because the commit table names each,
 * and because a record that says "only pings came" explains more than "nothing came".
 */
export type PreambleType =
  | 'start'
  | 'role'
  | 'ping'
  | 'comment'
  | 'queued'
  | 'in_progress'
  | 'rate_limit_info'
  | 'filter_results'
  | 'block_open'
  | 'blank_text'
  | 'empty_delta'
  | 'reasoning_opaque'
  | 'reasoning_open'
  | 'tool_fragment';

/** Events that are output: what a reader, or the program that asked, would see. */
export type OutputType = 'text' | 'refusal' | 'tool_call' | 'image' | 'audio' | 'citation' | 'unknown_content';

/**
 * One thing that upstream bytes say, the same for every protocol. Decoders make them, the stream machine decides by
 * them.
 *
 * - `reasoning`: reasoning that the client can see, non-blank.
 * - `tool_call`: a tool call whose name is known; `tool_fragment`: a piece of one, name still unknown or known before.
 * - `tool_end`: this frame completes a tool call; `terminal` where the same frame is the end of the answer (Chat).
 * - `finish`: the last open choice has ended. A frame that ends one of several choices says nothing here.
 * - `done`: the protocol's end mark behind the finish (`[DONE]`).
 * - `cut`: the decoder can prove that the answer is not whole though its end looks clean.
 * - `noise`: data that is no JSON object. `malformed`: data that begins like an object and does not parse.
 * - `own_fault`: the frame is good, and the gateway failed to put it into the client's protocol.
 */
export type CanonicalEvent =
  | { readonly type: PreambleType }
  | { readonly type: OutputType; readonly text?: string }
  | { readonly type: 'reasoning'; readonly text?: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'tool_end'; readonly terminal: boolean }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly raw: string | null }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly error: ProviderError }
  | { readonly type: 'cut'; readonly reason: string }
  | { readonly type: 'noise' }
  | { readonly type: 'malformed' }
  | ({ readonly type: 'own_fault' } & OwnFault);

export type EventType = CanonicalEvent['type'];

/**
 * Names of the edits that a relay may make (failover.md, section 4); the request's record lists those that it made. The
 * last one is of the request: the attempts name the parts.
 */
export const RELAY_EDITS = [
  'usage_chunk_left_out',
  'finish_reason_added',
  'finish_reason_mended',
  'done_added',
  'choices_added',
  'tool_index_mended',
  'tool_id_mended',
  'tool_arguments_mended',
  'event_name_mended',
  'noise_left_out',
  'half_frame_left_out',
  'malformed_left_out',
  'data_lines_joined',
  'model_renamed',
  'error_replaced',
  'converted_to_stream',
  'converted_to_json',
  'request_parts_left_out',
] as const;

export type RelayEdit = (typeof RELAY_EDITS)[number];

/**
 * A run of whole frames as the client is to get them: relay edits are in `bytes` already. Frames that decide nothing
 * are joined into one (`events` empty); a frame that decides something stands alone. `bytes` is empty for a frame that
 * is left out. `count` is the number of upstream frames in it.
 */
export type Frame = {
  readonly bytes: Uint8Array;
  readonly events: readonly CanonicalEvent[];
  readonly edits: readonly RelayEdit[];
  readonly count: number;
  /** The last event number in `bytes`, where the protocol counts its events; absent: none of them has one. */
  readonly sequence?: number;
};
