import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decode.ts';

const USAGE = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const OPTIONS = { renameModel: null, choices: 1 };

const answer = (message: unknown, finish: unknown = 'stop', rest: object = {}): string =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: USAGE,
    ...rest,
  });

function decode(text: string, options: object = {}) {
  const decoded = decodeResponse(encodeUtf8(text), { ...OPTIONS, ...options });
  return {
    ...decoded,
    text: decodeUtf8(decoded.body),
    types: decoded.events.map((event) => (event.type === 'finish' ? `finish:${event.reason}` : event.type)),
  };
}

const toolCall = (args: unknown, id: unknown = 'a') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: args },
});

describe('decodeResponse', () => {
  it('leaves a good answer as it is', () => {
    const text = answer({ role: 'assistant', content: 'x' });
    const decoded = decode(text);
    expect(decoded).toMatchObject({ types: ['role', 'text', 'finish:stop'], edits: [], text });
    expect(decoded.usage).toMatchObject({ inputTokens: 5, outputTokens: 3 });
  });

  it.each<[string, string[]]>([
    ['<html>', ['malformed']],
    ['[]', ['malformed']],
    ['{"choices":[', ['malformed']],
    ['{"choices":[]}', []],
    ['{}', []],
    ['{"error":{"message":"m","code":502},"user_id":"u"}', ['error']],
    ['[{"error":{"message":"m"}}]', ['error']],
    ['{"object":"error","message":"m","code":400}', ['error']],
    ['{"detail":"Not Found"}', ['error']],
    [answer({ content: '' }), ['finish:stop']],
    [answer({ content: null }), ['finish:stop']],
    [answer({ role: 'assistant' }, 'length'), ['role', 'finish:length']],
    [answer({ content: 'x' }, 'error'), ['text', 'finish:error']],
    [answer({ content: 'x' }, 'failed'), ['text', 'finish:error']],
    [answer({ content: '' }, 'MALFORMED_FUNCTION_CALL'), ['finish:bad_generation']],
    [answer({ content: null, refusal: 'no' }), ['refusal', 'finish:stop']],
    [answer({ content: 'x', reasoning_content: 'y' }), ['text', 'reasoning', 'finish:stop']],
    [answer({ content: null, tool_calls: [toolCall('{}')] }, 'tool_calls'), ['tool_call', 'finish:tool_calls']],
  ])('%s', (text, types) => {
    expect(decode(text).types).toEqual(types);
  });

  it('mends what a stream would have mended', () => {
    const objects = decode(answer({ content: null, tool_calls: [toolCall({ p: 'x' })] }, 'tool_calls'));
    expect(objects.text).toContain('"arguments":"{\\"p\\":\\"x\\"}"');
    expect(objects.edits).toEqual(['tool_arguments_mended']);
    const ids = decode(answer({ tool_calls: [toolCall('{}', ''), toolCall('{}'), toolCall('{}')] }, 'tool_calls'));
    const seen = JSON.parse(ids.text).choices[0].message.tool_calls.map(({ id }: { id: string }) => id);
    expect(new Set(seen).size).toBe(3);
    expect(seen).not.toContain('');
    const stop = decode(answer({ tool_calls: [toolCall('{}')] }, 'stop'));
    expect(JSON.parse(stop.text).choices[0].finish_reason).toBe('tool_calls');
    const none = decode(answer({ content: 'x' }, null));
    expect(none).toMatchObject({ types: ['text', 'finish:stop'], edits: ['finish_reason_added'] });
  });

  it('tells a cut tool call from a broken one by the tokens spent', () => {
    const text = answer({ content: null, tool_calls: [toolCall('{"p":"x')] }, 'tool_calls');
    const cut = decode(text, { maxOutputTokens: 3 });
    expect(cut.types).toEqual(['tool_call', 'finish:length']);
    expect(cut.text).toBe(text.replace('"finish_reason":"tool_calls"', '"finish_reason":"length"'));
    expect(decode(text, { maxOutputTokens: 100 })).toMatchObject({ types: ['tool_call', 'finish:tool_calls'], text });
  });

  it('knows a call that nobody can run by its missing name', () => {
    const nameless = { id: 'a', type: 'function', function: { name: '', arguments: '{}' } };
    expect(decode(answer({ tool_calls: [nameless] }, 'tool_calls')).types.at(-1)).toBe('finish:bad_generation');
    expect(decode(answer({ tool_calls: [nameless] }, null)).types.at(-1)).toBe('finish:bad_generation');
    const input = { id: 'a', type: 'custom', custom: { input: '*** Begin' } };
    expect(decode(answer({ tool_calls: [input] }, 'tool_calls')).types.at(-1)).toBe('finish:bad_generation');
    const custom = { id: 'a', type: 'custom', custom: { name: 'patch', input: '*** Begin' } };
    expect(decode(answer({ tool_calls: [custom] }, 'tool_calls')).types).toEqual(['tool_call', 'finish:tool_calls']);
  });

  it.each<[string, object, object]>([
    ['all', { tool_calls: [{}, { id: 'a', function: { name: ' ', arguments: '' } }] }, {}],
    ['one', { tool_calls: [{}, toolCall('{}')] }, { tool_calls: [toolCall('{}')] }],
    ['the last', { tool_calls: [toolCall('{}'), {}] }, { tool_calls: [toolCall('{}')] }],
    ['of the older kind', { function_call: { name: '', arguments: '' } }, {}],
    [
      'with an empty object',
      { tool_calls: [toolCall('{}'), { function: { name: '', arguments: ' { } ' } }, { function: { arguments: [] } }] },
      { tool_calls: [toolCall('{}')] },
    ],
    ['of the older kind, with an empty object', { function_call: { name: ' ', arguments: {} } }, {}],
    ['that are no objects', { tool_calls: [null, toolCall('{}')] }, { tool_calls: [toolCall('{}')] }],
  ])('leaves out calls that say nothing: %s', (_, calls, left) => {
    const word = Object.keys(left).length === 0 ? 'stop' : 'tool_calls';
    const { text, types, edits } = decode(answer({ content: 'hello', ...calls }, word));
    expect(JSON.parse(text).choices[0].message).toEqual({ content: 'hello', ...left });
    expect(edits).toEqual(['noise_left_out']);
    expect(types.at(-1)).toBe(`finish:${word}`);
    expect(JSON.parse(text).choices[0].finish_reason).toBe(word);
    const bare = decode(answer({ content: null, ...calls }, word)).types.at(-1);
    expect(bare).toBe(word === 'stop' ? 'finish:bad_generation' : 'finish:tool_calls');
  });

  it.each(['tool_calls', 'function_call', 'tool_use'])('tells %s of no call that was left out', (word) => {
    for (const calls of [{ tool_calls: [{}] }, { function_call: {} }]) {
      const { text, types, edits } = decode(answer({ content: 'hello', ...calls }, word));
      expect(JSON.parse(text).choices[0].finish_reason).toBe('stop');
      expect(edits).toEqual(['noise_left_out', 'finish_reason_mended']);
      expect(types.at(-1)).toBe('finish:stop');
      const bare = decode(answer({ content: null, ...calls }, word));
      expect(bare.types.at(-1)).toBe('finish:bad_generation');
    }
  });

  it('counts calls without holes where they have indices', () => {
    const sent = [{ index: 0 }, { index: 1, ...toolCall('{}') }];
    const { text, edits } = decode(answer({ tool_calls: sent }, 'tool_calls'));
    expect(JSON.parse(text).choices[0].message.tool_calls).toEqual([{ index: 0, ...toolCall('{}') }]);
    expect(edits).toContain('tool_index_mended');
  });

  it('takes half an object for one that was cut off', () => {
    const half = { function: { arguments: '{' } };
    expect(decode(answer({ content: 'x', tool_calls: [half] }, 'stop')).types.at(-1)).toBe('finish:bad_generation');
  });

  it('reads the spent tokens of reasoning from the total', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 13 };
    expect(decode(answer({}, 'length', { usage })).usage?.outputTokens).toBe(8);
  });

  it('renames the model and nothing else', () => {
    const text = answer({ content: '"model":"m"' });
    expect(decode(text, { renameModel: 'main' }).text).toBe(
      text.replace('"model":"m","choices"', '"model":"main","choices"'),
    );
  });
});

