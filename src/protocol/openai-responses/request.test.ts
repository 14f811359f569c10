import { describe, expect, it } from 'vitest';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { concatBytes, decodeUtf8, EMPTY, encodeUtf8 } from '../json/index.ts';
import type { Egress } from '../types.ts';
import { expandRequest, inputOf, withoutState } from './history.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest, requestState } from './request-encode.ts';

const EGRESS: Egress = { model: 'up', capabilities: {}, askUsage: true, withoutState: false, defaults: {} };

function decode(body: object | string, headers: Record<string, string> = {}): CanonicalRequest {
  const text = typeof body === 'string' ? body : JSON.stringify({ model: 'm', input: 'hi', ...body });
  const decoded = decodeRequest(encodeUtf8(text), headers);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
}

function problem(body: object | string): [string, string | null] {
  const decoded = decodeRequest(encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body)), {});
  if (decoded.ok) throw new Error('was taken');
  return [decoded.problem.message, decoded.problem.param];
}

const encode = (request: CanonicalRequest, egress: Partial<Egress> = {}): string =>
  decodeUtf8(concatBytes(encodeRequest(request, { ...EGRESS, ...egress }).body));

const user = (content: unknown): object => ({ role: 'user', content });
const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] };
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENC' };

describe('decodeRequest', () => {
  it.each<[object | string, string, string | null]>([
    ['{"model":"m","input":', 'The request body is not valid JSON.', null],
    ['[]', 'The request body must be a JSON object.', null],
    [{ input: 'x' }, 'The member "model" is missing.', 'model'],
    [{ model: '', input: 'x' }, '"model" must not be empty.', 'model'],
    [{ model: 'm' }, 'The member "input" is missing.', 'input'],
    [{ model: 'm', input: null }, '"input" must not be null.', 'input'],
    [{ model: 'm', input: 1 }, '"input" must be a text or a list of items.', 'input'],
    [{ model: 'm', input: {} }, '"input" must be a text or a list of items.', 'input'],
    [{ model: 'm', input: [user('x'), 'y'] }, '"input[1]" must be an object.', 'input[1]'],
    [{ model: 'm', input: 'x', stream: 'yes' }, '"stream" must be true or false.', 'stream'],
    [{ model: 'm', input: 'x', background: 1 }, '"background" must be true or false.', 'background'],
    [{ model: 'm', input: 'x', tools: {} }, '"tools" must be a list.', 'tools'],
    [
      { model: 'm', input: 'x', previous_response_id: 7 },
      '"previous_response_id" must be a string.',
      'previous_response_id',
    ],
    ...['model', 'stream', 'input', 'tools', 'messages'].map((name): [string, string, string] => [
      `{"model":"m","input":"x","${name}":null,"${name}":null}`.replace(
        '"model":"m",',
        name === 'model' ? '' : '"model":"m",',
      ),
      `The member "${name}" stands more than once in the request body.`,
      name,
    ]),
    [
      '{"model":"m","input":"x","\\u006dodel":"n"}',
      'The member "model" stands more than once in the request body.',
      'model',
    ],
  ])('%j is refused', (body, message, param) => {
    expect(problem(body)).toEqual([message, param]);
  });

  it.each([
    ['previous_response_id', '"previous_response_id":"resp_1","previous_response_id":null'],
    ['previous_response_id', '"previous_response_id":"resp_1","previous_response\\u005fid":""'],
    ['conversation', '"conversation":"conv_1","conversation":null'],
    ['conversation.id', '"conversation":{"id":"conv_1","id":null}'],
    ['conversation.id', '"conversation":{"id":"conv_1","\\u0069d":null}'],
    ['store', '"store":false,"store":true'],
  ])('refuses two of what decides whose state it is: %s', (name, members) => {
    const body = new TextEncoder().encode(`{"model":"m","input":"x",${members}}`);
    expect(decodeRequest(body, {})).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining(`"${name}" stands more than once`) as unknown },
    });
  });

  it.each([{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }, { prompt: { id: 'p' } }])(
    'takes no input beside %j',
    (body) => {
      expect(decode({ input: undefined, ...body }).model).toBe('m');
    },
  );

  it('reads what routing asks for', () => {
    const request = decode({ stream: true, max_output_tokens: 16 });
    expect(request).toMatchObject({
      protocol: 'openai-responses',
      model: 'm',
      stream: true,
      choices: 1,
      needs: [],
      maxOutputTokens: 16,
      usageAsked: true,
      endsWithToolResult: false,
      effects: [],
      background: false,
    });
    expect(decode({})).toMatchObject({ stream: false, maxOutputTokens: null });
  });

  it.each<[object, boolean]>([
    [{}, true],
    [{ store: null }, true],
    [{ store: true }, true],
    [{ store: false }, false],
  ])('%j: its answer is kept: %s', (body, isStored) => {
    expect(decode(body).isStored).toBe(isStored);
  });

  it.each<[object, string[]]>([
    [{ input: [user([{ type: 'input_image', image_url: 'data:' }])] }, ['images']],
    [{ input: [user([{ type: 'input_file', file_id: 'f' }])] }, ['files']],
    [{ input: [user([{ type: 'input_audio', input_audio: {} }])] }, ['audio']],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image' }] }] }, ['images']],
    [{ input: [{ type: 'computer_call_output', output: { type: 'computer_screenshot' } }] }, ['images']],
    [{ tools: [{ type: 'function', name: 'f' }] }, ['tools']],
    [{ tools: [] }, []],
    [
      { input: [{ type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'f' }] }, user('x')] },
      ['tools'],
    ],
    [{ parallel_tool_calls: true }, ['parallelTools']],
    [{ reasoning: { summary: 'auto' } }, []],
    [{ reasoning: { effort: 'high' } }, ['reasoningEffort']],
    [{ text: { format: { type: 'json_schema', name: 's', schema: {} } } }, ['responseFormat']],
    [{ text: { format: { type: 'text' } } }, []],
    [{ top_logprobs: 2 }, ['logprobs']],
    [{ include: ['message.output_text.logprobs'] }, ['logprobs']],
    [{ input: [user('x'), said] }, ['prefill']],
  ])('%j needs %j', (body, needs) => {
    expect(decode(body).needs).toEqual(needs);
  });

  it.each<[unknown, boolean]>([
    [[user('x'), { type: 'function_call_output', call_id: 'c', output: 'y' }], true],
    [[user('x'), { type: 'custom_tool_call_output', call_id: 'c', output: 'y' }], true],
    [[{ type: 'mcp_approval_response', approve: true }], true],
    [[{ type: 'function_call_output', call_id: 'c', output: 'y' }, user('x')], false],
    [[], false],
    ['x', false],
  ])('%j ends with a tool result: %j', (input, ends) => {
    expect(decode({ input }).endsWithToolResult).toBe(ends);
  });

  it.each<[object, string[]]>([
    [{ tools: [{ type: 'mcp', server_label: 's' }] }, ['mcp tool']],
    [{ input: [{ type: 'additional_tools', tools: [{ type: 'mcp' }] }] }, ['mcp tool']],
    [{ input: [{ type: 'mcp_approval_response', approve: true }] }, ['mcp tool']],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }, { type: 'custom' }] }] }, []],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'robot_arm' }] }] }, ['robot_arm tool']],
    [{ tools: [{ type: 'function' }, { type: 'custom' }, { type: 'tool_search' }, { type: 'local_shell' }] }, []],
    [{ tools: [{ type: 'web_search' }, { type: 'web_search_2025_08_26' }, { type: 'file_search' }] }, []],
    [{ tools: [{ type: 'image_generation' }, { type: 'apply_patch' }, { type: 'computer' }] }, []],
    [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, []],
    [{ tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }, ['code_interpreter tool']],
    [
      { tools: [{ type: 'shell', environment: { type: 'container_auto', network_policy: { type: 'allowlist' } } }] },
      ['shell tool'],
    ],
    [{ tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'c' } }] }, ['shell tool']],
    [{ tools: [{ type: 'shell', environment: { type: 'local' } }, { type: 'shell' }] }, []],
    [{ background: true }, ['background']],
    [{ conversation: { id: 'conv_1' } }, ['conversation']],
    [{ conversation: null, background: false, store: true, previous_response_id: 'resp_1' }, []],
  ])('%j runs %j', (body, effects) => {
    expect(decode(body).effects).toEqual(effects);
  });

  it('notes that work in the background is asked for', () => {
    const request = decode({ background: true });
    expect(request.background).toBe(true);
    expect(request.extensions['openai-responses']).toMatchObject({ background: true });
  });

  it('finds what ties a conversation together', () => {
    const body = { prompt_cache_key: 'k', previous_response_id: 'resp_1', metadata: { user_id: 'u' }, user: 'v' };
    expect(decode(body, { 'session-id': ' s ', 'thread-id': 't' }).conversation).toEqual({
      sessionId: 's',
      promptCacheKey: 'k',
      previousResponseId: 'resp_1',
      conversationId: null,
      userId: 'u',
      prefixHash: null,
    });
    expect(decode({ user: 'v' }, { 'thread-id': 't' }).conversation).toMatchObject({ sessionId: 't', userId: 'v' });
    expect(decode({}, { 'x-session-id': 'a', 'session-id': 'b' }).conversation.sessionId).toBe('a');
    for (const conversation of ['conv_1', { id: 'conv_1' }]) {
      expect(decode({ conversation }).conversation.conversationId).toBe('conv_1');
    }
  });

  it('hashes what all turns have in common, from the second on', () => {
    const first = [{ role: 'developer', content: 'rules' }, user('one')];
    const hash = (input: unknown, rest: object = {}): string | null =>
      decode({ input, ...rest }).conversation.prefixHash;
    const second = [...first, thought, said, user('two')];
    expect(hash('one')).toBeNull();
    expect(hash(first)).toBeNull();
    expect(hash([...first, user('and')])).toBeNull();
    expect(hash(second)).toMatch(/^[0-9a-f]{16}$/);
    expect(hash([...second, said, user('three')])).toBe(hash(second));
    expect(hash(second, { instructions: 'other' })).not.toBe(hash(second));
    expect(hash(second, { tools: [{ type: 'web_search' }] })).not.toBe(hash(second));
    expect(hash([{ role: 'developer', content: 'rules' }, user('other'), said, user('two')])).not.toBe(hash(second));
  });

  it('guesses the size without images and sealed thoughts', () => {
    const size = (body: object): number => decode(body).estimatedInputTokens;
    const big = 'x'.repeat(8000);
    expect(size({ input: big })).toBeGreaterThan(1990);
    expect(size({ input: 'x', instructions: big })).toBeGreaterThan(1990);
    expect(size({ input: [user([{ type: 'input_image', image_url: big }])] })).toBeLessThan(50);
    expect(size({ input: [{ ...thought, encrypted_content: big }] })).toBeLessThan(50);
  });
});

