import { describe, expect, it } from 'vitest';
import type { Message } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { PromptEgress } from '../translation.ts';
import { isNameless } from './members.ts';
import { decodeRequest } from './request.ts';
import { translation } from './translation.ts';

const EGRESS: PromptEgress = { model: 'up', stream: true, askUsage: false, capabilities: {}, defaults: {} };
const ext = (members: object): object => ({ extensions: { 'openai-responses': members } });

function readText(text: string): CanonicalPrompt {
  const decoded = decodeRequest(encodeUtf8(text), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const read = translation.readPrompt(decoded.request);
  if (!read.ok) throw new Error(read.problem.message);
  return read.prompt;
}

const read = (body: object): CanonicalPrompt => readText(JSON.stringify({ model: 'm', ...body }));

const write = (prompt: CanonicalPrompt, egress: Partial<PromptEgress> = {}) => {
  const { body, dropped } = translation.writePrompt(prompt, { ...EGRESS, ...egress });
  const text = decodeUtf8(concatBytes(body));
  return { text, body: JSON.parse(text) as Record<string, unknown>, dropped };
};

const item = (input: object): Message[] => [...read({ input: [input] }).messages];

describe('readPrompt', () => {
  it.each<[string, object, unknown[]]>([
    ['a bare text', { input: 'hi' }, [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]],
    [
      'instructions are a system message in front',
      { instructions: 'be', input: 'hi' },
      [
        { role: 'system', parts: [{ type: 'text', text: 'be' }] },
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      ],
    ],
    [
      'what only the provider knows is a native part',
      { conversation: { id: 'conv_1' }, prompt: { id: 'p' }, input: [] },
      [
        {
          role: 'system',
          parts: [{ type: 'native', protocol: 'openai-responses', what: 'prompt', value: { id: 'p' } }],
          ...ext({ $member: 'prompt' }),
        },
        {
          role: 'system',
          parts: [{ type: 'native', protocol: 'openai-responses', what: 'conversation', value: { id: 'conv_1' } }],
          ...ext({ $member: 'conversation' }),
        },
      ],
    ],
    [
      'the items of an assistant are one message, results another',
      {
        input: [
          { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'x' },
          { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', phase: 'commentary', content: 'a' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b', annotations: [] }] },
          { type: 'function_call', call_id: 'c1', name: 'f', arguments: { a: 1 }, id: 'fc_1' },
          { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'in' },
          { type: 'function_call_output', call_id: 'c1', output: 'ok' },
          {
            type: 'custom_tool_call_output',
            call_id: 'c2',
            output: [{ type: 'input_text', text: 'x' }, { type: 'odd' }],
          },
          { role: 'user', content: 'go on' },
        ],
      },
      [
        {
          role: 'assistant',
          parts: [
            {
              type: 'reasoning',
              text: '',
              summary: ['s'],
              state: { issuer: 'openai-responses', value: '{"id":"rs_1","encrypted_content":"x"}' },
            },
            { type: 'text', text: 'a', ...ext({ $message: { id: 'msg_1', phase: 'commentary' } }) },
            { type: 'text', text: 'b', ...ext({ $message: {} }) },
            { type: 'tool_call', kind: 'function', id: 'c1', name: 'f', input: '{"a":1}', ...ext({ id: 'fc_1' }) },
            { type: 'tool_call', kind: 'custom', id: 'c2', name: 'g', input: 'in' },
          ],
        },
        {
          role: 'tool',
          parts: [
            { type: 'tool_result', kind: 'function', callId: 'c1', name: 'f', content: [{ type: 'text', text: 'ok' }] },
            {
              type: 'tool_result',
              kind: 'custom',
              callId: 'c2',
              name: 'g',
              content: [
                { type: 'text', text: 'x' },
                { type: 'text', text: '{"type":"odd"}', ...ext({ $part: { type: 'odd' } }) },
              ],
            },
          ],
        },
        { role: 'user', parts: [{ type: 'text', text: 'go on' }] },
      ],
    ],
  ])('%s', (_name, body, messages) => {
    expect(read(body).messages).toEqual(messages);
  });

  it.each<[string, object, unknown]>([
    [
      'a picture in its URL',
      { type: 'input_image', image_url: 'data:image/png;base64,AA==', file_id: null, detail: 'high' },
      { type: 'image', source: { kind: 'base64', data: 'AA==', mediaType: 'image/png' }, detail: 'high' },
    ],
    [
      'a picture that the provider keeps',
      { type: 'input_image', file_id: 'f1' },
      { type: 'image', source: { kind: 'file_id', id: 'f1', issuer: 'openai-responses' } },
    ],
    [
      'a file in bare base64 has the type of its name',
      { type: 'input_file', file_data: 'AA==', filename: 'a.PDF' },
      { type: 'file', source: { kind: 'base64', data: 'AA==', mediaType: 'application/pdf' }, name: 'a.PDF' },
    ],
    [
      'sound',
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
      { type: 'audio', source: { kind: 'base64', data: 'AA==', mediaType: 'audio/mpeg' } },
    ],
    [
      'a mark of the cache',
      { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: 'x', cache: { ttl: null } },
    ],
    [
      'a mark of the cache with a time that only this protocol has',
      { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
      {
        type: 'text',
        text: 'x',
        cache: { ttl: null },
        ...ext({ prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }),
      },
    ],
    [
      'a picture without a place is what only this protocol can say',
      { type: 'input_image' },
      { type: 'native', protocol: 'openai-responses', what: 'input_image', value: { type: 'input_image' } },
    ],
  ])('%s', (_name, content, part) => {
    expect(item({ role: 'user', content: [content] })).toEqual([{ role: 'user', parts: [part] }]);
  });

  it.each([
    ['web_search_call', { type: 'web_search_call', id: 'ws_1', action: {} }, 'assistant'],
    ['item_reference', { id: 'msg_1' }, 'assistant'],
    ['message', { type: 'message', role: 'critic', content: 'x' }, 'assistant'],
    ['computer_call_output', { type: 'computer_call_output', call_id: 'c', output: {} }, 'tool'],
    ['mcp_approval_response', { type: 'mcp_approval_response', approve: true }, 'tool'],
  ])('an item of type %s is native', (what, value, role) => {
    expect(item(value)).toEqual([{ role, parts: [{ type: 'native', protocol: 'openai-responses', what, value }] }]);
  });

  it('tools of namespaces and of items are tools', () => {
    const prompt = read({
      input: [
        {
          type: 'additional_tools',
          role: 'developer',
          id: 'at_1',
          tools: [{ type: 'custom', name: 'patch', format: { type: 'text' } }],
        },
        { role: 'user', content: 'x' },
      ],
      tools: [
        { type: 'function', name: 'f', parameters: {}, strict: false, defer_loading: true },
        {
          type: 'namespace',
          name: 'n',
          description: 'd',
          tools: [
            { type: 'function', name: 'g' },
            { type: 'custom', name: 'h' },
          ],
        },
        { type: 'web_search_preview' },
        { type: 'namespace', name: 'empty', tools: [] },
      ],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'custom', name: 'patch' },
          { type: 'function', name: 'f' },
        ],
      },
    });
    const none = { description: null };
    expect(prompt.tools).toEqual([
      { type: 'function', name: 'f', ...none, parameters: {}, strict: false, ...ext({ defer_loading: true }) },
      {
        type: 'function',
        name: 'g',
        namespace: 'n',
        ...none,
        parameters: null,
        strict: null,
        ...ext({ $namespace: { description: 'd' } }),
      },
      { type: 'custom', name: 'h', namespace: 'n', ...none, grammar: null },
      { type: 'server', what: 'web_search', protocol: 'openai-responses', value: { type: 'web_search_preview' } },
      {
        type: 'server',
        what: 'namespace',
        protocol: 'openai-responses',
        value: { type: 'namespace', name: 'empty', tools: [] },
      },
      { type: 'custom', name: 'patch', ...none, grammar: null, ...ext({ $additional_tools: { at: 0, id: 'at_1' } }) },
    ]);
    expect(prompt.settings.toolChoice).toEqual({ type: 'allowed', mode: 'auto', names: ['patch', 'f'] });
    expect(read(write(prompt).body)).toEqual(prompt);
  });

  it('settings have their words, and what has none rides along', () => {
    const prompt = read({
      input: 'x',
      temperature: null,
      max_output_tokens: 5,
      reasoning: { effort: 'xhigh', generate_summary: 'auto', context: 'all_turns' },
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: {}, strict: true } },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      truncation: 'auto',
      previous_response_id: null,
      top_p: 'much',
    });
    expect(prompt.settings).toEqual({
      maxOutputTokens: 5,
      reasoning: { effort: 'xhigh', budgetTokens: null, show: 'auto' },
      verbosity: 'low',
      responseFormat: { type: 'json_schema', name: 'n', description: null, schema: {}, strict: true },
      logprobs: true,
    });
    expect(prompt.extensions).toEqual({
      'openai-responses': {
        reasoning: { context: 'all_turns' },
        include: ['reasoning.encrypted_content'],
        truncation: 'auto',
        top_p: 'much',
      },
    });
    expect(read(write(prompt).body)).toEqual(prompt);
  });

  it('loses no digit and no odd member', () => {
    const text =
      '{"model":"m","input":[{"role":"user","content":"\\ud800"}],"x":{"__proto__":1,"n":12345678901234567890}}';
    const { text: written } = write(readText(text));
    expect(written).toContain('"x":{"__proto__":1,"n":12345678901234567890}');
    expect(written).toContain('"\\ud800"');
  });
});

