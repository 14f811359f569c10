import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/model/content.ts';
import type { CanonicalPrompt, PromptSettings } from '../../core/model/prompt.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { PromptEgress, ReadPrompt } from '../translation.ts';
import { decodeRequest } from './request.ts';
import { translation } from './translation.ts';

const read = (body: object | string): ReadPrompt => {
  const text = typeof body === 'string' ? body : JSON.stringify({ model: 'm', ...body });
  const decoded = decodeRequest(encodeUtf8(text), {});
  return decoded.ok ? translation.readPrompt(decoded.request) : decoded;
};
const prompt = (body: object | string): CanonicalPrompt => {
  const result = read(body);
  if (!result.ok) throw new Error(result.problem.message);
  return result.prompt;
};
const user = (content: unknown): object => ({ messages: [{ role: 'user', content }] });
const partOf = (part: object): unknown => prompt(user([part])).messages[0]?.parts[0];

const EGRESS: PromptEgress = { model: 'm', stream: false, askUsage: false, capabilities: {}, defaults: {} };
const write = (value: Partial<CanonicalPrompt>, egress: Partial<PromptEgress> = {}) => {
  const whole = { messages: [], tools: [], settings: {}, ...value };
  const written = translation.writePrompt(whole, { ...EGRESS, ...egress });
  return { ...written, body: JSON.parse(decodeUtf8(concatBytes(written.body))) };
};
const settings = (set: PromptSettings, egress: Partial<PromptEgress> = {}) => {
  const { body, dropped } = write({ settings: set }, egress);
  const { model: _model, messages: _messages, ...rest } = body;
  return { body: rest, dropped };
};

const CALL = { type: 'tool_call', kind: 'function', id: 'c1', name: 'f', input: '{}' } as const;
const result = (callId: string, ...content: object[]): Message =>
  ({ role: 'tool', parts: [{ type: 'tool_result', kind: 'function', callId, content }] }) as Message;
const said = (text: string) => ({ type: 'text', text }) as const;
const IMAGE = { type: 'image', source: { kind: 'base64', data: 'AA', mediaType: 'image/png' } } as const;

