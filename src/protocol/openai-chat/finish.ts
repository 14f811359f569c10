import type { FinishReason } from '../../core/model/finish.ts';

/** Every spelling of `finish_reason` that providers of this format have used, in lower case. */
const FINISH_WORDS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['eos', 'stop'],
  ['complete', 'stop'],
  ['completed', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['safety', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['spii', 'content_filter'],
  ['recitation', 'content_filter'],
  ['refusal', 'refusal'],
  ['error', 'error'],
  ['failed', 'error'],
  ['network_error', 'error'],
  ['insufficient_system_resource', 'error'],
]);

const BROKEN_CALL = /malformed_(function|tool)|(unexpected|invalid|bad)_tool|tool_use_failed/i;

/**
 * The meaning of a provider's word. A word that says that a tool call came out broken counts only while nothing was
 * said: behind output it is delivered like any other word that no table knows.
 */
export function readFinish(word: string, hasOutput: boolean): FinishReason {
  const known = FINISH_WORDS.get(word.toLowerCase());
  if (known !== undefined) return known;
  return BROKEN_CALL.test(word) && !hasOutput ? 'bad_generation' : 'unknown';
}

/** The documented words for each reason. What failed counts as cut short, so that nobody takes it for whole. */
const WORDS: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  bad_generation: 'length',
  error: 'length',
  unknown: 'stop',
};

/**
 * The word for a reason (null: nobody told it). Clients run the calls of an answer by this word, so it is `tool_calls`
 * where there are any and nothing went wrong, and never where there are none.
 */
export function writeFinish(reason: FinishReason | null, hasCalls: boolean): string {
  const word = WORDS[reason ?? 'stop'];
  if (word === 'stop' || word === 'tool_calls') return hasCalls ? 'tool_calls' : 'stop';
  return word;
}
