/**
 * Why an answer ended, over all protocols. The provider's own word rides along in the event (`raw`).
 * `bad_generation`: the model broke its own tool call. `error`: the provider says that it failed. `unknown`: a word
 * that no table knows; it is delivered as it is.
 */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool_calls'
  | 'content_filter'
  | 'refusal'
  | 'bad_generation'
  | 'error'
  | 'unknown';