describe('reading', () => {
  it.each([
    [
      { type: 'image_url', image_url: { url: 'https://a' } },
      { type: 'image', source: { kind: 'url', url: 'https://a' } },
    ],
    [
      { type: 'image_url', image_url: 'https://a' },
      { type: 'image', source: { kind: 'url', url: 'https://a' } },
    ],
    [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'high' } },
      { ...IMAGE, detail: 'high' },
    ],
    [
      { type: 'image_url', image_url: { url: 'https://a', detail: 'odd' } },
      {
        type: 'image',
        source: { kind: 'url', url: 'https://a' },
        extensions: { 'openai-chat': { image_url: { detail: 'odd' } } },
      },
    ],
    [
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
      { type: 'audio', source: { kind: 'base64', data: 'AA', mediaType: 'audio/mpeg' } },
    ],
    [
      { type: 'file', file: { file_id: 'f', filename: 'a' } },
      { type: 'file', source: { kind: 'file_id', id: 'f', issuer: 'openai-chat' }, name: 'a' },
    ],
    [
      { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { ...said('x'), cache: { ttl: '1h' } },
    ],
    [
      { type: 'text', text: 'x', cache_control: { type: 'odd' } },
      { ...said('x'), extensions: { 'openai-chat': { cache_control: { type: 'odd' } } } },
    ],
    [
      { type: 'video_url', video_url: {} },
      { type: 'native', protocol: 'openai-chat', what: 'video_url', value: { type: 'video_url', video_url: {} } },
    ],
    [
      { type: 'image_url', image_url: {} },
      { type: 'native', protocol: 'openai-chat', what: 'image_url', value: { type: 'image_url', image_url: {} } },
    ],
  ])('a part %j', (part, expected) => {
    expect(partOf(part)).toEqual(expected);
  });

  it('reads the older calls and results as tools', () => {
    const body = {
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
    };
    expect(prompt(body)).toEqual({
      messages: [
        { role: 'assistant', parts: [{ ...CALL, id: 'call_legacy_0' }] },
        {
          role: 'tool',
          parts: [
            { type: 'tool_result', kind: 'function', callId: 'call_legacy_0', name: 'f', content: [said('done')] },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'f', description: null, parameters: { type: 'object' }, strict: null }],
      settings: { toolChoice: { type: 'tool', kind: 'function', name: 'f' } },
    });
  });

  it('joins results that stand together, and names them by their calls', () => {
    const calls = [1, 2].map((n) => ({ id: `c${n}`, type: 'function', function: { name: `f${n}`, arguments: { n } } }));
    const { messages } = prompt({
      messages: [
        { role: 'assistant', content: '', tool_calls: calls },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        {
          role: 'tool',
          tool_call_id: 'c2',
          content: [{ type: 'text', text: 'two' }],
          cache_control: { type: 'ephemeral' },
        },
      ],
    });
    expect(messages[0]?.parts.map((part) => part.type === 'tool_call' && part.input)).toEqual(['{"n":1}', '{"n":2}']);
    expect(messages.slice(1)).toEqual([
      {
        role: 'tool',
        parts: [
          { type: 'tool_result', kind: 'function', callId: 'c1', name: 'f1', content: [said('one')] },
          {
            type: 'tool_result',
            kind: 'function',
            callId: 'c2',
            name: 'f2',
            content: [said('two')],
            cache: { ttl: null },
          },
        ],
      },
    ]);
  });

  it('reads settings in every spelling, and keeps what it does not know', () => {
    const { settings: set, extensions } = prompt({
      messages: [{ role: 'user' }],
      max_tokens: 5,
      stop: 'x',
      temperature: null,
      reasoning: { effort: 'high', max_tokens: 9, exclude: true, enabled: true },
      tool_choice: 'any',
      stream_options: { include_usage: true, include_obfuscation: false },
      provider: { order: ['a'] },
      verbosity: 3,
    });
    expect(set).toEqual({
      maxOutputTokens: 5,
      stop: ['x'],
      reasoning: { effort: 'high', budgetTokens: 9, show: 'none' },
      toolChoice: { type: 'required' },
    });
    expect(extensions).toEqual({
      'openai-chat': {
        provider: { order: ['a'] },
        verbosity: 3,
        stream_options: { include_obfuscation: false },
        reasoning: { enabled: true },
      },
    });
  });

  it.each([
    [{ messages: [{ role: 'critic', content: 'x' }] }, 'messages[0].role'],
    [user(5), 'messages[0].content'],
    [user(['x']), 'messages[0].content[0]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function' }] }] }, 'messages[0].tool_calls[0]'],
    [{ ...user('x'), tools: [{ type: 'function', name: 'f' }] }, 'tools[0]'],
  ])('says what is wrong with %j', (body, param) => {
    expect(read(body)).toMatchObject({ ok: false, problem: { param } });
  });
});

