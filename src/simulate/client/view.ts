/** What a client library would make of an answer, read without the product's own codecs. */
export type ClientView = {
  readonly status: number | null;
  readonly text: string;
  readonly reasoning: string;
  /** In the order in which they were begun. `isComplete`: the client would run it. */
  readonly tools: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: string;
    readonly isComplete: boolean;
    /** Its arguments are plain text. */
    readonly isText?: boolean;
  }[];
  readonly usage: { readonly inputTokens: number | null; readonly outputTokens: number | null } | null;
  readonly finish: 'stop' | 'length' | 'filter' | 'tool' | null;
  /**
   * The protocol's own mark of success was seen (`finish_reason` and `[DONE]`, `message_stop`, `response.completed`, or
   * `finishReason` and a clean end of the body).
   */
  readonly isWhole: boolean;
  readonly error: { readonly code: string | null; readonly type: string | null; readonly message: string } | null;
  readonly retryAfterMs: number | null;
  readonly shouldRetry: boolean | null;
  /** Something was said behind the error or behind the end. */
  readonly saysMoreBehindEnd: boolean;
  /** What is wrong with the form: events out of order, JSON that does not parse, a frame that is not whole. */
  readonly faults: readonly string[];
};
