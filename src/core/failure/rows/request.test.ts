import { describe, expect, it } from 'vitest';
import { err, event, finish, http, invalid, type Sample } from '../../../../test/kit/failure-signals.ts';
import { classify } from '../classify.ts';
import { REQUEST_ROWS } from './request.ts';

/** What a client wrote in the place of a role, as validators repeat it: never more than a bad request. */
const quoted = (text: string): readonly Sample[] => {
  const at = { param: 'messages[0].role' };
  const form = (name: string, message: string, more = {}): Sample => [
    `${text}, ${name}`,
    http(400, invalid(message, more)),
    'bad_request',
    { feature: null, hold: null, weight: 0 },
  ];
  return [
    form('in single quotes', `Invalid value: '${text}'. Supported values are: 'user', and 'tool'.`),
    form('in double quotes', `"${text}" is not one of ["user"] - 'messages.0.role'`),
    form('in backticks', `messages.0.role: \`${text}\` is not one of user`),
    form('with a quotation in it', `Invalid value: "it's '${text}' \\"${text}\\" '". Supported: "user"`),
    form('in a quotation that was cut', `Invalid value: '${text} ${'x'.repeat(3000)}'`),
    form('as an input', `[{'loc': ('body', 'messages', 0, 'role'), 'msg': "Should be 'user'", 'input': '${text}'}]`),
    form('as a value', `1 error for Message role [type=literal_error, input_value='${text}', input_type=str]`),
    form('beside a parameter', `Unknown role ${text} in messages`, at),
    form('beside a code', `Unknown role ${text} in messages`, { ...at, code: 'invalid_value' }),
  ];
};

const SAMPLES: readonly Sample[] = [
  // Row 5.
  [
    'SGLang',
    http(400, {
      object: 'error',
      message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
      type: 'BadRequestError',
      code: 400,
    }),
    'context_length',
    { onward: 'next_larger_window', feature: 'contextWindow', weight: 0 },
  ],
  [
    'Anthropic',
    http(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    }),
    'context_length',
    { reason: 'prompt is too long: 210000 tokens > 200000 maximum' },
  ],
  ['Bedrock', http(400, { message: 'Input is too long.' }), 'context_length'],
  [
    'OpenAI',
    http(
      400,
      invalid("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", {
        code: 'context_length_exceeded',
      }),
    ),
    'context_length',
  ],
  [
    'OpenAI Responses',
    http(400, invalid('Your input exceeds the context window of this model. Please adjust your input and try again.')),
    'context_length',
  ],
  [
    'vLLM',
    http(400, {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      type: 'BadRequestError',
      code: 400,
    }),
    'context_length',
  ],
  [
    'Gemini',
    http(400, [
      {
        error: {
          code: 400,
          message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]),
    'context_length',
  ],
  [
    'llama.cpp',
    http(400, {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 8192,
      },
    }),
    'context_length',
  ],
  [
    'llama.cpp in a stream',
    event({ code: 400, message: 'request exceeds the available context size', type: 'invalid_request_error' }),
    'context_length',
  ],
  [
    'Groq',
    http(400, invalid('Please reduce the length of the messages or completion.', { param: 'messages' })),
    'context_length',
  ],
  [
    'xAI',
    http(400, {
      code: 'invalid-argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    }),
    'context_length',
  ],
  [
    'Mistral',
    http(400, {
      object: 'error',
      message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
    }),
    'context_length',
  ],
  [
    'LM Studio',
    http(400, {
      error:
        'Trying to keep the first 9000 tokens when the number of tokens to keep from the initial prompt is greater than the context length.',
    }),
    'context_length',
  ],
  ['Copilot', http(400, invalid('prompt token count of 140000 exceeds the limit of 128000')), 'context_length'],
  ['Responses event', event({ code: 'context_length_exceeded', message: 'too long' }), 'context_length'],
  [
    'words of the caller do not count',
    http(400, invalid("Invalid value: 'prompt is too long'. Supported values are: 'a'.")),
    'bad_request',
  ],
  // Row 6.
  [
    'Azure content_filter',
    http(400, {
      error: {
        message: 'filtered by content management policy',
        type: null,
        param: 'prompt',
        code: 'content_filter',
        status: 400,
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    }),
    'content_policy',
    { component: 'policy', onward: 'stop' },
  ],
  ['cyber policy', event({ code: 'cyber_policy', message: 'flagged' }), 'content_policy'],
  [
    'Anthropic words',
    http(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
    }),
    'content_policy',
  ],
  ['finish', finish('content_filter'), 'content_policy', { refusal: false }],
  ['Gemini finish', finish('PROHIBITED_CONTENT'), 'content_policy'],
  // Row 7.
  [
    'stream_options as param',
    http(400, invalid('Unrecognized request argument', { param: 'stream_options' })),
    'unsupported_capability',
    { onward: 'same_without_stream_options', feature: 'streamUsage' },
  ],
  [
    'stream_options in words',
    http(422, {
      detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }],
    }),
    'unsupported_capability',
    { feature: 'streamUsage' },
  ],
  [
    'images of a router',
    http(404, err('No endpoints found that support image input', { code: 404 })),
    'unsupported_capability',
    { feature: 'images', onward: 'next_capable' },
  ],
  [
    'images, DeepSeek',
    http(
      400,
      invalid(
        'Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`, expected `text` at line 1',
      ),
    ),
    'unsupported_capability',
    { feature: 'images' },
  ],
  [
    'images, vLLM',
    http(400, { object: 'error', message: 'm-a is not a multimodal model', type: 'BadRequestError', code: 400 }),
    'unsupported_capability',
    { feature: 'images' },
  ],
  [
    'tools, Ollama',
    http(400, { error: 'registry.ollama.ai/library/gemma:latest does not support tools' }),
    'unsupported_capability',
    { feature: 'tools' },
  ],
  [
    'parallel tools',
    http(
      400,
      invalid("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", {
        param: 'parallel_tool_calls',
        code: 'unsupported_parameter',
      }),
    ),
    'unsupported_capability',
    { feature: 'parallelTools' },
  ],
  [
    'json_schema, Groq',
    http(
      400,
      invalid('This model does not support response format `json_schema`. See supported models', {
        param: 'response_format',
      }),
    ),
    'unsupported_capability',
    { feature: 'responseFormat' },
  ],
  [
    'json_schema, OpenAI',
    http(400, invalid("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.")),
    'unsupported_capability',
    { feature: 'responseFormat' },
  ],
  [
    'effort as a parameter',
    http(
      400,
      invalid("Unsupported parameter: 'reasoning.effort' is not supported with this model.", {
        param: 'reasoning.effort',
        code: 'unsupported_parameter',
      }),
    ),
    'unsupported_capability',
    { feature: 'reasoningEffort' },
  ],
  [
    'one level of effort',
    http(
      400,
      invalid("Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.", {
        param: 'reasoning_effort',
        code: 'unsupported_value',
      }),
    ),
    'unsupported_capability',
    { feature: null },
  ],
  [
    'prefill',
    http(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'This model does not support assistant message prefill. The conversation must end with a user message.',
      },
    }),
    'unsupported_capability',
    { feature: 'prefill' },
  ],
  [
    'n',
    http(400, invalid("'n' : number must be at most 1", { param: 'n' })),
    'unsupported_capability',
    { feature: 'n' },
  ],
  [
    'logprobs',
    http(400, invalid('logprobs is not supported with this model')),
    'unsupported_capability',
    { feature: 'logprobs' },
  ],
  [
    'another parameter',
    http(
      400,
      invalid("Unsupported value: 'temperature' does not support 0.2 with this model.", {
        param: 'temperature',
        code: 'unsupported_value',
      }),
    ),
    'bad_request',
  ],
  ...quoted('tools is not supported with this model'),
  ...quoted('does not support image input'),
  ...quoted('response_format is not supported'),
  ...quoted('credit balance is too low'),
  ...quoted('overloaded'),
  ...quoted('Incorrect API key provided'),
  ...quoted('unknown model'),
  ...quoted('tools'),
  ...quoted('stream_options'),
  ['words that only come near', http(400, err('content type invalid')), 'bad_request'],
  // Row 8.
  [
    'encrypted reasoning',
    http(400, invalid('encrypted content could not be verified', { code: 'invalid_encrypted_content' })),
    'incompatible_history',
    { onward: 'same_without_state' },
  ],
  [
    'previous response',
    http(
      400,
      invalid("Previous response with id 'resp_LOST' not found.", {
        param: 'previous_response_id',
        code: 'previous_response_not_found',
      }),
    ),
    'incompatible_history',
  ],
  [
    'thinking signature',
    http(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      },
    }),
    'incompatible_history',
  ],
  ['item id at a 400', http(400, invalid("Item with id 'rs_X' not found.")), 'incompatible_history'],
  // Row 9.
  [
    'Groq',
    http(400, {
      error: {
        message: 'Failed to call a function.',
        type: 'invalid_request_error',
        code: 'tool_use_failed',
        failed_generation: '<function=f>',
      },
    }),
    'bad_generation',
    { again: true, weight: 0 },
  ],
  ['Gemini finish', finish('MALFORMED_FUNCTION_CALL'), 'bad_generation'],
  ['canonical finish', finish('bad_generation'), 'bad_generation'],
];

