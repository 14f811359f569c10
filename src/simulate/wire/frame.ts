/** A frame whose data says all. */
export const dataFrame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** A frame whose event says its own name. */
export const namedFrame = (event: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** What is the same in all frames of one answer. */
export type AnswerHead = { readonly id: string; readonly model: string };

export type Tokens = {
  readonly input: number;
  readonly output: number;
  /** Of the output, those that reasoning took; absent: it is not told. */
  readonly reasoning?: number;
};

/** What a simulated provider says of an error, whatever the protocol's envelope. */
export type ErrorParts = {
  readonly message: string;
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
  /** Of the HTTP answer, for envelopes that say it again; absent: none of an error. */
  readonly status?: number;
  /** Members beside those. */
  readonly more?: Readonly<Record<string, unknown>>;
};
