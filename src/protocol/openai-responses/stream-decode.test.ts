import { describe, expect, it } from 'vitest';
import {
  added,
  CREATED,
  call,
  completed,
  delta,
  done,
  event,
  failed,
  incomplete,
  message,
  numbers,
  OPENED,
  OPTIONS,
  payloads,
  read,
  response,
  run,
  textDone,
  USAGE,
} from '../../../test/kit/responses-stream.ts';
import { encodeUtf8 } from '../json/index.ts';
import { createStreamDecoder } from './stream-decode.ts';

const item = (rest: object): string => added(rest);

describe('what an event says', () => {
  it.each<[string, string[]]>([
    [CREATED, ['start']],
    [event('response.queued', { response: response({ status: 'queued' }) }), ['queued']],
    [event('response.in_progress', { response: response() }), ['in_progress']],
    [OPENED, ['block_open']],
    [item({ type: 'message', content: [{ type: 'output_text', text: 'x' }] }), ['text']],
    [item({ type: 'reasoning', id: 'rs_1', summary: [] }), ['reasoning_open']],
    [item({ type: 'reasoning', summary: [], encrypted_content: 'E' }), ['reasoning_opaque']],
    [item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] }), ['reasoning', 'reasoning_open']],
    [item({ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'x' }] }), ['reasoning', 'reasoning_open']],
    [item(call('')), ['tool_call']],
    [item(call('', { name: '' })), ['tool_fragment']],
    [item({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '' }), ['tool_call']],
    [item({ type: 'local_shell_call', call_id: 'c', action: { type: 'exec' } }), ['tool_call']],
    [item({ type: 'telepathy_call', call_id: 'c' }), ['tool_call']],
    [item({ type: 'tool_search_call', call_id: 'c', execution: 'server' }), ['block_open']],
    [item({ type: 'mcp_call', id: 'm', server_label: 's', name: 'send', arguments: '' }), ['tool_call']],
    [item({ type: 'mcp_list_tools', id: 'm', server_label: 's', tools: [{ name: 't' }] }), ['block_open']],
    [item({ type: 'web_search_call', id: 'ws', action: { type: 'search', query: 'q' } }), ['block_open']],
    [done({ type: 'web_search_call', id: 'ws', action: { type: 'search', query: 'q' } }), ['unknown_content']],
    [item({ type: 'code_interpreter_call', id: 'ci', code: '', container_id: 'c' }), ['block_open']],
    [done({ type: 'code_interpreter_call', id: 'ci', code: 'print(1)' }), ['unknown_content']],
    [done({ type: 'image_generation_call', id: 'ig', result: 'AA==' }), ['image']],
    [done({ type: 'compaction', id: 'cmp', encrypted_content: 'E' }), ['reasoning_opaque']],
    [item({ type: 'hologram', id: 'h', status: 'in_progress' }), ['block_open']],
    [item({ type: 'hologram', id: 'h', shape: 'cube' }), ['unknown_content']],
    [done(message('x')), ['text']],
    [done(call()), ['tool_call', 'tool_end']],
    [done({ type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'x' }), ['tool_call', 'tool_end']],
    [done({ type: 'local_shell_call', call_id: 'c', action: {} }), ['tool_call', 'tool_end']],
    [done({ type: 'mcp_approval_request', id: 'a', name: 'send' }), ['tool_call', 'tool_end']],
    [done({ type: 'mcp_call', name: 'send', output: 'ok' }), ['tool_call']],
    [
      event('response.content_part.added', { part: { type: 'output_text', text: '', annotations: [] } }),
      ['block_open'],
    ],
    [event('response.content_part.added', { part: { type: 'refusal', refusal: 'no' } }), ['refusal']],
    [event('response.content_part.done', { part: { type: 'output_text', text: 'x' } }), ['text']],
    [delta('x'), ['text']],
    [delta(''), ['empty_delta']],
    [delta(' \n'), ['blank_text']],
    [textDone('x'), ['text']],
    [event('response.output_text.annotation.added', { annotation: { type: 'url_citation' } }), ['citation']],
    [event('response.refusal.delta', { delta: 'no' }), ['refusal']],
    [event('response.reasoning_summary_part.added', { part: { type: 'summary_text', text: '' } }), ['block_open']],
    [event('response.reasoning_summary_text.delta', { delta: 'x' }), ['reasoning']],
    [event('response.reasoning_text.delta', { delta: 'x' }), ['reasoning']],
    [event('response.function_call_arguments.delta', { delta: '{' }), ['tool_fragment']],
    [event('response.function_call_arguments.done', { arguments: '{}' }), ['tool_fragment']],
    [event('response.custom_tool_call_input.delta', { delta: '*' }), ['tool_fragment']],
    [event('response.web_search_call.searching', { item_id: 'ws' }), ['in_progress']],
    [event('response.mcp_call.failed', { item_id: 'm' }), ['in_progress']],
    [event('response.mcp_call.failed', { item_id: 'm', error: 'no such tool' }), ['unknown_content']],
    [event('response.code_interpreter_call_code.delta', { delta: 'print' }), ['unknown_content']],
    [event('response.image_generation_call.partial_image', { partial_image_b64: 'AA==' }), ['image']],
    [event('response.audio.delta', { delta: 'AA==' }), ['audio']],
    [event('response.smell.delta', { delta: 'rose' }), ['unknown_content']],
    [event('response.smell.started', { item_id: 's' }), ['in_progress']],
    [event('vendor.note', { text: 'x' }), ['start']],
    [event('codex.rate_limits', { rate_limits: {} }), ['rate_limit_info']],
    [event('keepalive', { sequence_number: 3 }), ['ping']],
    [event('response.heartbeat'), ['ping']],
    ['data: {"type":"ping"}\n\n', ['ping']],
    ['event: ping\n\n', ['ping']],
    [': c\n\n', ['comment']],
    ['event: response.output_text.delta\ndata: {"delta":"x"}\n\n', ['text']],
    ['data: {"type":"response.output_text.delta","delta":"x"}\n\n', ['text']],
    ['data: keep-alive\n\n', ['noise']],
    ['data: [DONE]\n\n', ['noise']],
    ['data: {"type":"resp\n\n', ['malformed']],
  ])('%s', (stream, types) => {
    expect(run(stream).types).toEqual(types);
  });

  it.each([
    event('error', { code: 'c', message: 'm', param: null }),
    event('error', { error: { type: 't', code: 'c', message: 'm' } }),
    'data: {"type":"error","code":"c","message":"m"}\n\n',
    'event: error\ndata: {"code":"c","message":"m"}\n\n',
    'data: {"error":{"code":"c","message":"m"}}\n\n',
    failed({ code: 'c', message: 'm' }),
    'data: {"type":"response.failed","error":{"code":"c","message":"m"}}\n\n',
    event('response.completed', { response: response({ status: 'failed', error: { code: 'c', message: 'm' } }) }),
  ])('an error: %s', (stream) => {
    const { events, text } = run(stream);
    expect(events).toMatchObject([{ type: 'error', error: { code: 'c', message: 'm' } }]);
    expect(text).toBe('');
  });

  it('a failure without words', () => {
    expect(run(failed(null)).types).toEqual(['error']);
    expect(run(event('response.cancelled', { response: response({ status: 'cancelled' }) })).types).toEqual(['error']);
  });
});

