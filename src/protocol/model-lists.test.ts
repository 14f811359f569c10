import { describe, expect, it } from 'vitest';
import type { Protocol } from '../core/model/protocol.ts';
import { MODEL_LISTS } from './model-lists.ts';
import { MAX_LISTED } from './shared/read-list.ts';

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const read = (protocol: Protocol, value: unknown) => MODEL_LISTS.get(protocol)?.decode(encode(value));
const modelsOf = (protocol: Protocol, value: unknown) => read(protocol, value)?.models;
const chat = (...data: readonly unknown[]) => modelsOf('openai-chat', { object: 'list', data });

/** As OpenRouter has it, cut down to what is looked at and some of what is not. */
const openrouter = (id: string, more: object = {}) => ({
  id,
  canonical_slug: id,
  created: 1_770_000_000,
  context_length: 131_072,
  architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'], tokenizer: 'Other' },
  pricing: { prompt: '0', completion: '0', request: '0', image: '0' },
  top_provider: { context_length: 65_536, max_completion_tokens: 8192, is_moderated: false },
  supported_parameters: ['max_tokens', 'temperature'],
  ...more,
});
const LACKS_ALL = { tools: false, responseFormat: false, images: false, audio: false, contextWindow: 131_072 };

describe("a list in OpenAI's form", () => {
  const table: readonly (readonly [what: string, entry: unknown, wanted: unknown])[] = [
    [
      'OpenAI: a name and nothing else',
      { id: 'gpt-5.6', object: 'model', created: 1, owned_by: 'system' },
      { id: 'gpt-5.6', price: 'unknown' },
    ],
    [
      'NIM: a name in two parts',
      { id: 'deepseek-ai/deepseek-r1', object: 'model', created: 1, owned_by: 'deepseek-ai' },
      { id: 'deepseek-ai/deepseek-r1', price: 'unknown' },
    ],
    [
      'OpenRouter: free',
      openrouter('deepseek/deepseek-v3:free'),
      { id: 'deepseek/deepseek-v3:free', price: 'free', capabilities: LACKS_ALL },
    ],
    [
      'OpenRouter: priced, with all that it can',
      openrouter('x/y', {
        pricing: { prompt: '0.0000002', completion: '0.0000011', discount: 0 },
        architecture: { input_modalities: ['text', 'image', 'audio', 'file'], output_modalities: ['text', 'image'] },
        supported_parameters: ['tools', 'tool_choice', 'structured_outputs', 'reasoning', 'include_reasoning'],
      }),
      {
        id: 'x/y',
        price: 'priced',
        capabilities: {
          tools: true,
          responseFormat: true,
          reasoningEffort: true,
          images: true,
          audio: true,
          contextWindow: 131_072,
        },
      },
    ],
    [
      'OpenRouter: a router whose price depends',
      openrouter('openrouter/auto', { pricing: { prompt: '-1', completion: '-1' } }),
      { id: 'openrouter/auto', price: 'unknown', capabilities: LACKS_ALL },
    ],
    [
      'OpenRouter: free of tokens, with a fee for each request',
      openrouter('x/fee', { pricing: { prompt: '0', completion: '0', request: '0.01' } }),
      { id: 'x/fee', price: 'priced', capabilities: LACKS_ALL },
    ],
    ['one price alone', { id: 'a', pricing: { prompt: '0' } }, { id: 'a', price: 'unknown' }],
    [
      'zeros as numbers, and as decimals',
      { id: 'a', pricing: { prompt: 0, completion: '0.000' } },
      { id: 'a', price: 'free' },
    ],
    [
      'a price that is no number',
      { id: 'a', pricing: { prompt: '', completion: null } },
      { id: 'a', price: 'unknown' },
    ],
    [
      'Together: zeros that are no price for tokens',
      {
        id: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
        type: 'chat',
        context_length: 131_072,
        pricing: { hourly: 0, input: 0, output: 0, base: 0, finetune: 0 },
      },
      { id: 'meta-llama/Llama-3.3-70B-Instruct-Turbo', price: 'unknown', capabilities: { contextWindow: 131_072 } },
    ],
    [
      'Together: priced',
      { id: 'Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8', type: 'chat', pricing: { input: 2, output: 2 } },
      { id: 'Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8', price: 'priced' },
    ],
    [
      'Mistral',
      {
        id: 'mistral-large-2411',
        capabilities: { completion_chat: true, completion_fim: false, function_calling: true, vision: false },
        max_context_length: 131_072,
        deprecation: null,
      },
      {
        id: 'mistral-large-2411',
        price: 'unknown',
        capabilities: { tools: true, images: false, contextWindow: 131_072 },
      },
    ],
    [
      'Fireworks',
      {
        id: 'accounts/fireworks/models/llama4-scout-instruct-basic',
        kind: 'HF_BASE_MODEL',
        supports_chat: true,
        supports_image_input: true,
        supports_tools: false,
        context_length: 1_048_576,
      },
      {
        id: 'accounts/fireworks/models/llama4-scout-instruct-basic',
        price: 'unknown',
        capabilities: { tools: false, images: true, contextWindow: 1_048_576 },
      },
    ],
    [
      'Groq',
      { id: 'llama-3.3-70b-versatile', active: true, context_window: 131_072, max_completion_tokens: 32_768 },
      { id: 'llama-3.3-70b-versatile', price: 'unknown', capabilities: { contextWindow: 131_072 } },
    ],
    ['vLLM', { id: '/models/qwen', root: 'x', max_model_len: 40_960 }, undefined],
    [
      'vLLM, with a name that can be asked for',
      { id: 'qwen3:8b@q4', max_model_len: 40_960 },
      { id: 'qwen3:8b@q4', price: 'unknown', capabilities: { contextWindow: 40_960 } },
    ],
    [
      'a proxy that lists features for OpenRouter',
      { id: 'a/b', input_modalities: ['text'], output_modalities: ['text'], supported_features: ['tools'] },
      { id: 'a/b', price: 'unknown', capabilities: { tools: true, images: false, audio: false } },
    ],
    ['a window that is none', { id: 'a', context_length: 1.5, context_window: -1 }, { id: 'a', price: 'unknown' }],
    ['an image model', openrouter('x/paint', { architecture: { output_modalities: ['image'] } }), undefined],
    ['an embedding model of Mistral', { id: 'm', capabilities: { completion_chat: false } }, undefined],
    ['one that is out of service', { id: 'm', active: false }, undefined],
    ['one that was put away', { id: 'm', archived: true }, undefined],
    ['one of Fireworks without chat', { id: 'm', supports_chat: false }, undefined],
    ['one of Together for something else', { id: 'm', type: 'rerank' }, undefined],
  ];

  it.each(table)('%s', (_, entry, wanted) => {
    expect(chat(entry)).toEqual(wanted === undefined ? [] : [wanted]);
  });

  it.each([
    'text-embedding-3-large',
    'whisper-1',
    'tts-1-hd',
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'omni-moderation-latest',
    'dall-e-3',
    'gpt-image-1',
    'sora-2',
    'nvidia/nv-embedqa-e5-v5',
    'nomic-embed-text:latest',
    'gpt-realtime',
    'baai/bge-reranker-v2',
  ])('%s is for no chat, by its name', (id) => expect(chat({ id })).toEqual([]));

  it.each([
    'gpt-4o-mini-2024-07-18',
    'claude-3-5-sonnet-20241022',
    'o4-mini-deep-research-2025-06-26',
    'nvidia/llama-3.1-nemotron-ultra-253b-v1',
    'deepseek/deepseek-chat-v3-0324:free',
    'cognitivecomputations/dolphin-mistral-24b-venice-edition:free',
    '@cf/meta/llama-4-scout-17b-16e-instruct',
    'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M',
    'qwen3-coder:480b-cloud',
    'moonshotai/kimi-k2-instruct-0905',
    'accounts/fireworks/models/qwen3-235b-a22b-instruct-2507',
  ])('%s is a name of a model', (id) => expect(chat({ id })).toEqual([{ id, price: 'unknown' }]));

  it('may be a bare array, or that of Ollama', () => {
    expect(modelsOf('openai-chat', [{ id: 'a' }])).toEqual([{ id: 'a', price: 'unknown' }]);
    const tags = {
      models: [
        { name: 'llama3.3:latest', model: 'llama3.3:latest', size: 1, details: { family: 'llama' } },
        { model: 'qwen3:8b', capabilities: ['completion', 'tools', 'thinking'] },
      ],
    };
    expect(modelsOf('openai-chat', tags)).toEqual([
      { id: 'llama3.3:latest', price: 'unknown' },
      { id: 'qwen3:8b', price: 'unknown', capabilities: { tools: true, images: false, reasoningEffort: true } },
    ]);
  });

  it('goes on where it says so, at our own address', () => {
    const format = MODEL_LISTS.get('openai-chat');
    const next = (link: unknown) => read('openai-chat', { data: [], links: { next: link } })?.next;
    expect(next('/api/v1/models?offset=500&limit=500')).toBe('offset=500&limit=500');
    expect(next('https://elsewhere.example/x?offset=1')).toBe('offset=1');
    expect(next(null)).toBeNull();
    expect(next('/api/v1/models')).toBeNull();
    expect(next('/models?a=b c#d')).toBeNull();
    expect(format?.path(null)).toBe('/models');
    expect(format?.path('offset=500&limit=500')).toBe('/models?offset=500&limit=500');
  });
});

