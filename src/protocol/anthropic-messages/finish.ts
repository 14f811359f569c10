import type { FinishReason } from '../../core/model/finish.ts';

/** Every spelling of `stop_reason` that is known, in lower case; the last ones are those of other makers. */
const FINISH_WORDS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  compaction: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  stop: 'stop',
  completed: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_output_tokens: 'length',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  sensitive: 'content_filter',
  safety: 'content_filter',
  error: 'error',
  failed: 'error',
  network_error: 'error',
  server_error: 'error',
};

/** Words that say no more than "done", so that a finished tool call makes them wrong. */
const PLAIN_ENDS: ReadonlySet<string> = new Set(['end_turn', 'stop', 'completed']);

const BROKEN_CALL = /malformed_(function|tool)|(unexpected|invalid|bad)_tool|tool_use_failed/i;

/** The meaning of a provider's word. That a tool call came out broken counts only while nothing was said. */
export function readFinish(word: string, hasContent: boolean): FinishReason {
  const lower = word.toLowerCase();
  const known = Object.hasOwn(FINISH_WORDS, lower) ? FINISH_WORDS[lower] : undefined;
  if (known !== undefined) return known;
  return BROKEN_CALL.test(word) && !hasContent ? 'bad_generation' : 'unknown';
}

export const isPlainEnd = (word: string): boolean => PLAIN_ENDS.has(word.toLowerCase());

/** Words that the protocol itself has. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'compaction',
  'refusal',
  'model_context_window_exceeded',
]);

const WORDS: { readonly [R in FinishReason]: string } = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  // There is no word for a filter: the provider would not say it.
  content_filter: 'refusal',
  refusal: 'refusal',
  bad_generation: 'end_turn',
  error: 'end_turn',
  unknown: 'end_turn',
};

export type Ending = {
  readonly reason: FinishReason;
  readonly raw: string | null;
  readonly stopSequence?: string;
};

/**
 * `stop_reason`. A word of this protocol's own is kept, and so is one that no table knows. Clients run the calls of an
 * answer only where it says that it ended with them.
 */
export function writeFinish({ reason, raw, stopSequence }: Ending, hasCalls: boolean): string {
  if (raw !== null && OWN_WORDS.has(raw) && readFinish(raw, true) === reason && raw !== 'end_turn') return raw;
  if (reason === 'unknown' && raw !== null && raw !== '') return raw;
  if (reason !== 'stop') return WORDS[reason];
  if (hasCalls) return WORDS.tool_calls;
  return stopSequence === undefined ? WORDS.stop : 'stop_sequence';
}
