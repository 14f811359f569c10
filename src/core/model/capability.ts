/**
 * What a request may need and a target may lack. A target whose capability is `false` is not eligible for a request
 * that needs it; an unknown capability is assumed to be there until a provider refuses it.
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
  'countTokens',
] as const;

export type Feature = (typeof FEATURES)[number];

/** Features whose names, those of the configuration, are no words for people. */
const FEATURE_WORDS: { readonly [F in Feature]?: string } = {
  parallelTools: 'parallel tool calls',
  responseFormat: 'a response format',
  reasoningEffort: 'a reasoning effort',
  prefill: 'an answer that is begun for it',
  n: 'several choices',
  logprobs: 'log probabilities',
  countTokens: 'counting of tokens',
};

/** What a feature is called where people read it. */
export const nameOfFeature = (feature: string): string => FEATURE_WORDS[feature as Feature] ?? feature;

/**
 * Parts of a request that a target may refuse and that can be left out: an answer without them is still an answer to
 * what was asked. They change what it costs, how much of the thinking is shown, how the provider keeps house; never
 * what was asked. Whatever is not here (messages, tools, formats …) is never left out.
 */
export const OPTIONAL_FIELDS = [
  'context_management',
  'thinking.display',
  'output_config.effort',
  'metadata',
  'service_tier',
  'speed',
  'cache_control',
  'cache_control.scope',
  'cache_control.ttl',
  'tools.defer_loading',
  'tools.input_examples',
  'tools.eager_input_streaming',
] as const;

export type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** The version of the protocol that the client asked for: without it the one that every provider knows is named. */
export const VERSION_PART = 'anthropic-version';

/**
 * What a flag of the header `anthropic-beta` can be, whether it is sent or refused. Anything else would come back in a
 * provider's words, where it could look like something else.
 */
export const BETA_FLAG = /^[a-z0-9][a-z0-9._-]{0,127}$/i;

const BETA = 'beta:';

/** A flag, as a part. */
export const betaPart = (flag: string): string => BETA + flag.toLowerCase();

/**
 * Flags that were refused together, when nobody said which: a part of requests that have all of them, since each such
 * request has the one that was meant. Of one flag it is that flag.
 */
export const betaSetPart = (flags: readonly string[]): string => betaPart([...flags].sort().join());

/** The flags that a part stands for, in lower case; null: it is no part of that kind. */
export const flagsOfPart = (part: string): readonly string[] | null =>
  part.startsWith(BETA) ? part.slice(BETA.length).split(',') : null;

const SETTING = 'setting:';

/** A setting that a target does not take, as a part: of requests that were translated for it. */
export const settingPart = (name: string): string => SETTING + name;

/** The setting that a part stands for; null: it is no part of that kind. */
export const settingOfPart = (part: string): string | null =>
  part.startsWith(SETTING) ? part.slice(SETTING.length) : null;

/** All flags, of one request: it says nothing of others. */
export const ALL_BETAS: string = betaPart('*');

/** What a part is called where people read it. */
export const nameOfPart = (part: string): string => {
  if (part === ALL_BETAS) return 'all anthropic-beta flags';
  return settingOfPart(part) ?? (part.startsWith(BETA) ? `anthropic-beta ${part.slice(BETA.length)}` : part);
};

/**
 * What is known of a target. The members that are no `Feature` do not decide eligibility: the codec writes the request
 * in a way that the target understands (`developerRole: false` makes developer messages system messages).
 */
export type Capabilities = { readonly [F in Feature]?: boolean } & {
  readonly developerRole?: boolean;
  /** May `stream_options` be sent? `false` is learnt from a 400 that names it. */
  readonly streamUsage?: boolean;
  readonly toolCallIds?: 'any' | 'alnum9';
  /** Tokens of input and output together. */
  readonly contextWindow?: number;
  /** Flags of `anthropic-beta` that it takes; absent: all. */
  readonly betas?: readonly string[];
  /**
   * Parts that are left out of its requests: an `OptionalField`, `VERSION_PART`, or flags (`betaPart`, `betaSetPart`).
   */
  readonly leaveOut?: readonly string[];
};