describe("a list of Anthropic's", () => {
  const claude = (id: string, more: object = {}) => ({ type: 'model', id, display_name: id, ...more });

  it('says what its models can', () => {
    const capabilities = {
      image_input: { supported: true },
      pdf_input: { supported: false },
      structured_outputs: { supported: true },
      effort: { supported: false, low: { supported: false } },
      thinking: { supported: true, types: {} },
      batch: { supported: true },
    };
    const list = { data: [claude('claude-opus-4-8', { max_input_tokens: 1_000_000, capabilities }), claude('old')] };
    expect(modelsOf('anthropic-messages', list)).toEqual([
      {
        id: 'claude-opus-4-8',
        price: 'unknown',
        capabilities: {
          images: true,
          files: false,
          responseFormat: true,
          reasoningEffort: true,
          contextWindow: 1_000_000,
        },
      },
      { id: 'old', price: 'unknown' },
    ]);
  });

  it('comes in pages', () => {
    const format = MODEL_LISTS.get('anthropic-messages');
    expect(read('anthropic-messages', { data: [claude('a')], has_more: true, last_id: 'a' })?.next).toBe('a');
    expect(read('anthropic-messages', { data: [claude('a')], has_more: false, last_id: 'a' })?.next).toBeNull();
    expect(format?.path('a/b')).toBe('/v1/models?limit=1000&after_id=a%2Fb');
    expect(format?.headers).toEqual({ 'anthropic-version': '2023-06-01' });
  });
});