describe('encodeRequest', () => {
  it('changes the model and nothing else, wherever it stands', () => {
    const text =
      '{ "input": [ { "type": "additional_tools", "tools": [ { "type": "namespace" } ] } ],\n "seed": 9007199254740993, "x": "\\ud800", "model" : "m" }';
    expect(encode(decode(text))).toBe(text.replace('"m"', '"up"'));
    const { path, headers } = encodeRequest(decode({ stream: true }), EGRESS);
    expect([path, headers]).toEqual([
      '/responses',
      { 'content-type': 'application/json', accept: 'text/event-stream' },
    ]);
  });

  it('sets defaults only where the client left them open', () => {
    const defaults = { reasoningEffort: 'high', maxOutputTokens: 9 };
    const sent = (body: object): Record<string, unknown> => JSON.parse(encode(decode(body), { defaults }));
    expect(sent({})).toMatchObject({ reasoning: { effort: 'high' }, max_output_tokens: 9 });
    expect(sent({ reasoning: null, max_output_tokens: null })).toMatchObject({
      reasoning: { effort: 'high' },
      max_output_tokens: 9,
    });
    expect(sent({ reasoning: { summary: 'auto' } })).toMatchObject({ reasoning: { summary: 'auto', effort: 'high' } });
    expect(sent({ reasoning: { effort: 'low' }, max_output_tokens: 5 })).toMatchObject({
      reasoning: { effort: 'low' },
      max_output_tokens: 5,
    });
  });

  it('writes what a target can read', () => {
    const input = [{ role: 'developer', content: 'a' }, user('b')];
    expect(encode(decode({ input }), { capabilities: { developerRole: false } })).toContain(
      '{"role":"system","content":"a"}',
    );
    const options = { stream: true, stream_options: { include_obfuscation: false } };
    expect(encode(decode(options))).toContain('stream_options');
    expect(encode(decode(options), { capabilities: { streamUsage: false } })).not.toContain('stream_options');
  });

  it('takes out what only its issuer can read', () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' };
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const input = [
      thought,
      user('q'),
      { type: 'item_reference', id: 'rs_9' },
      said,
      call,
      search,
      thought,
      { ...thought, id: 'rs_2' },
    ];
    const sent = encode(decode({ input }), { withoutState: true });
    const { id: _message, ...saidBare } = said;
    const { id: _call, ...callBare } = call;
    expect(JSON.parse(sent).input).toEqual([user('q'), saidBare, callBare, search]);
    expect(sent).not.toContain('ENC');
    expect(encode(decode({ input: [thought] }), { withoutState: true })).toContain('"input":[]');
  });

  it('keeps what a conversation would be half without', () => {
    const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'ENC' };
    const input = [compaction, { type: 'item_reference', id: 'msg_9' }, user('q')];
    const request = decode({ input, previous_response_id: 'resp_1' });
    expect(JSON.parse(encode(request, { withoutState: true }))).toMatchObject({
      input,
      previous_response_id: 'resp_1',
    });
  });

  it.each<[object, boolean, boolean]>([
    [{}, false, false],
    [{ input: [user('q'), thought] }, true, false],
    [{ input: [user('q'), said] }, true, false],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }] }, true, false],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, false, true],
    [{ input: [{ type: 'compaction', encrypted_content: 'E' }] }, false, true],
    [{ previous_response_id: 'resp_1' }, false, true],
    [{ conversation: 'conv_1' }, false, true],
  ])('%j: removable %j, bound %j', (body, removable, bound) => {
    expect(requestState(decode(body))).toEqual({ removable, bound });
  });

  it('writes lists in front of the input, in place of the id', () => {
    const lists = [[user('q')], [], [thought, said]].map((items) =>
      encodeUtf8(items.map((item) => JSON.stringify(item)).join(' , ')),
    );
    const sent = (body: object, egress: Partial<Egress> = {}): { input: unknown; previous_response_id?: unknown } => {
      const whole = expandRequest(decode({ previous_response_id: 'resp_1', ...body }), lists);
      if (!whole.ok) throw new Error(whole.problem.message);
      expect(whole.request.conversation.previousResponseId).toBeNull();
      return JSON.parse(encode(whole.request, egress));
    };
    expect(sent({ input: 'go' }).input).toEqual([user('q'), thought, said, user('go')]);
    expect(sent({ input: [user('go')] }).input).toEqual([user('q'), thought, said, user('go')]);
    expect(sent({ input: [] }).input).toEqual([user('q'), thought, said]);
    expect(sent({ input: undefined }).input).toEqual([user('q'), thought, said]);
    expect(sent({ input: 'go' })).not.toHaveProperty('previous_response_id');
    const { id: _id, ...saidBare } = said;
    expect(sent({ input: [thought] }, { withoutState: true }).input).toEqual([user('q'), saidBare]);
    expect(sent({ input: [thought, user('go')] }, { withoutState: true }).input).toEqual([
      user('q'),
      saidBare,
      user('go'),
    ]);
    expect(JSON.parse(`[${decodeUtf8(withoutState(lists[2] ?? EMPTY))}]`)).toEqual([saidBare]);
    expect(decodeUtf8(withoutState(encodeUtf8(JSON.stringify(thought))))).toBe('');
  });

  it.each<[input: string, list: string]>([
    ['"hi\\n"', '{"role":"user","content":"hi\\n"}'],
    [' [ {"role" : "user"} ,{"n":12345678901234567890} ] ', '{"role" : "user"} ,{"n":12345678901234567890} '],
    ['[ \n ]', ''],
  ])('keeps the items of %s as they are', (input, list) => {
    const decoded = decodeRequest(encodeUtf8(`{"model":"m","input":${input}}`), {});
    expect(decoded.ok && decodeUtf8(inputOf(decoded.request))).toBe(list);
  });

  it('reads a request again that comes from elsewhere', () => {
    const request = { ...decode({ input: 'x' }), extensions: {} };
    expect(JSON.parse(encode(request))).toEqual({ model: 'up', input: 'x' });
    expect(() => encode({ ...request, original: encodeUtf8('{}') })).toThrow(TypeError);
  });
});
