import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../core/model/content.ts';
import type { CanonicalPrompt, PromptSettings, Reasoning } from '../../core/model/prompt.ts';
import type { FunctionTool, ToolDefinition } from '../../core/model/tool.ts';
import { concatBytes, decodeUtf8 } from '../json/index.ts';
import type { PromptEgress } from '../translation.ts';
import { writePrompt } from './prompt-encode.ts';

type Json = Record<string, unknown>;

const text = (words: string): Part => ({ type: 'text', text: words });
const said = (role: Message['role'], ...words: string[]): Message => ({ role, parts: words.map(text) });
const call = (id: string, input = '{}'): Part => ({ type: 'tool_call', kind: 'function', id, name: 'f', input });
const result = (callId: string): Part => ({ type: 'tool_result', kind: 'function', callId, content: [] });
const HI = said('user', 'hi');
const TOOL: FunctionTool = {
  type: 'function',
  name: 'f',
  description: null,
  parameters: { type: 'object' },
  strict: null,
};

type Options = Partial<PromptEgress> & Partial<CanonicalPrompt>;

function write(options: Options): { readonly body: Json; readonly dropped: readonly string[] } {
  const { messages = [HI], tools = [], settings = {}, extensions, ...egress } = options;
  const prompt = { messages, tools, settings, ...(extensions === undefined ? {} : { extensions }) };
  const written = writePrompt(prompt, {
    model: 'claude-opus-4-8',
    stream: false,
    askUsage: true,
    capabilities: {},
    defaults: {},
    ...egress,
  });
  return { body: JSON.parse(decodeUtf8(concatBytes(written.body))) as Json, dropped: written.dropped };
}

/** Turns in short: the role, and the types of its blocks or the words of its texts. */
const turns = (messages: readonly Message[], model?: string): readonly string[] =>
  (
    write({ messages, ...(model === undefined ? {} : { model }) }).body['messages'] as {
      role: string;
      content: Json[];
    }[]
  ).map(
    ({ role, content }) =>
      `${role}: ${content.map(({ type, text: words, id, tool_use_id: of }) => words ?? id ?? of ?? type).join(' ')}`,
  );

