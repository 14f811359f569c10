import { describe, expect, it } from 'vitest';
import { write } from '../../../test/kit/gemini-prompt.ts';
import type { Message } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { lacks } from './lacks.ts';

const HI: Message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] };
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

describe('writing', () => {
  const contents = (messages: readonly Message[], model = 'gemini-3-flash') =>
    write({ messages }, { model }).body['contents'];
  const call = (id: string, input = '{}'): Message => ({
    role: 'assistant',
    parts: [{ type: 'tool_call', kind: 'function', id, name: 'f', input }],
  });
  const result = (callId: string, text: string): Message => ({
    role: 'tool',
    parts: [{ type: 'tool_result', kind: 'function', callId, content: [{ type: 'text', text }] }],
  });

  it('calls and results that were told one by one are one turn, and words around results stay with them', () => {
    expect(
      contents([HI, call('a'), call('b'), result('a', '1'), result('b', '{"x":1}'), user('next'), user('more')]),
    ).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'skip_thought_signature_validator' },
          { functionCall: { id: 'b', name: 'f', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f', response: { output: '1' } } },
          { functionResponse: { id: 'b', name: 'f', response: { x: 1 } } },
          { text: 'next' },
        ],
      },
      { role: 'user', parts: [{ text: 'more' }] },
    ]);
  });

  it.each([
    ['{"x":1}', { x: 1 }],
    ['{ "x": 1 }', { output: '{ "x": 1 }' }],
    ['{"output":"x"}', { output: '{"output":"x"}' }],
    ['{"error":1}', { output: '{"error":1}' }],
    ['{', { output: '{' }],
    ['[1]', { output: '[1]' }],
  ])('the result %s', (text, response) => {
    expect(contents([result('a', text)])).toEqual([
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'a', response } }] },
    ]);
  });

  it.each([
    ['gemini-3-pro-preview', true],
    ['gemini-flash-latest', true],
    ['gemini-2.5-pro', false],
    ['models/gemini-2.0-flash', false],
  ])('%s looks for signatures: %s', (model, isWanted) => {
    const [, turn] = contents([HI, call('a')], model) as { parts: { thoughtSignature?: string }[] }[];
    expect(turn?.parts[0]?.thoughtSignature !== undefined).toBe(isWanted);
  });

  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":', { input: '{"a":' }],
    ['[1]', { input: '[1]' }],
    ['12345678901234567890', { input: '12345678901234567890' }],
  ])('arguments %j', (input, args) => {
    expect(contents([call('a', input)], 'gemini-2.5-pro')).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f', args } }] },
    ]);
  });

  it("system text ahead has its place; in the middle it is the user's, and alone as well", () => {
    const note: Message = { role: 'developer', parts: [{ type: 'text', text: 'note' }] };
    expect(write({ messages: [note, { ...note, role: 'system' }, HI, note] }).body).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'user', parts: [{ text: 'note' }] },
      ],
      systemInstruction: { parts: [{ text: 'note' }, { text: 'note' }] },
    });
    expect(write({ messages: [note] }).body).toEqual({ contents: [{ role: 'user', parts: [{ text: 'note' }] }] });
  });

  it('thoughts of others without their state', () => {
    const thought: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'so', state: { issuer: 'anthropic-messages', value: 'S' } },
        { type: 'reasoning', text: '', state: { issuer: 'openai-responses', value: 'S' } },
        { type: 'text', text: 'x' },
      ],
    };
    expect(contents([HI, thought])).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'so', thought: true }, { text: 'x' }] },
    ]);
  });

  it('media, wherever they are', () => {
    const url = (path: string) => ({ kind: 'url' as const, url: path });
    const parts: Message['parts'] = [
      { type: 'image', source: url('data:image/png;base64,AAAA') },
      { type: 'image', source: url('https://x.org/a.webp?b'), detail: 'high' },
      { type: 'image', source: url('https://x.org/a') },
      { type: 'file', source: { kind: 'text', text: 'plain' }, name: 'n.txt' },
      { type: 'refusal', text: 'no' },
    ];
    const { body, dropped } = write({ messages: [{ role: 'user', parts }] });
    expect(body['contents']).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { fileData: { mimeType: 'image/webp', fileUri: 'https://x.org/a.webp?b' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://x.org/a' } },
          { text: 'plain' },
          { text: 'no' },
        ],
      },
    ]);
    expect(dropped).toEqual(['detail', 'name']);
  });

  it.each([
    [
      'gemini-3-flash',
      {
        functionResponse: {
          id: 'a',
          name: 'f',
          response: {},
          parts: [{ inlineData: { mimeType: 'image/png', data: 'A' } }],
        },
      },
      [],
    ],
    [
      'gemini-2.5-pro',
      { functionResponse: { id: 'a', name: 'f', response: {} } },
      [{ inlineData: { mimeType: 'image/png', data: 'A' } }],
    ],
  ])('pictures in results for %s', (model, first, rest) => {
    const image = { type: 'image' as const, source: { kind: 'base64' as const, data: 'A', mediaType: 'image/png' } };
    const seen: Message = {
      role: 'tool',
      parts: [{ type: 'tool_result', kind: 'function', callId: 'a', content: [image] }],
    };
    const [, , last] = contents([HI, call('a'), seen], model) as { parts: unknown[] }[];
    expect(last?.parts).toEqual([first, ...rest]);
  });

  it("settings, and what can't be said of them", () => {
    const { body, dropped } = write({
      messages: [HI],
      settings: {
        stop: ['1', '2', '3', '4', '5', '6'],
        n: 2,
        logitBias: { a: 1 },
        minP: 0.1,
        parallelToolCalls: false,
        serviceTier: 'scale',
        userId: 'u',
        modalities: ['text', 'audio'],
        responseFormat: { type: 'json_schema', name: 'n', description: 'd', schema: { type: 'object' }, strict: true },
        toolChoice: { type: 'native', protocol: 'openai-chat', value: {} },
      },
      extensions: { 'openai-chat': { web_search_options: {} } },
    });
    expect(body['generationConfig']).toEqual({
      candidateCount: 2,
      stopSequences: ['1', '2', '3', '4', '5'],
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
      responseModalities: ['TEXT', 'AUDIO'],
    });
    expect(dropped.toSorted()).toEqual([
      'logitBias',
      'minP',
      'parallelToolCalls',
      'serviceTier',
      'stop',
      'toolChoice',
      'userId',
      'web_search_options',
    ]);
  });

  it.each([
    [
      'gemini-2.5-flash',
      { effort: 'high', budgetTokens: null, show: 'detailed' },
      { thinkingBudget: 24_576, includeThoughts: true },
    ],
    [
      'gemini-2.5-flash',
      { effort: 'low', budgetTokens: 2000, show: 'none' },
      { thinkingBudget: 2000, includeThoughts: false },
    ],
    ['gemini-3-flash', { effort: 'low', budgetTokens: 2000, show: null }, { thinkingLevel: 'LOW' }],
    ['gemini-3-flash', { effort: null, budgetTokens: 2000, show: null }, { thinkingBudget: 2000 }],
    ['gemini-2.5-flash', { effort: null, budgetTokens: null, isAdaptive: true, show: null }, { thinkingBudget: -1 }],
    ['gemini-3-flash', { effort: null, budgetTokens: null, isAdaptive: true, show: null }, undefined],
  ] as const)('thinking of %s: %j', (model, reasoning, thinkingConfig) => {
    const { body } = write({ messages: [HI], settings: { reasoning } }, { model });
    expect((body['generationConfig'] as { thinkingConfig?: unknown } | undefined)?.thinkingConfig).toEqual(
      thinkingConfig,
    );
  });

  it('defaults of the target for what is left open', () => {
    const defaults = { reasoningEffort: 'low', maxOutputTokens: 7 };
    expect(write({ messages: [HI] }, { defaults }).body['generationConfig']).toEqual({
      maxOutputTokens: 7,
      thinkingConfig: { thinkingLevel: 'LOW' },
    });
    const settings = { maxOutputTokens: 5, reasoning: { effort: 'high', budgetTokens: null, show: null } } as const;
    expect(write({ messages: [HI], settings }, { defaults }).body['generationConfig']).toEqual({
      maxOutputTokens: 5,
      thinkingConfig: { thinkingLevel: 'HIGH' },
    });
  });

  it('path and headers', () => {
    const { path, headers } = write({ messages: [HI] }, { stream: true, headers: { traceparent: 't' } });
    expect(path).toBe('/models/gemini-3-flash:streamGenerateContent?alt=sse');
    expect(headers).toMatchObject({ traceparent: 't', accept: 'text/event-stream' });
  });

  const search = {
    type: 'server',
    what: 'web_search',
    protocol: 'openai-responses',
    value: { type: 'web_search' },
  } as const;
  const fn = {
    type: 'function',
    name: 'f',
    description: null,
    parameters: null,
    strict: true,
    cache: { ttl: null },
  } as const;

  it.each([
    ['gemini-2.5-pro', [search], [{ googleSearch: {} }], []],
    ['gemini-2.5-pro', [fn, search], [{ functionDeclarations: [{ name: 'f' }] }], ['web_search', 'cache', 'strict']],
    [
      'gemini-3-flash',
      [fn, search],
      [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
      ['cache', 'strict'],
    ],
  ])('tools that the provider runs, for %s', (model, tools, written, names) => {
    const { body, dropped } = write({ messages: [HI], tools }, { model });
    expect(body['tools']).toEqual(written);
    expect(dropped).toEqual(names);
  });
});

