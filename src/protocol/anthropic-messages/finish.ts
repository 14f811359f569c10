import type { FinishReason } from '../../core/model/finish.ts';

/** Every spelling of `stop_reason` that is known, in lower case; the last ones are those of other makers. */
const STOP_WORDS: Readonly<Record<string, FinishReason>> = {
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
export function readStop(word: string, hasContent: boolean): FinishReason {
  const lower = word.toLowerCase();
  const known = Object.hasOwn(STOP_WORDS, lower) ? STOP_WORDS[lower] : undefined;
  if (known !== undefined) return known;
  return BROKEN_CALL.test(word) && !hasContent ? 'bad_generation' : 'unknown';
}

export const isPlainEnd = (word: string): boolean => PLAIN_ENDS.has(word.toLowerCase());