describe('conversions', () => {
  const message = {
    role: 'assistant',
    content: null,
    reasoning_content: 'because',
    tool_calls: [toolCall('{"n":1}'), toolCall('{}', 'b')],
  };

  it('makes a stream of an answer', () => {
    const frames = streamFromResponse(encodeUtf8(answer(message, 'tool_calls')), {
      usageAsked: true,
      renameModel: 'main',
    });
    const text = frames.map(({ bytes }) => decodeUtf8(bytes)).join('');
    expect(text).not.toContain('"object":"chat.completion"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    const decoder = createStreamDecoder({ ...OPTIONS, usageAsked: true, onMalformed: 'fail', maxFrameBytes: 1 << 20 });
    const again = [...decoder.push(encodeUtf8(text)), ...decoder.end(true)];
    expect(again.flatMap(({ edits }) => edits)).toEqual([]);
    expect(again.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      'role',
      'reasoning',
      'tool_call',
      'tool_call',
      'tool_end',
      'finish',
      'usage',
      'done',
    ]);
    expect(frames.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      'role',
      'reasoning',
      'tool_call',
      'tool_call',
      'tool_end',
      'finish',
      'usage',
      'done',
    ]);
    expect(JSON.parse(decodeUtf8(responseFromStream(frames.map(({ bytes }) => bytes))))).toEqual({
      ...JSON.parse(answer(message, 'tool_calls')),
      model: 'main',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'tool_calls' }],
    });
  });

  it('writes a pretty-printed answer on one line', () => {
    const pretty = JSON.stringify(JSON.parse(answer({ role: 'assistant', content: 'a\nb' })), null, 2);
    const [first] = streamFromResponse(encodeUtf8(pretty), { usageAsked: false, renameModel: null });
    const lines = decodeUtf8(first?.bytes ?? new Uint8Array()).split('\n');
    expect(lines).toHaveLength(3);
    expect(JSON.parse((lines[0] ?? '').slice(6)).choices[0].delta.content).toBe('a\nb');
  });

  it('keeps usage to itself where nobody asked', () => {
    const frames = streamFromResponse(encodeUtf8(answer({ content: 'x' })), { usageAsked: false, renameModel: null });
    expect(frames.map(({ bytes }) => decodeUtf8(bytes)).join('')).not.toContain('usage');
    expect(frames.flatMap(({ events }) => events.map(({ type }) => type))).toContain('usage');
  });

  it('makes an answer of a stream, choice by choice', () => {
    const chunk = (choices: unknown, rest: object = {}): Uint8Array =>
      encodeUtf8(
        `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest })}\n\n`,
      );
    const stream = [
      encodeUtf8(': wait\n\n'),
      chunk([], { id: '', created: 0, model: '', prompt_filter_results: [] }),
      chunk([{ index: 1, delta: { role: 'assistant', content: 'b' } }]),
      chunk([{ index: 0, delta: { role: 'assistant', content: 'a', reasoning_content: 'r' } }]),
      chunk([{ index: 0, delta: { content: 'A', refusal: 'no', annotations: [1] } }]),
      chunk([{ index: 0, delta: { annotations: [2] }, finish_reason: 'stop', logprobs: { content: [1] } }]),
      chunk([{ index: 1, delta: {}, finish_reason: 'length' }]),
      chunk([], { usage: USAGE }),
      encodeUtf8('data: [DONE]\n\n'),
    ];
    expect(JSON.parse(decodeUtf8(responseFromStream(stream)))).toEqual({
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      prompt_filter_results: [],
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'aA', reasoning_content: 'r', refusal: 'no', annotations: [1, 2] },
          logprobs: { content: [1] },
          finish_reason: 'stop',
        },
        { index: 1, message: { role: 'assistant', content: 'b' }, logprobs: null, finish_reason: 'length' },
      ],
      usage: USAGE,
    });
  });
});