describe('turns', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['neighbours of one role are one', [HI, said('user', 'b'), said('assistant', 'c')], ['user: hi b', 'assistant: c']],
    ['the user begins', [said('assistant', 'a'), HI], ['user: …', 'assistant: a', 'user: hi']],
    ['someone speaks', [said('system', 's')], ['user: …']],
    ['blank texts are left out', [said('user', 'a', ' ', ''), said('assistant', '\n'), HI], ['user: a hi']],
    ['a prefill ends without white space', [HI, said('assistant', 'a', 'b \n')], ['user: hi', 'assistant: a b']],
    [
      'results come first, those of all calls in one turn',
      [
        HI,
        { role: 'assistant', parts: [call('1'), call('2')] },
        { role: 'tool', parts: [result('1')] },
        said('user', 'u'),
        { role: 'tool', parts: [result('2')] },
      ],
      ['user: hi', 'assistant: 1 2', 'user: 1 2 u'],
    ],
    [
      'a result that came late stands behind its call',
      [
        HI,
        { role: 'assistant', parts: [call('1')] },
        said('user', 'u'),
        said('assistant', 'a'),
        { role: 'tool', parts: [result('1')] },
      ],
      ['user: hi', 'assistant: 1', 'user: 1 u', 'assistant: a'],
    ],
    [
      'but not the result of another call with the same id',
      [
        HI,
        { role: 'assistant', parts: [call('1')] },
        HI,
        { role: 'assistant', parts: [call('1')] },
        { role: 'tool', parts: [result('1')] },
      ],
      ['user: hi', 'assistant: 1', 'user: hi', 'assistant: 1', 'user: 1'],
    ],
  ])('%s', (_what, messages, expected) => {
    expect(turns(messages)).toEqual(expected);
  });

  it('begin with their instructions in "system"', () => {
    const { body } = write({ messages: [said('system', 'a'), said('developer', 'b'), HI] });
    expect(body['system']).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  const late: readonly Message[] = [HI, said('developer', 'd'), said('assistant', 'a')];
  const TAGGED = 'user: hi <system-reminder>\nd\n</system-reminder>';

  it.each([
    ['claude-opus-4-8', late, ['user: hi', 'system: d', 'assistant: a']],
    [
      'claude-opus-4-8',
      [said('assistant', 'a'), ...late.slice(1, 2), HI],
      ['user: …', 'assistant: a', 'user: <system-reminder>\nd\n</system-reminder> hi'],
    ],
    ['claude-opus-4-8', [HI, late[1] as Message, said('user', 'b')], [`${TAGGED} b`]],
    ['claude-opus-4-8', late.slice(0, 2), ['user: hi', 'system: d']],
    ['claude-opus-4-7', late, [TAGGED, 'assistant: a']],
    ['us.anthropic.claude-opus-4-8', late, [TAGGED, 'assistant: a']],
    ['novel', late, [TAGGED, 'assistant: a']],
  ])('tell later ones to %s where that takes them', (model, messages, expected) => {
    expect(turns(messages, model)).toEqual(expected);
  });

  it('keep a broken input as a text', () => {
    const { body } = write({
      messages: [HI, { role: 'assistant', parts: [call('1', '{"a":'), call('2', ' '), call('3', '[1]')] }],
    });
    expect((body['messages'] as { content: Json[] }[])[1]?.content.map(({ input }) => input)).toEqual([
      { input: '{"a":' },
      {},
      { input: '[1]' },
    ]);
  });

  it('hold no thoughts that nobody signed, nor those of others', () => {
    const parts: Part[] = [
      { type: 'reasoning', text: 't' },
      { type: 'reasoning', text: '', state: { issuer: 'openai-responses', value: 'x' } },
      { type: 'reasoning', text: '', summary: ['a', 'b'], state: { issuer: 'anthropic-messages', value: 'S' } },
      text('said'),
    ];
    const { body, dropped } = write({ messages: [HI, { role: 'assistant', parts }] });
    expect((body['messages'] as Json[])[1]?.['content']).toEqual([
      { type: 'thinking', thinking: 'a\n\nb', signature: 'S' },
      { type: 'text', text: 'said' },
    ]);
    expect(dropped).toEqual(['reasoning']);
  });

  it('reads a document that is text', () => {
    const parts: Part[] = [
      { type: 'file', source: { kind: 'base64', data: 'w7w=', mediaType: 'text/plain' }, name: 'a.txt' },
    ];
    expect(write({ messages: [{ role: 'user', parts }] }).body['messages']).toEqual([
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'ü' }, title: 'a.txt' }],
      },
    ]);
  });

  it('name what is not said, by members and extensions', () => {
    const foreign = { url: 'https://x.test', title: null, citedText: null, start: 0, end: 1, source: null };
    const { dropped } = write({
      messages: [
        {
          role: 'user',
          name: 'n',
          parts: [
            { type: 'text', text: 't', citations: [foreign], extensions: { 'openai-chat': { novel: 1 } } },
            { type: 'image', source: { kind: 'url', url: 'u' }, detail: 'low' },
            { type: 'native', protocol: 'gemini', what: 'executableCode', value: {} },
          ],
        },
      ],
      extensions: { 'openai-responses': { include: [] } },
    });
    expect([...dropped].sort()).toEqual(['citations', 'detail', 'executableCode', 'include', 'name', 'novel']);
  });
});

const reason = (given: Partial<Reasoning>): Reasoning => ({ effort: null, budgetTokens: null, show: null, ...given });
const LOOP: readonly Message[] = [
  HI,
  { role: 'assistant', parts: [call('1')] },
  { role: 'tool', parts: [result('1')] },
];

