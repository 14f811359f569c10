import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { concatBytes, decodeUtf8 } from '../json/index.ts';
import type { PromptEgress } from '../translation.ts';
import { translation } from './translation.ts';

const EGRESS: PromptEgress = { model: 'up', stream: true, askUsage: false, capabilities: {}, defaults: {} };

const write = (prompt: CanonicalPrompt, egress: Partial<PromptEgress> = {}) => {
  const { body, dropped } = translation.writePrompt(prompt, { ...EGRESS, ...egress });
  return { body: JSON.parse(decodeUtf8(concatBytes(body))) as Record<string, unknown>, dropped };
};

/** A prompt as another protocol's reader would make it. */
const foreign = (prompt: Partial<CanonicalPrompt>): CanonicalPrompt => ({
  messages: [],
  tools: [],
  settings: {},
  ...prompt,
});
const user = (...parts: Part[]): Message => ({ role: 'user', parts });
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts });

describe('prompts of other protocols', () => {
  const signed = { issuer: 'anthropic-messages', value: 'sig' } as const;
  const sealed = { issuer: 'openai-responses', value: '{"id":"rs_9","encrypted_content":"z"}' } as const;

  it('are asked for without being kept, and only of a model that may think with its thoughts', () => {
    const included = ['reasoning.encrypted_content'];
    const ask = (prompt: Partial<CanonicalPrompt>, egress: Partial<PromptEgress> = {}): unknown =>
      write(foreign(prompt), egress).body['include'];
    expect(write(foreign({})).body).toEqual({
      model: 'up',
      input: [{ type: 'message', role: 'user', content: '' }],
      store: false,
      stream: true,
    });
    expect(write(foreign({ settings: { store: true } })).body['store']).toBe(true);
    const effort = (word: 'none' | 'low') => ({
      settings: { reasoning: { effort: word, budgetTokens: null, show: null } },
    });
    expect(ask(effort('low'))).toEqual(included);
    expect(ask(effort('none'), { model: 'gpt-5' })).toBeUndefined();
    expect(ask({ messages: [assistant({ type: 'reasoning', text: '', state: sealed })] })).toEqual(included);
    for (const model of ['gpt-5.5', 'openai/o4-mini', 'gpt-6.2-sol', 'codex-mini-latest'])
      expect(ask({}, { model })).toEqual(included);
    for (const model of ['gpt-4o', 'gpt-4.1', 'gpt-5-chat-latest']) expect(ask({}, { model })).toBeUndefined();
    expect(ask({}, { capabilities: { reasoningEffort: true } })).toEqual(included);
    expect(ask(effort('low'), { capabilities: { reasoningEffort: false } })).toBeUndefined();
  });

  it('say what they can, and name the rest once', () => {
    const { body, dropped } = write(
      foreign({
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'be', cache: { ttl: '5m' } }] },
          { role: 'developer', parts: [{ type: 'text', text: 'dev' }] },
          { ...user({ type: 'file', source: { kind: 'text', text: 'doc' }, name: 'n.txt' }), name: 'bob' },
          user({ type: 'file', source: { kind: 'base64', data: 'AA==', mediaType: 'application/pdf' } }),
          assistant(
            { type: 'reasoning', text: 'hm', state: signed },
            { type: 'reasoning', text: '', summary: ['s'], state: sealed },
            {
              type: 'text',
              text: 'a',
              citations: [{ url: 'u', title: null, citedText: 'c', start: null, end: null, source: null }],
            },
            { type: 'tool_call', kind: 'function', id: 'toolu_1', name: 'f', input: '{}', state: signed },
            { type: 'native', protocol: 'anthropic-messages', what: 'server_tool_use', value: {} },
          ),
          {
            role: 'tool',
            parts: [
              {
                type: 'tool_result',
                kind: 'function',
                callId: 'toolu_1',
                content: [{ type: 'text', text: 'no' }],
                isError: true,
              },
            ],
          },
        ],
        tools: [
          {
            type: 'function',
            name: 'f',
            description: null,
            parameters: null,
            strict: null,
            extensions: { 'anthropic-messages': { defer_loading: true } },
          },
          {
            type: 'server',
            what: 'web_search',
            protocol: 'anthropic-messages',
            value: { type: 'web_search_20250305', name: 'web_search', max_uses: 3, allowed_domains: ['a.b'] },
          },
        ],
        settings: {
          topK: 1,
          stop: ['x'],
          n: 1,
          userId: 'u'.repeat(65),
          metadata: { a: 1 },
          serviceTier: 'standard_only',
          responseFormat: { type: 'json_schema', name: 'my schema', description: null, schema: {}, strict: null },
          reasoning: { effort: null, budgetTokens: 10_000, show: 'full' },
        },
        extensions: { 'anthropic-messages': { context_management: {} } },
      }),
      { capabilities: { developerRole: false }, defaults: { reasoningEffort: 'low', maxOutputTokens: 90 } },
    );
    expect(body).toEqual({
      model: 'up',
      instructions: 'be',
      input: [
        { type: 'message', role: 'system', content: 'dev' },
        { type: 'message', role: 'user', content: 'doc' },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_file', file_data: 'data:application/pdf;base64,AA==', filename: 'document.pdf' }],
        },
        { type: 'reasoning', id: 'rs_9', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'z' },
        {
          type: 'message',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'a',
              annotations: [{ type: 'url_citation', url: 'u', title: '', start_index: 0, end_index: 1 }],
            },
          ],
        },
        { type: 'function_call', call_id: 'toolu_1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'toolu_1', output: 'no' },
      ],
      tools: [
        { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
        { type: 'web_search', filters: { allowed_domains: ['a.b'] } },
      ],
      max_output_tokens: 90,
      reasoning: { effort: 'medium', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'my_schema', schema: {} } },
      include: ['reasoning.encrypted_content'],
      store: false,
      stream: true,
    });
    expect([...dropped].sort()).toEqual(
      [
        'cache',
        'context_management',
        'defer_loading',
        'isError',
        'max_uses',
        'metadata',
        'name',
        'reasoning',
        'server_tool_use',
        'serviceTier',
        'stop',
        'topK',
        'userId',
      ].sort(),
    );
  });

  it.each<[string, Partial<CanonicalPrompt>, string[]]>([
    ['nothing', { messages: [user({ type: 'text', text: 'x' })] }, []],
    ['two answers', { settings: { n: 2 } }, ['several choices']],
    ['speech', { settings: { modalities: ['text', 'audio'] } }, ['audio output']],
    ['pictures', { settings: { modalities: ['image'] } }, ['image output']],
    [
      'a file of another issuer',
      { messages: [user({ type: 'file', source: { kind: 'file_id', id: 'f', issuer: 'gemini' } })] },
      ['files by id'],
    ],
    [
      'a picture of another issuer in a result',
      {
        messages: [
          {
            role: 'tool',
            parts: [
              {
                type: 'tool_result',
                kind: 'function',
                callId: 'c',
                content: [{ type: 'image', source: { kind: 'file_id', id: 'f', issuer: 'gemini' } }],
              },
            ],
          },
        ],
      },
      ['files by id'],
    ],
    [
      'sound of a kind without a name',
      { messages: [user({ type: 'audio', source: { kind: 'base64', data: '', mediaType: 'audio/ogg' } })] },
      ['audio input'],
    ],
    [
      'a picture that the model made',
      { messages: [assistant({ type: 'image', source: { kind: 'url', url: 'u' } })] },
      ['unknown content'],
    ],
    [
      'what only another protocol can say',
      { messages: [user({ type: 'native', protocol: 'gemini', what: 'x', value: {} })] },
      ['unknown content'],
    ],
    [
      'what a tool of another provider did',
      { messages: [assistant({ type: 'native', protocol: 'gemini', what: 'x', value: {} })] },
      [],
    ],
    ['a search in the web', { tools: [{ type: 'server', what: 'web_search', protocol: 'gemini', value: {} }] }, []],
    [
      'a tool of another provider',
      { tools: [{ type: 'server', what: 'computer', protocol: 'gemini', value: {} }] },
      ['server tools'],
    ],
    [
      'a choice in other words',
      { settings: { toolChoice: { type: 'native', protocol: 'gemini', value: {} } } },
      ['forced tool choice'],
    ],
  ])('lack words for %s', (_name, prompt, expected) => {
    expect(translation.lacks(foreign(prompt))).toEqual(expected);
  });

  it('instructions alone are the input, a tool that said nothing said an empty text, and few tokens are the least', () => {
    const be: Message = { role: 'system', parts: [{ type: 'text', text: 'be' }] };
    const alone = write(foreign({ messages: [be] })).body;
    expect(alone['instructions']).toBeUndefined();
    expect(alone['input']).toEqual([{ type: 'message', role: 'system', content: 'be' }]);
    const result: Part = { type: 'tool_result', kind: 'function', callId: 'c', content: [] };
    const silent = write(foreign({ messages: [be, { role: 'tool', parts: [result] }] })).body;
    expect(silent['input']).toEqual([{ type: 'function_call_output', call_id: 'c', output: '' }]);
    const few = write(foreign({ messages: [user()], settings: { maxOutputTokens: 1 } }));
    expect(few.body['max_output_tokens']).toBe(16);
    expect(few.dropped).toEqual(['maxOutputTokens']);
  });

  it('media of an assistant are named where they are left out', () => {
    const { body, dropped } = write(
      foreign({ messages: [assistant({ type: 'image', source: { kind: 'url', url: 'u' } })] }),
    );
    expect(body['input']).toEqual([{ type: 'message', role: 'user', content: '' }]);
    expect(dropped).toEqual(['image']);
  });
});
