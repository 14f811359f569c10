import type { FinishReason } from '../../core/model/finish.ts';
import { readStop } from './finish.ts';

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
export function stopWord({ reason, raw, stopSequence }: Ending, hasCalls: boolean): string {
  if (raw !== null && OWN_WORDS.has(raw) && readStop(raw, true) === reason && raw !== 'end_turn') return raw;
  if (reason === 'unknown' && raw !== null && raw !== '') return raw;
  if (reason !== 'stop') return WORDS[reason];
  if (hasCalls) return WORDS.tool_calls;
  return stopSequence === undefined ? WORDS.stop : 'stop_sequence';
}