describe('thinking', () => {
  const ask = (model: string, given: Partial<Reasoning>, more: Options = {}): readonly unknown[] => {
    const settings = { ...more.settings, reasoning: reason(given) };
    const { body, dropped } = write({ ...more, model, settings });
    return [body['thinking'] ?? null, body['output_config'] ?? null, dropped.includes('reasoning')];
  };

  it.each<[string, Partial<Reasoning>, readonly unknown[]]>([
    ['claude-opus-4-8', { effort: 'minimal' }, [{ type: 'adaptive' }, { effort: 'low' }, false]],
    [
      'claude-opus-4-8',
      { budgetTokens: 9000, show: 'full' },
      [{ type: 'adaptive', display: 'summarized' }, { effort: 'high' }, false],
    ],
    ['claude-opus-4-8', { budgetTokens: -1 }, [{ type: 'adaptive' }, null, false]],
    ['claude-opus-4-8', { budgetTokens: 0 }, [{ type: 'disabled' }, null, false]],
    ['claude-opus-4-8', { effort: 'low', isAdaptive: false }, [null, { effort: 'low' }, false]],
    ['claude-sonnet-5-5', { effort: 'none' }, [{ type: 'between_tools' }, null, false]],
    ['claude-opus-5-5', { effort: 'none' }, [null, { effort: 'low' }, true]],
    ['claude-opus-4-6', { effort: 'xhigh' }, [{ type: 'adaptive' }, { effort: 'high' }, false]],
    ['claude-sonnet-4-5', { effort: 'medium' }, [{ type: 'enabled', budget_tokens: 8192 }, null, false]],
    ['claude-sonnet-4-5', { isAdaptive: true }, [{ type: 'enabled', budget_tokens: 16_384 }, null, false]],
    ['claude-sonnet-4-5', { show: 'auto' }, [null, null, true]],
    ['claude-3-5-haiku-latest', { effort: 'high' }, [null, null, true]],
    ['novel', { effort: 'high' }, [{ type: 'enabled', budget_tokens: 6553 }, { effort: 'high' }, false]],
  ])('%s, asked for %j', (model, given, expected) => {
    expect(ask(model, given)).toEqual(expected);
  });

  it('leaves a limit room for the answer', () => {
    const at = (maxOutputTokens: number): unknown =>
      ask('claude-sonnet-4-5', { effort: 'high' }, { settings: { maxOutputTokens } })[0];
    expect([at(10_000), at(1100), at(1024)]).toEqual([
      { type: 'enabled', budget_tokens: 8000 },
      { type: 'enabled', budget_tokens: 1024 },
      null,
    ]);
    const { body } = write({ model: 'claude-sonnet-4-5', settings: { reasoning: reason({ budgetTokens: 20_000 }) } });
    expect(body['max_tokens']).toBe(52_000);
  });

  it('is off while a tool is demanded, where both are refused', () => {
    const more: Options = { tools: [TOOL], settings: { toolChoice: { type: 'required' } } };
    expect(ask('claude-sonnet-4-5', { effort: 'high' }, more)).toEqual([null, null, true]);
    expect(ask('claude-opus-4-8', { effort: 'high' }, more)[0]).toEqual({ type: 'adaptive' });
  });

  it('is off with a budget in a loop of calls without signed thoughts', () => {
    const signed: Part = { type: 'reasoning', text: '', state: { issuer: 'anthropic-messages', value: 'S' } };
    const withThoughts = LOOP.map((each) =>
      each.role === 'assistant' ? { ...each, parts: [signed, ...each.parts] } : each,
    );
    const asked = { effort: 'low' } as const;
    expect(ask('claude-sonnet-4-5', asked, { messages: LOOP })).toEqual([null, null, true]);
    expect(ask('claude-sonnet-4-5', asked, { messages: withThoughts })[0]).toEqual({
      type: 'enabled',
      budget_tokens: 4096,
    });
    expect(ask('claude-sonnet-4-5', asked, { messages: [...LOOP, HI] })[0]).toBeNull();
    expect(ask('claude-sonnet-4-5', asked, { messages: [...LOOP, said('assistant', 'a'), HI] })[0]).not.toBeNull();
    expect(ask('claude-opus-4-6', { budgetTokens: 4000 }, { messages: LOOP })[0]).toEqual({ type: 'adaptive' });
  });

  it('follows the configuration where nothing was said', () => {
    const { body, dropped } = write({ defaults: { reasoningEffort: 'high', maxOutputTokens: 77 } });
    expect(body).toMatchObject({ max_tokens: 77, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
    expect(dropped).toEqual([]);
  });
});

describe('settings', () => {
  const set = (settings: PromptSettings, model = 'claude-sonnet-4-5'): readonly unknown[] => {
    const { body, dropped } = write({ model, settings: { maxOutputTokens: 9, ...settings } });
    const { model: _model, messages: _messages, max_tokens: _max, ...rest } = body;
    return [rest, dropped];
  };

  it.each<[PromptSettings, string, Json, readonly string[]]>([
    [{ temperature: 1.7 }, 'claude-sonnet-4-5', { temperature: 1 }, ['temperature']],
    [{ temperature: 0, topP: 0.5, topK: 3 }, 'claude-sonnet-4-5', { temperature: 0, top_k: 3 }, ['topP']],
    [{ temperature: 0, topP: 0.5 }, 'novel', { temperature: 0, top_p: 0.5 }, []],
    [{ temperature: 0, topP: 0.5, topK: 3 }, 'claude-opus-4-8', {}, ['temperature', 'topP', 'topK']],
    [{ stop: ['\n', 'END'] }, 'novel', { stop_sequences: ['END'] }, ['stop']],
    [{ n: 1, logprobs: false, modalities: ['text'], frequencyPenalty: 0 }, 'novel', {}, []],
    [
      { seed: 1, logitBias: {}, metadata: { a: 'b' }, verbosity: 'low', store: false },
      'novel',
      {},
      ['seed', 'logitBias', 'verbosity', 'metadata', 'store'],
    ],
    [{ serviceTier: 'default' }, 'novel', { service_tier: 'standard_only' }, []],
    [{ serviceTier: 'flex' }, 'novel', {}, ['serviceTier']],
    [{ safetyId: 's' }, 'novel', { metadata: { user_id: 's' } }, []],
    [{ safetyId: 's', userId: 'u' }, 'novel', { metadata: { user_id: 'u' } }, ['safetyId']],
    [{ responseFormat: { type: 'json_object' } }, 'novel', {}, ['responseFormat']],
    [{ responseFormat: { type: 'text' }, parallelToolCalls: true }, 'novel', {}, []],
    [{ toolChoice: { type: 'required' } }, 'novel', {}, ['toolChoice']],
  ])('%j for %s', (settings, model, body, dropped) => {
    expect(set(settings, model)).toEqual([body, dropped]);
  });

  it('have a temperature of 1 while it thinks', () => {
    const reasoning = reason({ budgetTokens: 2000 });
    const settings = { maxOutputTokens: 9000, reasoning, temperature: 0.2, topP: 0.97, topK: 4 };
    const { body, dropped } = write({ model: 'claude-sonnet-4-5', settings });
    expect([body['temperature'], body['top_p'], body['top_k'], dropped]).toEqual([
      undefined,
      0.97,
      undefined,
      ['temperature', 'topK'],
    ]);
  });

  it('close the objects of a schema', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'object', properties: {} }, b: { type: 'array', items: { type: 'object' } } },
    };
    const responseFormat = { type: 'json_schema', name: 'n', description: 'd', schema, strict: true } as const;
    expect(write({ settings: { responseFormat } }).body['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          description: 'd',
          additionalProperties: false,
          properties: {
            a: { type: 'object', properties: {}, additionalProperties: false },
            b: { type: 'array', items: { type: 'object', additionalProperties: false } },
          },
        },
      },
    });
  });

  it.each([
    ['claude-opus-5', 32_000],
    ['claude-3-haiku-20240307', 4096],
    ['anthropic/claude-opus-4.1', 32_000],
    ['novel', 8192],
  ])('have a limit for %s', (model, limit) => {
    expect(write({ model }).body['max_tokens']).toBe(limit);
  });

  it('leave out what the target refuses', () => {
    const { body } = write({
      settings: { userId: 'u', cache: { ttl: '1h' }, reasoning: reason({ effort: 'low' }) },
      capabilities: { leaveOut: ['metadata', 'cache_control.ttl', 'output_config.effort'] },
    });
    expect(body).toMatchObject({ cache_control: { type: 'ephemeral' }, thinking: { type: 'adaptive' } });
    expect(Object.keys(body)).not.toContain('metadata');
    expect(Object.keys(body)).not.toContain('output_config');
  });
});

