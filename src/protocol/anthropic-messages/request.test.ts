import { describe, expect, it } from 'vitest';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { Egress } from '../types.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest } from './request-encode.ts';

type Json = Record<string, unknown>;

const USER = { role: 'user', content: 'hi' };
const BASE = { model: 'v', max_tokens: 10, messages: [USER] };

function decode(body: unknown, headers: Record<string, string> = {}): CanonicalRequest {
  const decoded = decodeRequest(encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)), headers);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}

const problemOf = (body: unknown): { message: string; param: string | null } => {
  const decoded = decodeRequest(encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)), {});
  if (decoded.ok) throw new Error('accepted');
  return decoded.problem;
};

const EGRESS: Egress = { model: 'm-a', capabilities: {}, askUsage: true, withoutState: false, defaults: {} };

const encode = (body: unknown, egress: Partial<Egress> = {}, headers: Record<string, string> = {}) => {
  const request = decode(body, headers);
  const encoded = encodeRequest(request, { ...EGRESS, ...egress });
  return { ...encoded, text: decodeUtf8(concatBytes(encoded.body)) };
};

describe('what a request says', () => {
  it('in short', () => {
    expect(decode({ ...BASE, stream: true, system: 'Be brief.' })).toMatchObject({
      protocol: 'anthropic-messages',
      model: 'v',
      stream: true,
      choices: 1,
      needs: [],
      maxOutputTokens: 10,
      usageAsked: true,
      endsWithToolResult: false,
      effects: [],
    });
  });

  it.each([
    [{ tools: [{ name: 'f', input_schema: {} }] }, ['tools']],
    [{ tools: [] }, []],
    [{ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, ['parallelTools']],
    [{ output_config: { effort: 'high' } }, ['reasoningEffort']],
    [{ output_config: { format: { type: 'json_schema' } } }, ['responseFormat']],
    [{ thinking: { type: 'adaptive' } }, []],
    [{ messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] }, ['images']],
    [{ messages: [{ role: 'user', content: [{ type: 'document', source: {} }] }] }, ['files']],
    [
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: {} }] }],
          },
        ],
      },
      ['images'],
    ],
    [{ messages: [USER, { role: 'assistant', content: 'I' }] }, ['prefill']],
    [{ messages: [USER, { role: 'assistant', content: [{ type: 'text', text: 'I' }] }] }, ['prefill']],
    [{ messages: [USER, { role: 'assistant', content: [{ type: 'server_tool_use', id: 's' }] }] }, []],
  ])('needs of %j', (members, needs) => {
    expect(decode({ ...BASE, ...members }).needs).toEqual(needs);
  });

  it.each([
    [[{ name: 'f' }, { type: 'custom', name: 'g', defer_loading: true }], []],
    [[{ type: 'bash_20250124', name: 'bash' }, { type: 'text_editor_20250728' }, { type: 'computer_20251124' }], []],
    [[{ type: 'web_search_20250305' }, { type: 'web_fetch_20260318' }, { type: 'tool_search_tool_bm25' }], []],
    [[{ type: 'code_execution_20250825', name: 'code_execution' }], ['code_execution_20250825 tool']],
    [[{ type: 'mcp_toolset', mcp_server_name: 's' }], ['mcp_toolset tool']],
    [[{ type: 'of_tomorrow_2030' }], ['of_tomorrow_2030 tool']],
  ])('effects of %j', (tools, effects) => {
    expect(decode({ ...BASE, tools }).effects).toEqual(effects);
  });

  it('effects of servers for tools', () => {
    expect(decode({ ...BASE, mcp_servers: [{ type: 'url', url: 'https://x.test', name: 'x' }] }).effects).toEqual([
      'mcp server',
    ]);
    expect(decode({ ...BASE, mcp_servers: [] }).effects).toEqual([]);
  });

  it('whether the last input is the result of a tool', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: 'r' };
    const ends = (...messages: Json[]): boolean => decode({ ...BASE, messages }).endsWithToolResult;
    expect(ends({ role: 'user', content: [result] })).toBe(true);
    expect(ends({ role: 'user', content: [{ type: 'text', text: 'a' }, result] })).toBe(true);
    expect(ends({ role: 'user', content: [result] }, { role: 'system', content: 'note' })).toBe(true);
    expect(ends({ role: 'user', content: [result, { type: 'text', text: 'stop' }] })).toBe(false);
    expect(ends({ role: 'user', content: [result] }, { role: 'assistant', content: 'ok' })).toBe(false);
    expect(ends(USER)).toBe(false);
  });

  it('how long it is, without what is no text', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'x'.repeat(40_000) } };
    const plain = decode({ ...BASE, system: 'y'.repeat(4000) }).estimatedInputTokens;
    expect(plain).toBeGreaterThan(1000);
    const message = { role: 'user', content: [{ type: 'text', text: 'hi' }, image] };
    expect(decode({ ...BASE, messages: [message] }).estimatedInputTokens).toBeLessThan(50);
    const nested = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [image] }] };
    expect(decode({ ...BASE, messages: [nested] }).estimatedInputTokens).toBeLessThan(50);
  });
});