describe('writing', () => {
  it('puts what a result may not hold behind all results of its turn', () => {
    const parts = [CALL, { ...CALL, id: 'c2' }];
    const messages = [
      { role: 'assistant', parts } as const,
      result('c1', said('see'), IMAGE),
      result('c2', said('two')),
    ];
    expect(write({ messages }).body.messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'see' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] },
    ]);
  });

  it('brings calls of a turn together, and their results behind them', () => {
    const messages: Message[] = [
      { role: 'assistant', parts: [said('I look.'), CALL] },
      { role: 'assistant', parts: [{ ...CALL, id: 'c2' }] },
      result('c1', said('one')),
      { role: 'user', parts: [said('hurry')] },
      result('c2', said('two')),
    ];
    const { body } = write({ messages });
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
    expect(body.messages[0].tool_calls).toHaveLength(2);
    expect(body.messages[0].content).toBe('I look.');
  });

  it('leaves out thoughts that their provider does not want back', () => {
    const state = { issuer: 'openai-chat', value: '{"reasoning_content":null}' } as const;
    const thought = (rest: object) => ({
      messages: [{ role: 'assistant', parts: [{ type: 'reasoning', text: 'hm', ...rest }, said('x')] }] as Message[],
    });
    expect(write(thought({}))).toMatchObject({
      body: { messages: [{ role: 'assistant', content: 'x' }] },
      dropped: ['reasoning'],
    });
    expect(write(thought({ text: '', state: { issuer: 'gemini', value: 's' } })).dropped).toEqual([]);
    expect(write(thought({ state }))).toMatchObject({
      body: { messages: [{ reasoning_content: 'hm', content: 'x' }] },
      dropped: [],
    });
  });

  it.each<[PromptSettings, Partial<PromptEgress>, object, string[]]>([
    [{ maxOutputTokens: 5 }, { model: 'gpt-4o' }, { max_tokens: 5 }, []],
    [{ maxOutputTokens: 5 }, { model: 'openai/o3' }, { max_completion_tokens: 5 }, []],
    [{}, { defaults: { maxOutputTokens: 7, reasoningEffort: 'low' } }, { max_tokens: 7, reasoning_effort: 'low' }, []],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, {}, { stop: ['a', 'b', 'c', 'd'] }, ['stop']],
    [{ topK: 5, temperature: 1 }, {}, { temperature: 1 }, ['topK']],
    [{ toolChoice: { type: 'required' }, parallelToolCalls: false }, {}, {}, ['parallelToolCalls', 'toolChoice']],
    [{ metadata: { a: 'b' } }, {}, {}, ['metadata']],
    [{ serviceTier: 'standard_only' }, {}, { service_tier: 'default' }, []],
    [{ cache: { ttl: null } }, {}, {}, ['cache']],
    [{ cache: { ttl: '1h' } }, { model: 'claude-x' }, { cache_control: { type: 'ephemeral', ttl: '1h' } }, []],
    [
      { cache: { ttl: '1h' } },
      { model: 'claude-x', capabilities: { leaveOut: ['cache_control.ttl'] } },
      { cache_control: { type: 'ephemeral' } },
      [],
    ],
    [{ reasoning: { effort: null, budgetTokens: 5000, show: null } }, {}, { reasoning_effort: 'medium' }, []],
    [{ reasoning: { effort: null, budgetTokens: 0, show: null } }, {}, { reasoning_effort: 'none' }, []],
    [{ reasoning: { effort: null, budgetTokens: -1, show: null } }, { defaults: { reasoningEffort: 'low' } }, {}, []],
    [
      { reasoning: { effort: 'max', budgetTokens: 1, show: 'auto' } },
      {},
      { reasoning_effort: 'max' },
      ['reasoning.show'],
    ],
    [
      { reasoning: { effort: 'low', budgetTokens: null, show: null } },
      { capabilities: { reasoningEffort: false } },
      {},
      ['reasoning'],
    ],
    [
      { responseFormat: { type: 'json_schema', name: null, description: null, schema: {}, strict: null } },
      {},
      { response_format: { type: 'json_schema', json_schema: { name: 'output', schema: {} } } },
      [],
    ],
  ])('settings %j for %j', (set, egress, body, dropped) => {
    expect(settings(set, egress)).toEqual({ body, dropped });
  });

  it('names what it can not say, each once, and no values', () => {
    const foreign = { extensions: { gemini: { safetySettings: 'secret' } } } as const;
    const citation = { url: 'u', title: null, citedText: null, start: null, end: null, source: null };
    const parts = [
      { ...said('a'), cache: { ttl: null }, ...foreign },
      { ...said('b'), cache: { ttl: null }, citations: [citation] },
    ];
    const failed = {
      ...result('c9'),
      parts: [{ type: 'tool_result', kind: 'function', callId: 'c9', content: [], isError: true }],
    } as Message;
    const { dropped } = write({ messages: [{ role: 'user', parts }, failed], ...foreign });
    expect([...dropped].toSorted()).toEqual(['cache', 'citations', 'isError', 'safetySettings']);
  });

  it('puts what nobody knows back to where it stood', () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://a', detail: 'odd' }, x: 1 }];
    const tools = [{ type: 'function', function: { name: 'f', x: { y: 1 } }, z: 2 }];
    const body = { model: 'm', messages: [{ role: 'user', content, x: 1 }], tools, provider: { order: ['a'] } };
    expect(write(prompt(body)).body).toEqual(body);
  });

  it('takes a token for members of a message only where it is made of them', () => {
    const state = { issuer: 'openai-chat', value: '{"tool_calls":[1]}' } as const;
    const messages: Message[] = [{ role: 'assistant', parts: [{ type: 'reasoning', text: '', state }] }];
    const details = [{ type: 'reasoning.encrypted', data: state.value }];
    expect(write({ messages }).body.messages).toEqual([
      { role: 'assistant', content: null, reasoning_details: details },
    ]);
  });

  it('names a result where no call of that name is', () => {
    const of = (name: string): Message[] => [
      { role: 'assistant', parts: [CALL] },
      { role: 'tool', parts: [{ type: 'tool_result', kind: 'function', callId: 'c1', name, content: [] }] },
    ];
    expect(write({ messages: of('f') }).body.messages[1]).toEqual({ role: 'tool', tool_call_id: 'c1', content: '' });
    expect(write({ messages: of('g') }).body.messages[1]).toMatchObject({ name: 'g' });
  });

  it('asks for usage and names roles as the target takes them', () => {
    const messages: Message[] = [{ role: 'developer', parts: [said('x')] }];
    const asked = { stream: true, askUsage: true } as const;
    expect(write({ messages }, asked).body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(write({ messages }).body).toEqual({ model: 'm', messages: [{ role: 'developer', content: 'x' }] });
    const old = write({ messages }, { ...asked, capabilities: { developerRole: false, streamUsage: false } });
    expect(old.body).toEqual({ model: 'm', messages: [{ role: 'system', content: 'x' }], stream: true });
    expect(old).toMatchObject({ path: '/chat/completions', headers: { accept: 'text/event-stream' } });
  });
});