describe("a list of Google's", () => {
  it('holds what answers chats, without its folder', () => {
    const models = [
      {
        name: 'models/gemini-2.5-pro',
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
        thinking: true,
      },
      { name: 'models/gemma-3-27b-it', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/gemini-2.5-flash-preview-tts', supportedGenerationMethods: ['generateContent'] },
      { name: 'models/text-embedding-004', supportedGenerationMethods: ['embedContent'] },
      { name: 'tunedModels/mine', supportedGenerationMethods: ['generateContent'] },
    ];
    expect(read('gemini', { models, nextPageToken: 'ab/c=' })).toEqual({
      models: [
        {
          id: 'gemini-2.5-pro',
          price: 'unknown',
          capabilities: { reasoningEffort: true, contextWindow: 1_048_576 },
        },
        { id: 'gemma-3-27b-it', price: 'unknown' },
      ],
      leftOut: 3,
      next: 'ab/c=',
    });
    expect(MODEL_LISTS.get('gemini')?.path('ab/c=')).toBe('/models?pageSize=1000&pageToken=ab%2Fc%3D');
  });

  it('may be empty, which no error body is', () => {
    expect(read('gemini', {})).toEqual({ models: [], leftOut: 0, next: null });
    expect(read('gemini', { error: { code: 400, status: 'INVALID_ARGUMENT' } })).toBeNull();
  });
});

describe('a list that means ill', () => {
  const PROTOCOLS = [...MODEL_LISTS.keys()];
  const NO_LISTS = [
    '',
    'null',
    '7',
    '"x"',
    '{"data":{}}',
    '{"data":null}',
    '<html>',
    '{"models":"x"}',
    '{"data":',
    '\u0000',
  ];

  it.each(PROTOCOLS)('%s: what is no list is none', (protocol) => {
    for (const text of NO_LISTS) expect(read(protocol, text), text).toBeNull();
    expect(read(protocol, '['.repeat(200_000))).toBeNull();
    expect(MODEL_LISTS.get(protocol)?.decode(Uint8Array.of(0xff, 0xfe, 0x00, 0x80))).toBeNull();
  });

  const wrap = (protocol: Protocol, ids: readonly unknown[]): unknown =>
    protocol === 'gemini'
      ? { models: ids.map((id) => ({ name: typeof id === 'string' ? `models/${id}` : id })) }
      : { data: ids.map((id) => ({ id })) };

  const BAD_IDS = [
    null,
    7,
    {},
    '',
    ' ',
    'a b',
    'a\n',
    'a\u001b[31m',
    'a#b',
    '../x',
    '__proto__',
    'é',
    'a\u202eb',
    'x'.repeat(257),
    'sk-ant-api03-abcdefghijklmnopqrstuvwxyz',
    'gsk_abc',
    'AKIAIOSFODNN7EXAMPLE',
    'm/4f8a91c2d7e3b6a5f0c1',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  ];

  it.each(PROTOCOLS)('%s: what can not be a name, or may be a secret, is left out and counted', (protocol) => {
    const page = read(protocol, wrap(protocol, ['good', ...BAD_IDS, 'good', 'constructor']));
    expect(page?.models.map(({ id }) => id)).toEqual(['good', 'constructor']);
    expect(page?.leftOut).toBe(BAD_IDS.length + 1);
  });

  it.each(PROTOCOLS)('%s: entries of any shape', (protocol) => {
    const entries = [
      null,
      1,
      'x',
      [],
      { id: 'ok', name: 'models/ok' },
      { pricing: 1, architecture: [], capabilities: 'x' },
    ];
    const page = read(protocol, protocol === 'gemini' ? { models: entries } : { data: entries });
    expect(page?.models.map(({ id }) => id)).toEqual(['ok']);
    expect(page?.leftOut).toBe(5);
  });

  it.each(PROTOCOLS)('%s: more than anybody has', (protocol) => {
    const ids = Array.from({ length: MAX_LISTED + 7 }, (_, n) => `m-${n}`);
    const page = read(protocol, wrap(protocol, ids));
    expect(page?.models).toHaveLength(MAX_LISTED);
    expect(page?.leftOut).toBe(7);
  });

  it('in which all names are as long as can be costs no more than a moment', () => {
    const ids = Array.from({ length: MAX_LISTED }, (_, n) => `${n}${'aB3-'.repeat(62)}`);
    const startedAt = performance.now();
    const page = read('openai-chat', wrap('openai-chat', ids));
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(page?.leftOut).toBe(MAX_LISTED - (page?.models.length ?? 0));
  });
});
