import type { FinishReason } from '../../core/model/finish.ts';
import { own } from '../shared/value.ts';

/** Every `finishReason` and `blockReason` that is known and means the same in every place. */
const WORDS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  JAILBREAK: 'content_filter',
  MISSING_THOUGHT_SIGNATURE: 'error',
};

/** Words of a failure: they count as one only while nothing was said. */
const FAILURES: Readonly<Record<string, FinishReason>> = {
  MALFORMED_FUNCTION_CALL: 'bad_generation',
  MALFORMED_RESPONSE: 'bad_generation',
  UNEXPECTED_TOOL_CALL: 'bad_generation',
  TOO_MANY_TOOL_CALLS: 'bad_generation',
  OTHER: 'error',
};

/** The word that says that nothing has ended yet. */
const NONE = 'FINISH_REASON_UNSPECIFIED';

/** The word for how a candidate ended; null: it has not. */
export const finishWord = (word: unknown): string | null =>
  typeof word === 'string' && word !== '' && word !== NONE ? word : null;

/** The meaning of a provider's word. A plain stop behind a call for the client is the end of calls. */
export function readFinish(
  word: string,
  { hasOutput, hasCall }: { hasOutput: boolean; hasCall: boolean },
): FinishReason {
  const reason = own(WORDS, word);
  if (reason !== undefined) return reason === 'stop' && hasCall ? 'tool_calls' : reason;
  return hasOutput ? 'unknown' : (own(FAILURES, word) ?? 'unknown');
}

/** A prompt that was blocked, by whatever reason, was filtered. */
export const readBlock = (word: string): FinishReason => own(WORDS, word) ?? 'content_filter';

/** The nearest word for each reason; the first that reads as it. */
const SPELT: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
  bad_generation: 'MALFORMED_FUNCTION_CALL',
  error: 'OTHER',
  unknown: 'OTHER',
};

/** Words of the protocol that say no more than that it has ended. */
const PLAIN: ReadonlySet<string> = new Set(['LANGUAGE', 'NO_IMAGE', 'IMAGE_OTHER']);

const isOurs = (word: string): boolean =>
  Object.hasOwn(WORDS, word) || Object.hasOwn(FAILURES, word) || PLAIN.has(word);

/** A word of this protocol stands as it is. */
export const writeFinish = (reason: FinishReason, raw: string | null): string =>
  raw !== null && isOurs(raw) ? raw : SPELT[reason];