describe('which conversation it belongs to', () => {
  const HINTS = { 'x-claude-code-session-id': 'c', 'x-session-id': 'x', 'session-id': 's' };

  it('by header, the own one first', () => {
    expect(decode(BASE, HINTS).conversation.sessionId).toBe('c');
    expect(decode(BASE, { 'x-session-id': 'x', 'session-id': 's' }).conversation.sessionId).toBe('x');
    expect(decode(BASE).conversation).toEqual({
      sessionId: null,
      promptCacheKey: null,
      previousResponseId: null,
      userId: null,
      prefixHash: null,
    });
  });

  it('by the user, who may be an object in a string', () => {
    const of = (user_id: unknown) => decode({ ...BASE, metadata: { user_id } }).conversation;
    expect(of('u')).toMatchObject({ userId: 'u', sessionId: null });
    expect(of('{"device_id":"d","session_id":"s1"}')).toMatchObject({ sessionId: 's1' });
    expect(of('{"session_id":7}')).toMatchObject({ sessionId: null, userId: '{"session_id":7}' });
    expect(of('{broken')).toMatchObject({ sessionId: null, userId: '{broken' });
    expect(of(7)).toMatchObject({ userId: null });
  });

  const turns = (system: unknown, first: unknown, ...more: Json[]) =>
    decode({
      ...BASE,
      system,
      tools: [{ name: 'f' }],
      messages: [{ role: 'user', content: first }, { role: 'assistant', content: 'a' }, ...more, USER],
    }).conversation.prefixHash;

  it('by what all its turns share, without what varies', () => {
    const billing = (value: string) => ({ type: 'text', text: `x-anthropic-billing-header: ${value}` });
    const brief = { type: 'text', text: 'Be brief.' };
    const mark = { cache_control: { type: 'ephemeral' } };
    const hash = turns([billing('v=1'), brief], 'q');
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(turns([billing('v=2'), brief], 'q')).toBe(hash);
    expect(turns([{ ...brief, ...mark }], 'q')).toBe(hash);
    expect(turns('Be brief.', 'q')).toBe(hash);
    expect(turns([brief], [{ type: 'text', text: 'q', ...mark }])).toBe(hash);
    const image = { type: 'image', source: { type: 'url', url: 'u' } };
    expect(turns('s', [{ ...image, ...mark }])).toBe(turns('s', [image]));
    expect(turns([brief], 'q', { role: 'system', content: 'a note' }, USER)).toBe(hash);
    expect(turns([brief], 'other')).not.toBe(hash);
    expect(turns('Be long.', 'q')).not.toBe(hash);
    expect(decode({ ...BASE, system: [brief] }).conversation.prefixHash).toBeNull();
  });
});