describe('how an answer ends', () => {
  it('leaves a complete stream as it is, and ends with its last event', () => {
    const stream = [CREATED, OPENED, delta('Hel'), delta('lo'), textDone('Hello'), completed([message('Hello')])].join(
      '',
    );
    const { text, types, edits, frames, decoder } = run(stream);
    expect(text).toBe(stream);
    expect(types).toEqual(['start', 'block_open', 'text', 'text', 'text', 'usage', 'finish:stop', 'done']);
    expect(edits).toEqual([]);
    expect(frames.reduce((sum, { count }) => sum + count, 0)).toBe(6);
    expect(decoder.usage()).toMatchObject({ inputTokens: 5, outputTokens: 3, source: 'reported' });
    expect(decoder.answerId?.()).toBe('resp_1');
  });

  it('lets nothing through behind it', () => {
    const stream = CREATED + completed([message('x')]);
    expect(run(`${stream}data: [DONE]\n\n: late\n\n${delta('y')}`).text).toBe(stream);
  });

  it.each([
    [completed([]), ['usage', 'finish:stop', 'done']],
    [completed([message('x')]), ['usage', 'text', 'finish:stop', 'done']],
    [completed([call()]), ['usage', 'tool_call', 'finish:tool_calls', 'done']],
    [completed([{ type: 'reasoning', summary: [] }]), ['usage', 'reasoning_open', 'finish:stop', 'done']],
    [incomplete('max_output_tokens'), ['finish:length', 'done']],
    [incomplete('content_filter'), ['finish:content_filter', 'done']],
    [incomplete('steered'), ['error']],
    [incomplete(null), ['error']],
    [
      completed([], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      ['usage', 'finish:length', 'done'],
    ],
  ])('%s', (stream, types) => {
    expect(run(stream).types).toEqual(types);
  });

  it('takes the output of the last event for nothing new behind output', () => {
    expect(run(delta('x') + completed([message('x')])).types).toEqual(['text', 'usage', 'finish:stop', 'done']);
  });

  it('says of what a response failed to be whole', () => {
    expect(run(incomplete('server_shutdown')).events).toMatchObject([
      { type: 'error', error: { code: 'server_shutdown' } },
    ]);
  });

  it('knows that a tool call was made', () => {
    expect(run(done(call()) + completed([call()])).types.slice(-2)).toEqual(['finish:tool_calls', 'done']);
  });

  it('adds no end to an answer without one', () => {
    const stream = CREATED + OPENED + delta('x');
    expect(run(stream).text).toBe(stream);
    expect(run(`${stream}data: [DONE]\n\n`).types.slice(-1)).toEqual(['noise']);
    expect(run(`${stream}data: [DONE]`).types.slice(-1)).toEqual(['noise']);
  });

  it('takes a last event whose blank line is missing, at a clean end', () => {
    const stream = CREATED + delta('x');
    const end = completed([message('x')]);
    const { text, types, edits } = run(stream + end.trimEnd());
    expect(text).toBe(stream + end);
    expect(types.slice(-3)).toEqual(['usage', 'finish:stop', 'done']);
    expect(edits).toEqual(['half_frame_left_out', 'done_added']);
    expect(run(stream + end.trimEnd(), {}, false).types).toEqual(['start', 'text', 'noise']);
    expect(run(stream + delta('y').trimEnd()).text).toBe(stream);
    expect(run(`${stream}${failed({ message: 'm' }).trimEnd()}`).types.slice(-1)).toEqual(['error']);
  });
});

describe('numbers and ids', () => {
  it('are told with each frame, runs too', () => {
    const decoder = createStreamDecoder(OPTIONS);
    const first = decoder.push(encodeUtf8(numbers([CREATED, OPENED, delta('a')]).join('')));
    expect(first.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    decoder.relax();
    const [run1, ...rest] = decoder.push(encodeUtf8(numbers([delta('b'), delta('c'), delta('d')], 3).join('')));
    expect([run1?.sequence, run1?.count, rest.length]).toEqual([5, 3, 0]);
    expect(run(CREATED).frames[0]).not.toHaveProperty('sequence');
  });

  it('of a renamed model, before and after it relaxes', () => {
    const named = event('response.created', { response: response({ model: 'm' }) });
    const { text, edits } = run(named + delta('x') + completed([message('x')], { model: 'm' }), {
      renameModel: 'main',
    });
    expect(payloads(text).flatMap((each) => (each['response'] as { model?: string } | undefined)?.model ?? [])).toEqual(
      ['main', 'main'],
    );
    expect(edits).toEqual(['model_renamed', 'model_renamed']);
  });

  it('of tool calls are mended the same way in every event', () => {
    const bare = { type: 'function_call', name: 'pay', arguments: '' };
    const whole = { ...bare, arguments: { n: 1 } };
    const { text, edits } = run(CREATED + added(bare) + done(whole) + completed([whole]));
    const items = payloads(text).flatMap(({ item, response: answer }) => [
      ...(item === undefined ? [] : [item]),
      ...((answer as { output?: unknown[] } | undefined)?.output ?? []),
    ]) as { call_id: string; arguments: string }[];
    expect(items.map((each) => each.arguments)).toEqual(['', '{"n":1}', '{"n":1}']);
    expect(new Set(items.map((each) => each.call_id)).size).toBe(1);
    expect(items[0]?.call_id).toMatch(/^call_/);
    expect(new Set(edits)).toEqual(new Set(['tool_id_mended', 'tool_arguments_mended']));
    expect(run(added({ ...bare, id: 'fc_7' })).text).toContain('"call_id":"fc_7"');
  });
});

describe('a relaxed decoder', () => {
  function relaxed(stream: string, ahead = CREATED + OPENED + delta('a')): ReturnType<typeof read> {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(ahead));
    decoder.relax();
    return read([...decoder.push(encodeUtf8(stream)), ...decoder.end(true)]);
  }

  it('may end with any number of log probabilities', () => {
    const token = `{"token":"a","top_logprobs":[${Array.from({ length: 20 }, () => '{"b":[1]}').join()}]}`;
    const logprobs = `[${Array.from({ length: 8000 }, () => token).join()}]`;
    const last = (member: string): string =>
      completed([message('a')]).replace('"text":"a"', `"text":"a","${member}":${logprobs}`);
    expect(last('logprobs').length).toBeLessThan(OPTIONS.maxFrameBytes);
    expect(run([CREATED, OPENED, delta('a'), last('logprobs')]).types).toContain('finish:stop');
    expect(run([CREATED, OPENED, delta('a'), last('other')]).types).toContain('malformed');
  });

  it('joins quiet frames of one read into one, without a copy', () => {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(delta('x')));
    decoder.relax();
    const chunk = encodeUtf8(
      delta('a', { obfuscation: 'x1', logprobs: [] }) +
        delta('b\\"', { obfuscation: 'y22', logprobs: [] }) +
        delta('', { obfuscation: '', logprobs: [] }) +
        event('response.function_call_arguments.delta', { delta: '{' }),
    );
    const frames = decoder.push(chunk);
    expect(frames).toMatchObject([{ events: [], edits: [], count: 4 }]);
    expect(frames[0]?.bytes.buffer).toBe(chunk.buffer);
  });

  it.each([
    [delta('b', { error: { message: 'm', code: 'c' } }), ['error']],
    [event('response.output_text.delta', { delta: 'b', response: response({ usage: USAGE }) }), ['usage', 'text']],
    [event('response.function_call_arguments.delta', { delta: { n: 1 } }), ['tool_fragment']],
    [delta('b').replace('"delta":"b"', '"delta":"b'), ['malformed']],
    [`${delta('b')}${completed([message('ab')])}`, ['usage', 'finish:stop', 'done']],
  ])('reads what may decide: %s', (stream, types) => {
    expect(relaxed(stream).types.filter((type) => type !== 'noise')).toEqual(types);
  });

  it('takes no number that is none', () => {
    const [a, b] = numbers([delta('b'), delta('c')], 7);
    expect(relaxed(`${a}${b?.replace(':8,', ':08,')}`).types).toEqual(['malformed']);
    expect(relaxed(`${a}${b?.replace(':8,', ':-8,')}`).text).toContain(':-8,');
  });

  it('is not misled by a frame that begins like the one before', () => {
    const stream = delta('b') + delta('c').replace('"delta":"c"', '"delta":"c","error":{"message":"m"}') + delta('d');
    expect(relaxed(stream).types).toEqual(['error']);
  });
});