const said = (role: string, kind = 'input_text'): object => ({
  type: 'message',
  role,
  content: [{ type: kind, text: 'x' }],
});
const TOOLS = {
  function: { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: false },
  custom: { type: 'custom', name: 'c', description: 'd', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
  namespace: {
    type: 'namespace',
    name: 'n',
    description: 'd',
    tools: [{ type: 'function', name: 'g', description: 'd', parameters: {}, strict: false }],
  },
  tool_search: { type: 'tool_search', execution: 'client', description: 'd', parameters: {} },
  web_search: { type: 'web_search', external_web_access: false },
};
const CODEX = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'k',
  client_metadata: { session_id: 's', turn_id: 't' },
};

/** What clients of today send in their first turns, with short words in place of theirs. */
const CLIENTS: Readonly<Record<string, object>> = {
  'Codex, any model': {
    ...CODEX,
    input: [said('developer'), said('developer'), said('user'), said('user')],
    tools: [TOOLS.function, TOOLS.namespace, TOOLS.web_search],
    reasoning: { summary: 'auto' },
  },
  'Codex, gpt-5': {
    ...CODEX,
    input: [said('developer'), said('user')],
    tools: [TOOLS.function, TOOLS.custom, TOOLS.tool_search, TOOLS.web_search],
    reasoning: { effort: 'medium' },
    text: { verbosity: 'low' },
  },
  'Codex, gpt-6': {
    ...CODEX,
    input: [
      { type: 'additional_tools', role: 'developer', tools: Object.values(TOOLS) },
      said('developer'),
      said('user'),
    ],
    reasoning: { effort: 'low', context: 'all_turns' },
    text: { verbosity: 'low' },
  },
  'Codex, a later turn': {
    ...CODEX,
    input: [
      said('user'),
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'z' },
      { ...said('assistant', 'output_text'), id: 'msg_1', status: 'completed', phase: 'final_answer' },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', namespace: 'n', arguments: '{}' },
      {
        type: 'local_shell_call',
        id: 'ls_1',
        call_id: 'c2',
        status: 'completed',
        action: { type: 'exec', command: [], env: {} },
      },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'y' },
    ],
  },
  'Copilot CLI': {
    instructions: 'i',
    input: [said('user')],
    tools: [TOOLS.function],
    reasoning: { summary: 'auto' },
    prompt_cache_key: 'k',
    store: false,
    include: ['reasoning.encrypted_content'],
    parallel_tool_calls: true,
  },
  opencode: {
    input: [{ role: 'system', content: 'i' }, said('user'), said('user')],
    max_output_tokens: 8000,
    store: false,
  },
  pi: {
    input: [{ role: 'system', content: 'i' }, said('user')],
    prompt_cache_key: 'k',
    store: false,
    max_output_tokens: 16384,
    tools: [TOOLS.function],
  },
  LangChain: { text: {}, input: [{ role: 'user', content: 'x' }] },
  'AI SDK': { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
};