describe('tools', () => {
  const other: FunctionTool = { ...TOOL, name: 'g', parameters: null };
  const search: ToolDefinition = {
    type: 'server',
    what: 'web_search',
    protocol: 'openai-responses',
    value: { type: 'web_search', filters: { allowed_domains: ['x.test'] } },
  };

  it('are those that may be called, where only some may', () => {
    const toolChoice = { type: 'allowed', mode: 'required', names: ['g'] } as const;
    const { body } = write({ tools: [TOOL, other], settings: { toolChoice, parallelToolCalls: false } });
    expect(body['tools']).toEqual([{ name: 'g', input_schema: { type: 'object' } }]);
    expect(body['tool_choice']).toEqual({ type: 'any', disable_parallel_tool_use: true });
  });

  it('have twins here', () => {
    expect(write({ tools: [search] }).body['tools']).toEqual([
      { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['x.test'] },
    ]);
    const { body, dropped } = write({
      tools: [{ ...search, what: 'file_search' }],
      settings: { toolChoice: { type: 'auto' } },
    });
    expect([body['tools'], body['tool_choice'], dropped]).toEqual([undefined, undefined, ['file_search']]);
  });

  it('are told one by one', () => {
    const { body } = write({ tools: [TOOL], settings: { parallelToolCalls: false } });
    expect(body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true });
  });
});