describe('framing', () => {
  it('joins JSON that lies over several data lines', () => {
    const { text, types, edits } = run(
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta",\ndata: "delta":"x"}\n\n',
    );
    expect(text).toBe('event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"x"}\n\n');
    expect(types).toEqual(['text']);
    expect(edits).toEqual(['data_lines_joined']);
  });

  it('leaves a byte order mark out', () => {
    expect(run(`\ufeff${CREATED}`)).toMatchObject({ text: CREATED, edits: ['noise_left_out'] });
  });

  it.each(['\n', '\r\n', '\r'])('takes lines that end in %j, relaxed or not', (eol) => {
    const stream = [CREATED, delta('a'), delta('b'), completed([message('ab')])].join('').replaceAll('\n', eol);
    const decoder = createStreamDecoder(OPTIONS);
    decoder.relax();
    const frames = [...decoder.push(encodeUtf8(stream)), ...decoder.end(true)];
    expect(read(frames).text).toBe(stream);
    expect(
      read(frames)
        .types.filter((type) => type !== 'comment')
        .slice(-2),
    ).toEqual(['finish:stop', 'done']);
  });

  it('sees the end of an answer in a frame beyond the bound', () => {
    const image = { type: 'image_generation_call', id: 'ig', result: 'A'.repeat(2000) };
    for (const cut of [
      (text: string): string[] => [text],
      (text: string): string[] => text.match(/[\s\S]{1,97}/g) ?? [],
    ]) {
      const { text, types } = run(cut(CREATED + completed([image])), { maxFrameBytes: 1000 });
      expect(text).toBe(CREATED + completed([image]));
      expect(types).toEqual(['start', 'unknown_content', 'finish:stop', 'done']);
    }
    expect(run(CREATED + done(image), { maxFrameBytes: 1000 }).types).toEqual(['start', 'unknown_content']);
    const broken = run(CREATED + failed({ message: 'm'.repeat(2000) }), { maxFrameBytes: 1000 });
    expect([broken.text, broken.types]).toEqual([CREATED, ['start', 'error']]);
  });
});
