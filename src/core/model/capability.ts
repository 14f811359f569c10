/**
 * What a request may need and a target may lack. A target whose capability is `false` is not eligible for a request that
 * needs it; an unknown capability is assumed to be there until a provider refuses it.
 */
export const FEATURES = [
  'images',
  'audio',
  'files',
  'tools',
  'parallelTools',
  'responseFormat',
  'reasoningEffort',
  'prefill',
  'n',
  'logprobs',
] as const;

export type Feature = (typeof FEATURES)[number];

/**
 * What is known of a target. The members that are no `Feature` do not decide eligibility: the codec writes the request in
 * a way that the target understands (`developerRole: false` makes developer messages system messages).
 */
export type Capabilities = { readonly [F in Feature]?: boolean } & {
  readonly developerRole?: boolean;
  /** May `stream_options` be sent? `false` is learnt from a 400 that names it. */
  readonly streamUsage?: boolean;
  readonly toolCallIds?: 'any' | 'alnum9';
  /** Tokens of input and output together. */
  readonly contextWindow?: number;
};