describe('requests of real clients', () => {
  // In the shapes that coding agents, command lines and libraries send in their first turns.
  const FN = (n: number) => ({
    type: 'function',
    function: {
      name: `t${n}`,
      description: 'd',
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
    },
  });
  const TEXT = [{ type: 'text', text: 'hi' }];
  it.each<[string, object]>([
    ['library', { messages: [{ role: 'user', content: 'hi' }], tools: [FN(1)] }],
    [
      'agent',
      {
        max_tokens: 8000,
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b' },
        ],
        tools: [FN(1), FN(2)],
        tool_choice: 'auto',
      },
    ],
    [
      'agent with parts',
      {
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: TEXT },
        ],
        store: false,
        max_completion_tokens: 16384,
        tools: [FN(1)],
      },
    ],
    [
      'agent with turns',
      {
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: TEXT },
          { role: 'assistant', content: 'x' },
          { role: 'user', content: TEXT },
        ],
        tools: [FN(1)],
        max_tokens: 8000,
      },
    ],
    [
      'sampling',
      {
        temperature: 0,
        top_p: 0.95,
        frequency_penalty: 0,
        presence_penalty: 0,
        messages: [{ role: 'user', content: 'x' }],
      },
    ],
  ])('%s', (_name, body) => {
    const once = prompt({ ...body, stream: true, stream_options: { include_usage: true } });
    const written = write(once, { model: 'm', stream: true, askUsage: true });
    expect(written.dropped).toEqual([]);
    const meant = JSON.parse(
      JSON.stringify(body).replaceAll(JSON.stringify(TEXT), '"hi"').replace('max_completion_tokens', 'max_tokens'),
    );
    expect(written.body).toEqual({ model: 'm', ...meant, stream: true, stream_options: { include_usage: true } });
    expect(prompt(JSON.stringify(written.body))).toEqual(once);
  });
});