describe('a feature that was refused', () => {
  const refused = (used?: readonly string[], message = 'this model does not support tools') =>
    classify(http(400, invalid(message), used && { used }));

  it('is believed if the request used it', () => {
    expect(refused(['images', 'tools'])).toMatchObject({ row: 'unsupported_capability', feature: 'tools' });
    expect(refused()).toMatchObject({ feature: 'tools' });
    expect(refused(['images'])).toMatchObject({ row: 'unsupported_capability', feature: null });
  });

  it('and so are stream_options', () => {
    const message = 'Unrecognized request argument supplied: stream_options';
    expect(refused(['streamUsage'], message)).toMatchObject({ feature: 'streamUsage' });
    expect(refused([], message)).toMatchObject({ row: 'bad_request', feature: null });
  });

  it.each([
    ['messages.[0].content.[1].type', 'images', 'content type image_url is not supported'],
    ['model', 'tools', 'm does not support tools'],
    ['tools[0].function', 'tools', 'tools are not supported'],
    ['messages', 'prefill', 'The conversation must end with a user message'],
  ])('may be told of %s', (param, feature, message) => {
    expect(classify(http(400, invalid(message, { param })))).toMatchObject({ feature });
  });
});

describe('rows of request', () => {
  it.each(SAMPLES.map((sample) => ({ name: `${sample[2]}: ${sample[0]}`, sample })))('$name', ({ sample }) => {
    const [, signal, row, expected = {}] = sample;
    expect(classify(signal)).toMatchObject({ row, ...expected });
  });

  it('are each reached by a sample', () => {
    const reached = new Set(SAMPLES.map(([, signal]) => classify(signal).row));
    for (const { id } of REQUEST_ROWS) expect(reached).toContain(id);
  });
});
