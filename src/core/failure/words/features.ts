import type { Feature } from '../../model/capability.ts';

/** Row 7. What kind of refusal it is; the parameter or the words below say of what. */
export const REFUSED_PARAM_CODES = [
  'unsupported_parameter',
  'unsupported_value',
  'unsupported_feature',
  'unknown_parameter',
  'unrecognized_parameter',
  'not_supported',
  'parameter_not_supported',
  'extra_forbidden',
] as const;

export type RefusableFeature = Feature | 'streamUsage';

export type FeatureWords = {
  readonly feature: RefusableFeature;
  /** Codes that name the refusal of this feature alone. */
  readonly codes: readonly string[];
  /** Parameters: with one of `REFUSED_PARAM_CODES`, or in a sentence that says that it is not supported. */
  readonly params: readonly string[];
  /** Other parameters that words of this feature may come with: where it stands in a request. */
  readonly places?: RegExp;
  /** Whole sentences. */
  readonly words: readonly string[];
};

/** Sentences around a parameter's name, which stands for `{}`; quotes do not count. */
export const REFUSED_PARAM_WORDS = [
  'unsupported parameter: {}',
  'unsupported parameter {}',
  'unsupported value: {} does not support',
  'unknown parameter: {}',
  'unknown field {}',
  'unknown name {}',
  'unrecognized request argument supplied: {}',
  'unrecognized key * {}',
  'property {} is unsupported',
  '{}: extra inputs are not permitted',
  '{} is not supported',
  '{} are not supported',
  '{} * is not supported with this model',
  '{} is currently not supported',
  '{} is not available',
  '{} is unavailable',
  '{} type is unavailable',
  'does not support {}',
  'doesnt support {}',
  'does not support the {}',
  'no endpoints found that support {}',
] as const;

/** A part of a message, or all of them; who speaks is no part. */
const IN_CONTENT = /^(?:messages|input|contents?)\b(?!.*\brole$)|\b(?:content|type)$/;

export const FEATURE_REFUSALS: readonly FeatureWords[] = [
  {
    feature: 'images',
    codes: ['images_not_supported', 'vision_not_supported', 'unsupported_image_input'],
    params: ['image_url', 'input_image', 'image input', 'image inputs', 'images', 'image', 'vision'],
    places: IN_CONTENT,
    words: [
      'unknown variant image_url',
      'is not a multimodal model',
      'only messages with type=text are supported',
      'content type image_url is not supported',
      'multimodal is not supported',
      'does not support multimodal input',
      'at most 0 image(s) may be provided',
    ],
  },
  {
    feature: 'audio',
    codes: ['audio_not_supported'],
    params: ['input_audio', 'audio', 'audio input', 'audio inputs'],
    places: IN_CONTENT,
    words: ['unknown variant input_audio', 'at most 0 audio(s) may be provided'],
  },
  {
    feature: 'files',
    codes: ['files_not_supported'],
    params: ['input_file', 'file input', 'pdf input', 'pdf', 'file inputs'],
    places: IN_CONTENT,
    words: ['unknown variant file', 'unknown variant input_file'],
  },
  {
    feature: 'parallelTools',
    codes: ['parallel_tool_calls_not_supported'],
    params: ['parallel_tool_calls', 'parallel tool calls', 'disable_parallel_tool_use'],
    places: /^tool_choice\b/,
    words: ['only supports single tool-calls at once'],
  },
  {
    feature: 'tools',
    codes: ['tools_not_supported', 'tool_use_not_supported', 'function_calling_not_supported'],
    params: ['tools', 'functions', 'tool use', 'tool calling', 'tool calls', 'function calling'],
    places: /^(?:tools|functions|tool_choice|function_call)\b/,
    words: [
      'tool choice requires --enable-auto-tool-choice',
      'function calling is not enabled',
      'tool use is not supported',
    ],
  },
  {
    feature: 'responseFormat',
    codes: ['response_format_not_supported', 'json_schema_not_supported'],
    params: [
      'response_format',
      'response_format.type',
      'text.format',
      'output_format',
      'output_config.format',
      'json_schema',
      'response format',
      'response format json_schema',
      'json mode',
      'structured outputs',
      'structured output',
    ],
    places: /^(?:response_format|text|output_format|output_config)\b/,
    words: ['this response_format type is unavailable now', 'json mode is not enabled'],
  },
  {
    feature: 'reasoningEffort',
    codes: ['reasoning_not_supported', 'thinking_not_supported'],
    params: [
      'reasoning_effort',
      'reasoning.effort',
      'reasoning',
      'output_config.effort',
      'effort parameter',
      'effort',
      'thinking',
      'adaptive thinking',
      'thinking_level',
      'reasoning effort',
    ],
    places: /^(?:reasoning|thinking|output_config|generationconfig)\b/,
    words: ['thinking is not enabled for this model', 'thinking level is not supported'],
  },
  {
    feature: 'prefill',
    codes: ['prefill_not_supported'],
    params: ['assistant message prefill', 'prefill', 'assistant prefill', 'prefilling'],
    places: /^(?:messages|input|contents)\b/,
    words: [
      'conversation must end with a user message',
      'pre-filling the * response is not supported',
      'expected last role user',
      'last message must be * user',
    ],
  },
  {
    feature: 'n',
    codes: ['n_not_supported'],
    params: ['n', 'candidatecount', 'n > 1'],
    words: [
      'only one completion choice is allowed',
      'multiple completions are not supported',
      'multiple candidates is not enabled',
      'n must be 1',
      'n : number must be at most 1',
      'n must be at most 1',
    ],
  },
  {
    feature: 'logprobs',
    codes: ['logprobs_not_supported'],
    params: ['logprobs', 'top_logprobs', 'responselogprobs'],
    words: ['not allowed to request logprobs', 'logprobs is not enabled'],
  },
];
/** A type of thinking that is unknown, as validators say it. */
export const THINKING_TYPE_WORDS = ['thinking: input tag ~ found using ~ does not match'] as const;

/** Labels of a 400 that speaks of a field of the request. */
export const FIELD_CODES = [
  'invalid_value',
  'invalid_type',
  'invalid_enum_value',
  'missing_required_parameter',
  'unknown_parameter',
  'unsupported_parameter',
  'unsupported_value',
  'integer_above_max_value',
  'integer_below_min_value',
  'decimal_above_max_value',
  'decimal_below_min_value',
  'string_above_max_length',
  'string_below_min_length',
  'array_above_max_length',
  'array_below_min_length',
  'invalid_function_parameters',
  'invalid_json_schema',
  'literal_error',
  'enum',
  'extra_forbidden',
  'string_type',
  'value_error',
  'type_error',
] as const;

/** Parameters by which an error speaks of who asks, or of what is asked, and not of what the request holds. */
export const ACCOUNT_PARAMS = [
  'model',
  'body',
  'request',
  'none',
  'null',
  'api_key',
  'api-key',
  'apikey',
  'x-api-key',
  'authorization',
  'account',
  'organization',
  'project',
  'billing',
  'credit',
  'credits',
  'quota',
] as const;

/** Those that name nothing. */
export const NAMELESS_PARAMS = ['body', 'request', 'none', 'null'] as const;