describe('a request that is none', () => {
  it.each([
    ['{"model":', null, 'not valid JSON'],
    ['[]', null, 'must be a JSON object'],
    ['{"messages":[]}', 'model', '"model" is missing'],
    [{ ...BASE, model: 7 }, 'model', 'must be a string'],
    [{ ...BASE, model: '' }, 'model', 'not be empty'],
    [{ ...BASE, model: 'x'.repeat(300) }, 'model', 'longer'],
    [{ ...BASE, stream: 'yes' }, 'stream', 'true or false'],
    [{ ...BASE, max_tokens: '10' }, 'max_tokens', 'whole number'],
    [{ ...BASE, max_tokens: 1.5 }, 'max_tokens', 'whole number'],
    [{ ...BASE, max_tokens: -1 }, 'max_tokens', 'whole number'],
    [{ model: 'v', max_tokens: 1 }, 'messages', 'missing'],
    [{ ...BASE, messages: {} }, 'messages', 'must be a list'],
    [{ ...BASE, messages: [] }, 'messages', 'not be empty'],
    [{ ...BASE, messages: [USER, 'x'] }, 'messages[1]', 'object with a role'],
    [{ ...BASE, messages: [{ content: 'x' }] }, 'messages[0]', 'object with a role'],
    [{ ...BASE, system: 7 }, 'system', 'text or a list'],
    [{ ...BASE, tools: {} }, 'tools', 'a list'],
    ['{"model":"a","model":"b","max_tokens":1,"messages":[{"role":"user","content":"x"}]}', 'model', 'more than once'],
    ['{"model":"a","max_tokens":1,"messages":[{"role":"user"}],"m\\u0065ssages":[]}', 'messages', 'more than once'],
  ])('%j', (body, param, words) => {
    const { message, param: named } = problemOf(body);
    expect(named).toBe(param);
    expect(message).toContain(words);
  });

  it('may leave its limit to the configuration, and hold turns of the system', () => {
    const { max_tokens: _, ...open } = BASE;
    expect(decode(open).maxOutputTokens).toBeNull();
    expect(decode({ ...BASE, max_tokens: 0, system: null, tools: null, stream: null }).stream).toBe(false);
    expect(decode({ ...BASE, messages: [USER, { role: 'system', content: 'note' }, USER] }).needs).toEqual([]);
  });
});

