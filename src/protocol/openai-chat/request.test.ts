import { describe, expect, it } from 'vitest';
import type { Capabilities } from '../../core/model/capability.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { Egress } from '../types.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest } from './request-encode.ts';

const MESSAGES = [{ role: 'user', content: 'hi' }];

function decode(body: object | string, headers: Record<string, string> = {}): CanonicalRequest {
  const text = typeof body === 'string' ? body : JSON.stringify({ model: 'v', messages: MESSAGES, ...body });
  const decoded = decodeRequest(encodeUtf8(text), headers);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}

function problem(body: object | string) {
  const decoded = decodeRequest(encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)), {});
  return decoded.ok ? null : decoded.problem;
}

function encode(body: object | string, egress: Partial<Egress> = {}): string {
  const whole: Egress = {
    model: 'm-a',
    capabilities: {},
    askUsage: false,
    withoutState: false,
    defaults: {},
    ...egress,
  };
  return encodeRequest(decode(body), whole)
    .body.map((piece) => decodeUtf8(piece))
    .join('');
}

describe('decodeRequest', () => {
  it.each([
    ['', null],
    ['{"model":"v","messages":[', null],
    ['[]', null],
    ['"x"', null],
    [{ messages: MESSAGES }, 'model'],
    [{ model: 7, messages: MESSAGES }, 'model'],
    [{ model: '', messages: MESSAGES }, 'model'],
    [{ model: 'x'.repeat(257), messages: MESSAGES }, 'model'],
    [{ model: 'v' }, 'messages'],
    [{ model: 'v', messages: {} }, 'messages'],
    [{ model: 'v', messages: [] }, 'messages'],
    [{ model: 'v', messages: ['hi'] }, 'messages[0]'],
    [{ model: 'v', messages: MESSAGES, stream: 'yes' }, 'stream'],
    [{ model: 'v', messages: MESSAGES, n: 0 }, 'n'],
    [{ model: 'v', messages: MESSAGES, n: 1.5 }, 'n'],
    [{ model: 'v', messages: MESSAGES, n: '2' }, 'n'],
  ] as const)('refuses %j and names the member', (body, param) => {
    expect(problem(body as object | string)?.param).toBe(param);
  });

  it('names a repeated member of the top, in escapes too, and lets deeper ones be', () => {
    const repeated = problem('{"model":"v","messages":[{"role":"user"}],"mod\\u0065l":"a/m"}');
    expect(repeated).toMatchObject({ param: 'model', message: expect.stringContaining('model') });
    for (const name of ['stream', 'messages', 'input', 'tools']) {
      const twice = `{"model":"v","messages":[{"role":"user"}],"${name}":[],"${name}":[]}`;
      expect(problem(twice)?.param).toBe(name);
    }
    expect(problem('{"model":"v","messages":[{"role":"user"}],"metadata":{"model":"a","model":"b"}}')).toBeNull();
  });

  it('reads what routing needs', () => {
    const request = decode({
      stream: true,
      n: 2,
      stream_options: { include_usage: true },
      tools: [{ type: 'function' }, { type: 'mcp' }],
      parallel_tool_calls: false,
      response_format: { type: 'json_schema' },
      reasoning_effort: 'high',
      logprobs: true,
      max_completion_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'image_url' }, { type: 'input_audio' }, { type: 'file' }, { type: 'text' }] },
        { role: 'assistant', content: 'So' },
      ],
    });
    expect(request).toMatchObject({
      model: 'v',
      stream: true,
      choices: 2,
      usageAsked: true,
      maxOutputTokens: 9,
      endsWithToolResult: false,
      effects: ['mcp tool'],
    });
    expect([...request.needs].sort()).toEqual(
      [
        'audio',
        'files',
        'images',
        'logprobs',
        'n',
        'parallelTools',
        'prefill',
        'reasoningEffort',
        'responseFormat',
        'tools',
      ].sort(),
    );
  });

  it('needs nothing for a plain request', () => {
    const request = decode({
      tools: [],
      parallel_tool_calls: null,
      response_format: { type: 'text' },
      logprobs: false,
    });
    expect(request).toMatchObject({ needs: [], stream: false, choices: 1, usageAsked: false, effects: [] });
    expect(decode({ messages: [...MESSAGES, { role: 'tool', content: 'x' }] }).endsWithToolResult).toBe(true);
  });

  it('ties the turns of a conversation together', () => {
    const system = { role: 'system', content: 's' };
    const first = decode({ messages: [system, ...MESSAGES] });
    expect(first.conversation.prefixHash).toBeNull();
    const more = (tail: string) => decode({ messages: [system, ...MESSAGES, { role: 'user', content: tail }] });
    expect(more('a').conversation.prefixHash).toMatch(/^[0-9a-f]{16}$/);
    expect(more('a').conversation.prefixHash).toBe(more('b').conversation.prefixHash);
    const other = decode({ messages: [system, { role: 'user', content: 'ho' }, { role: 'user', content: 'a' }] });
    expect(other.conversation.prefixHash).not.toBe(more('a').conversation.prefixHash);
    const hinted = decode({ prompt_cache_key: 'k', user: 'u', metadata: { user_id: 'w' } }, { 'session-id': 's' });
    expect(hinted.conversation).toMatchObject({ sessionId: 's', promptCacheKey: 'k', userId: 'w' });
  });

  it('guesses tokens from text, not from images', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } };
    expect(decode({ messages: [{ role: 'user', content: [image] }] }).estimatedInputTokens).toBeLessThan(100);
    expect(decode({ messages: [{ role: 'user', content: 'y'.repeat(4000) }] }).estimatedInputTokens).toBeGreaterThan(
      999,
    );
  });
});