describe("what can't be said", () => {
  const custom = { type: 'custom', name: 'c', description: null, grammar: null } as const;
  const mcp = { type: 'server', what: 'mcp', protocol: 'anthropic-messages', value: {} } as const;

  it.each([
    [{ tools: [custom] }, ['custom tools']],
    [{ tools: [mcp] }, ['server tools']],
    // The client runs it, in a form of its own protocol.
    [{ tools: [{ ...mcp, what: 'bash' }] }, ['server tools']],
    [
      {
        tools: [
          { ...mcp, what: 'web_search' },
          { ...mcp, protocol: 'gemini' as const },
        ],
      },
      [],
    ],
    [
      {
        tools: [
          { type: 'function', name: 'f', namespace: 'n', description: null, parameters: null, strict: null } as const,
        ],
      },
      ['tool namespaces'],
    ],
    [
      {
        messages: [
          { role: 'user', parts: [{ type: 'file', source: { kind: 'file_id', id: 'f', issuer: 'openai-chat' } }] },
        ],
      },
      ['files by id'],
    ],
    [{ messages: [{ role: 'user', parts: [{ type: 'image', source: { kind: 'url', url: 'https://x.org/a' } }] }] }, []],
    [
      {
        messages: [
          { role: 'assistant', parts: [{ type: 'native', protocol: 'openai-responses', what: 'w', value: 1 }] },
        ],
      },
      ['unknown content'],
    ],
    [
      {
        messages: [
          { role: 'assistant', parts: [{ type: 'tool_call', kind: 'custom', id: 'i', name: 'n', input: '' }] },
        ],
      },
      ['custom tools'],
    ],
  ] satisfies readonly (readonly [Partial<CanonicalPrompt>, readonly string[]])[])('%j', (prompt, found) => {
    expect(lacks({ messages: [], tools: [], settings: {}, ...prompt })).toEqual(found);
  });
});
