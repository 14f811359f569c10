import { describe, expect, it } from 'vitest';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { concatBytes, decodeUtf8, encodeUtf8, parseExact } from '../json/index.ts';
import { readPrompt } from './prompt.ts';
import { writePrompt } from './prompt-encode.ts';
import { decodeRequest } from './request.ts';

type Json = Record<string, unknown>;

const TEXT = [{ type: 'text', text: 'hi' }];

function read(body: Json | string): CanonicalPrompt {
  const text =
    typeof body === 'string'
      ? body
      : JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: TEXT }], ...body });
  const decoded = decodeRequest(encodeUtf8(text), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const result = readPrompt(decoded.request);
  if (!result.ok) throw new Error(result.problem.message);
  return result.prompt;
}

/** Back as a body, for a model of which nothing is known. */
function back(prompt: CanonicalPrompt, model = 'm'): Json {
  const egress = { model, stream: false, askUsage: true, capabilities: {}, defaults: {} };
  return parseExact(decodeUtf8(concatBytes(writePrompt(prompt, egress).body))) as Json;
}

const tool = (name: string): Json => ({ name, input_schema: { type: 'object', properties: {} } });

/** What command-line clients and libraries send in their first turn. */
const CLIENTS: Readonly<Record<string, Json>> = {
  'Claude Code': {
    system: [{ type: 'text', text: 'You are.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [{ role: 'user', content: TEXT }],
    tools: [tool('Bash'), { ...tool('Task'), defer_loading: true }],
    metadata: { user_id: '{"session_id":"s"}' },
    max_tokens: 32_000,
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
  },
  opencode: {
    max_tokens: 8000,
    system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: TEXT }],
    tools: [tool('edit')],
    tool_choice: { type: 'auto' },
  },
  Copilot: {
    max_tokens: 8192,
    system: [{ type: 'text', text: 's' }],
    messages: [{ role: 'user', content: TEXT }],
    tools: [tool('view')],
    temperature: 0,
  },
  'a turn with tools': {
    max_tokens: 100,
    messages: [
      { role: 'user', content: TEXT },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '', signature: 'U2ln' },
          { type: 'redacted_thinking', data: 'RGF0' },
          { type: 'text', text: 'ok', citations: [{ type: 'page_location', cited_text: 'c', document_title: 't' }] },
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 1 } },
          { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
          { type: 'tool_use', id: 't2', name: 'g', input: {}, cache_control: { type: 'ephemeral', scope: 'global' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: TEXT, is_error: true },
          { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'tool_reference', tool_name: 'f' }] },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
  },
  documents: {
    max_tokens: 100,
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'document',
            source: { type: 'content', content: [{ type: 'text', text: 'a' }] },
            title: 'T',
            context: 'c',
            citations: { enabled: true },
          },
          { type: 'search_result', source: 'https://x.test/', title: 'S', content: TEXT, citations: { enabled: true } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
          { type: 'document', source: { type: 'file', file_id: 'f' } },
          {
            type: 'image',
            source: { type: 'url', url: 'https://x.test/i' },
            transformations: { oversized_image: 'error' },
          },
          { type: 'container_upload', file_id: 'f' },
        ],
      },
    ],
    thinking: { type: 'between_tools' },
    mcp_servers: [{ type: 'url', url: 'https://m.test', name: 'n' }],
  },
};

describe('a client’s request', () => {
  for (const [client, body] of Object.entries(CLIENTS)) {
    it(`means the same when it is written again: ${client}`, () => {
      expect(back(read(body))).toEqual({ model: 'm', ...body });
    });
  }

  it('keeps numbers that no double holds, lone surrogates and members of any name', () => {
    const input = '{"n":12345678901234567890,"__proto__":{"s":"\\ud800"}}';
    const prompt = read(
      `{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":${input}}]}]}`,
    );
    expect(prompt.messages[0]?.parts[0]).toMatchObject({ type: 'tool_call', input });
  });
});

describe('readPrompt', () => {
  it('parts results of tools from what the user says, and tells their names', () => {
    const { messages } = read(CLIENTS['a turn with tools'] as Json);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]?.parts).toMatchObject([
      { callId: 't1', name: 'f', isError: true },
      { callId: 't2', name: 'g', content: [{ type: 'text', text: 'Found the tool f.' }] },
    ]);
  });

  it('tells signatures, data in cipher and thoughts apart', () => {
    const { messages } = read(CLIENTS['a turn with tools'] as Json);
    expect(messages[1]?.parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: '', state: { issuer: 'anthropic-messages', value: 'U2ln' } },
      { type: 'reasoning', text: '', state: { issuer: 'anthropic-messages', value: 'redacted_thinking:RGF0' } },
    ]);
  });

  it('gives others the text of what is more than a document here', () => {
    const [first, second] = read(CLIENTS['documents'] as Json).messages[0]?.parts ?? [];
    expect(first).toMatchObject({ type: 'file', source: { kind: 'text', text: 'a' }, name: 'T' });
    expect(second).toMatchObject({ type: 'file', source: { kind: 'text', text: 'hi' }, name: 'S' });
  });

  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { effort: null, budgetTokens: 2000, show: null }],
    [{ thinking: { type: 'disabled' } }, { effort: 'none', budgetTokens: null, show: null }],
    [
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } },
      { effort: 'max', budgetTokens: null, isAdaptive: true, show: 'auto' },
    ],
    [{ output_config: { effort: 'low' } }, { effort: 'low', budgetTokens: null, isAdaptive: false, show: null }],
    [{ thinking: { type: 'novel' } }, undefined],
  ])('reads %j', (body, reasoning) => {
    expect(read(body).settings.reasoning).toEqual(reasoning);
  });

  it.each([
    { thinking: { type: 'novel', deep: 1 } },
    { thinking: { type: 'adaptive', block_binding: {} } },
    { thinking: { type: 'disabled' }, output_config: { effort: 'high', novel: 1 } },
    { output_config: { effort: 'novel', format: { type: 'novel' } } },
    { service_tier: 'novel' },
    { metadata: { user_id: 'u', team: 't' } },
    { cache_control: { type: 'ephemeral', ttl: '1h', scope: 's' } },
    { container: { id: 'c' }, speed: 'fast' },
  ])('writes back what it has no word for: %j', (body) => {
    const messages = [{ role: 'user', content: TEXT }];
    expect(back(read({ messages, ...body }))).toEqual({ model: 'm', max_tokens: 9, messages, ...body });
  });

  it('refuses a content that is none', () => {
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 7 }] };
    const decoded = decodeRequest(encodeUtf8(JSON.stringify(body)), {});
    const result = decoded.ok ? readPrompt(decoded.request) : null;
    expect(result).toMatchObject({ ok: false, problem: { param: 'messages[0].content' } });
  });
});