/** A request without what makes no difference. */
function meaning(body: Record<string, unknown>): unknown {
  const { stream: _, model: __, instructions, input, text, ...others } = body;
  const lead: Record<string, unknown>[] =
    typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  const items = [...lead, ...(input as Record<string, unknown>[])].map((each) => {
    const { type = 'message', content, status: ___, ...rest } = each;
    const parts = typeof content === 'string' ? [{ text: content }] : (content as object[] | undefined);
    const texts = parts?.map((part) => ({ ...part, type: undefined, annotations: undefined }));
    return { ...rest, type, ...(texts === undefined ? {} : { content: texts }) };
  });
  const isSaid = text !== undefined && Object.keys(text as object).length > 0;
  return { ...others, items, ...(isSaid ? { text } : {}) };
}

describe('requests of real clients', () => {
  it.each(Object.entries(CLIENTS))('%s: mean the same when they are written again', (_name, body) => {
    const prompt = read(body);
    const written = write(prompt);
    expect(written.dropped).toEqual([]);
    expect(meaning(written.body)).toEqual(meaning(body as Record<string, unknown>));
    expect(read(written.body)).toEqual(prompt);
  });

  it('leave others only names that say something', () => {
    const names = (of: { extensions?: object }): string[] =>
      Object.values(of.extensions ?? {}).flatMap((members) => Object.keys(members as object));
    const { messages, tools, extensions } = read(CLIENTS['Codex, a later turn'] as object);
    const parts = messages.flatMap((message) => [message, ...message.parts]);
    const all = [
      ...names({ extensions: extensions ?? {} }),
      ...[...parts, ...tools].flatMap((of) => names(of as object)),
    ];
    expect(all.filter((name) => !isNameless(name))).toEqual(['include', 'client_metadata']);
  });
});