describe('what a target gets', () => {
  it('is the original, with its own model', () => {
    const body =
      '{ "messages" : [{"role":"user","content":"\\ud800 \\u2028 1e400"}],\n "model": "v" , "max_tokens":10, "big":12345678901234567890, "stream":true }';
    const { text, path, headers } = encode(body);
    expect(text).toBe(body.replace('"v"', '"m-a"'));
    expect(path).toBe('/v1/messages');
    expect(headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'anthropic-version': '2023-06-01',
    });
  });

  it('is told the version that the client asked for, if there is such a one', () => {
    const version = (asked: string) => encode(BASE, {}, { 'anthropic-version': asked }).headers['anthropic-version'];
    expect(version('2026-10-21')).toBe('2026-10-21');
    expect(version('2023-06-01')).toBe('2023-06-01');
    expect(version('tomorrow')).toBe('2023-06-01');
  });

  it('gets limits and efforts of the configuration where the client has none', () => {
    const { max_tokens: _, ...open } = BASE;
    const defaults = { maxOutputTokens: 50, reasoningEffort: 'high' };
    expect(JSON.parse(encode(open, { defaults }).text)).toMatchObject({
      max_tokens: 50,
      output_config: { effort: 'high' },
    });
    const own = { ...BASE, output_config: { effort: 'low', x: 1 } };
    expect(JSON.parse(encode(own, { defaults }).text)).toEqual({ ...own, model: 'm-a' });
    expect(JSON.parse(encode({ ...BASE, output_config: { x: 1 } }, { defaults }).text)).toMatchObject({
      output_config: { x: 1, effort: 'high' },
    });
    expect(encode({ ...BASE, thinking: { type: 'disabled' } }, { defaults }).text).not.toContain('output_config');
    expect(encode(BASE, { defaults: { reasoningEffort: 'none' } }).text).not.toContain('output_config');
    expect(encode(BASE, { defaults: { reasoningEffort: 'minimal' } }).text).toContain('{"effort":"low"}');
    expect(encode({ ...open, max_tokens: null }, { defaults }).text).toContain('"max_tokens":50');
  });

  const THOUGHT = '{"type":"thinking","thinking":"a\\u2028b é <tag> \\\\u0041 \\t","signature":"S+/=="}';
  const HIDDEN = '{"type":"redacted_thinking","data":"R=="}';
  const SAID = '{"type":"text","text":"x"}';
  const CALL = '{"type":"tool_use","id":"t","name":"f","input":{"n":12345678901234567890}}';
  const turn = (...blocks: string[]): string => `{"role":"assistant","content":[ ${blocks.join(' ,\n')} ]}`;
  const body = (...messages: string[]): string =>
    `{"model":"m-a","max_tokens":1,"messages":[{"role":"user","content":"q"}, ${messages.join(', ')}, {"role":"user","content":"go"}]}`;

  it('keeps thoughts as they are', () => {
    expect(encode(body(turn(THOUGHT, HIDDEN, SAID))).text).toBe(body(turn(THOUGHT, HIDDEN, SAID)));
  });

  it.each([
    [turn(THOUGHT, HIDDEN, SAID), [SAID]],
    [turn(SAID, THOUGHT, CALL, HIDDEN), [SAID, CALL]],
    [turn(THOUGHT, SAID, HIDDEN, CALL), [SAID, CALL]],
    [turn(SAID, THOUGHT), [SAID]],
    [turn(SAID, CALL), [SAID, CALL]],
  ])('loses what only another issuer can read: %s', (given, blocks) => {
    const { text } = encode(body(given), { withoutState: true });
    const { messages } = JSON.parse(text) as { messages: { content: unknown }[] };
    expect(messages[1]?.content).toEqual(blocks.map((block) => JSON.parse(block)));
    for (const block of blocks) expect(text).toContain(block);
    expect(text).not.toContain('thinking');
  });

  it('does not think on behind calls that it did not think about', () => {
    const asked = (last: string, thinking: string): string =>
      `{"model":"m","max_tokens":9000,"thinking":${thinking},"messages":[{"role":"user","content":"q"},${turn(THOUGHT, CALL)},{"role":"user","content":[${last}]}]}`;
    const ON = '{"type":"enabled","budget_tokens":2048}';
    const RESULT = '{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}';
    const thinkingOf = (given: string, withoutState: boolean): unknown =>
      (JSON.parse(encode(given, { withoutState }).text) as { thinking: unknown }).thinking;
    expect(thinkingOf(asked(RESULT, ON), true)).toEqual({ type: 'disabled' });
    expect(thinkingOf(asked(RESULT, ON), false)).toEqual(JSON.parse(ON));
    expect(thinkingOf(asked('{"type":"text","text":"t"}', ON), true)).toEqual(JSON.parse(ON));
    expect(thinkingOf(asked(RESULT, '{"type":"adaptive"}'), true)).toEqual({ type: 'adaptive' });
  });

  it('loses a turn of nothing else', () => {
    const { text } = encode(body(turn(THOUGHT), turn(HIDDEN, THOUGHT), turn(SAID)), { withoutState: true });
    expect((JSON.parse(text) as { messages: unknown[] }).messages).toHaveLength(3);
    const user = body(`{"role":"user","content":[${THOUGHT}]}`);
    expect(encode(user, { withoutState: true }).text).toBe(user);
  });

  it('is read again when it came from elsewhere', () => {
    const request = { ...decode(BASE), extensions: {} };
    expect(decodeUtf8(concatBytes(encodeRequest(request, EGRESS).body))).toContain('"m-a"');
    const other = { ...request, original: encodeUtf8('{}') };
    expect(() => encodeRequest(other, EGRESS)).toThrow(TypeError);
  });
});