describe('encodeRequest', () => {
  it('replaces the model, in escapes too, and leaves every other byte', () => {
    const body = (model: string): string =>
      `{ "\\u006dodel" : "${model}" ,"stream":false,"seed":9007199254740993,"metadata":{"model":"v"},"messages":[{"role":"user","content":"x \\ud83d \\"model\\":\\"v\\""}]}`;
    expect(encode(body('v'))).toBe(body('m-a'));
  });

  it('asks for usage where that is due', () => {
    const asked = (body: object, egress: Partial<Egress> = { askUsage: true }): unknown =>
      JSON.parse(encode({ stream: true, ...body }, egress)).stream_options;
    expect(asked({})).toEqual({ include_usage: true });
    expect(asked({ stream_options: null })).toEqual({ include_usage: true });
    expect(asked({ stream_options: { x: 1, include_usage: false } })).toEqual({ x: 1, include_usage: true });
    expect(asked({ stream_options: { x: 1 } })).toEqual({ x: 1, include_usage: true });
    expect(asked({ stream: false })).toBeUndefined();
    expect(asked({}, { askUsage: false })).toBeUndefined();
    expect(
      asked({ stream_options: { include_usage: true } }, { capabilities: { streamUsage: false } }),
    ).toBeUndefined();
  });

  it('says developer only where it is understood', () => {
    const body = { messages: [{ role: 'developer', content: 'developer' }, ...MESSAGES] };
    const capabilities: Capabilities = { developerRole: false };
    expect(JSON.parse(encode(body, { capabilities })).messages[0]).toEqual({ role: 'system', content: 'developer' });
    expect(JSON.parse(encode(body)).messages[0].role).toBe('developer');
  });

  it('shortens tool-call ids so that call and result still match', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
    const body = {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', tool_calls: [call('call_long_1'), call('abcDEF123'), call('call_long_2')] },
        { role: 'tool', tool_call_id: 'call_long_2', content: '2' },
        { role: 'tool', tool_call_id: 'call_long_1', content: '1' },
        { role: 'tool', tool_call_id: 'abcDEF123', content: '3' },
      ],
    };
    const { messages } = JSON.parse(encode(body, { capabilities: { toolCallIds: 'alnum9' } }));
    const ids: string[] = messages[1].tool_calls.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe('abcDEF123');
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect([messages[3].tool_call_id, messages[4].tool_call_id, messages[2].tool_call_id]).toEqual(ids);
    expect(encode(body, { capabilities: { toolCallIds: 'alnum9' } })).toBe(
      encode(body, { capabilities: { toolCallIds: 'alnum9' } }),
    );
  });

  it('fills in defaults that the client left open', () => {
    const defaults = { reasoningEffort: 'high', maxOutputTokens: 8 };
    expect(JSON.parse(encode({}, { defaults }))).toMatchObject({ reasoning_effort: 'high', max_tokens: 8 });
    expect(JSON.parse(encode({}, { defaults, model: 'openai/gpt-5.6' }))).toMatchObject({ max_completion_tokens: 8 });
    const said = JSON.parse(encode({ max_completion_tokens: 1, reasoning_effort: 'low' }, { defaults }));
    expect(said).toMatchObject({ max_completion_tokens: 1, reasoning_effort: 'low' });
    expect(said).not.toHaveProperty('max_tokens');
  });

  it('takes out what only another provider can read', () => {
    const body = {
      messages: [
        {
          role: 'assistant',
          reasoning_details: [{ data: 'ENC' }],
          content: [{ signature: 'SIG', type: 'text', text: 't' }],
        },
        { role: 'assistant', content: null, tool_calls: [{ id: 'a', extra_content: { g: 'SIG' } }] },
        ...MESSAGES,
      ],
    };
    const sent = encode(body, { withoutState: true });
    expect(sent).not.toMatch(/ENC|SIG/);
    expect(JSON.parse(sent).messages).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 't' }] },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] },
      ...MESSAGES,
    ]);
    expect(encode(body)).toContain('ENC');
  });
});
