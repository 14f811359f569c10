import { describe, expect, it } from 'vitest';
import { DECODER_OPTIONS, runDecoder } from '../../../test/kit/decoder-run.ts';
import { call, chunk, data, run, said, stop, thought, USAGE } from '../../../test/kit/gemini-stream.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { createStreamDecoder } from './stream-decode.ts';

describe('what a chunk says', () => {
  it.each([
    [said('x'), ['text']],
    [said(' \n'), ['blank_text']],
    [said(''), ['empty_delta']],
    [thought('t'), ['reasoning']],
    [thought(''), ['reasoning_open']],
    [chunk([{ text: '', thoughtSignature: 'S' }]), ['reasoning_opaque']],
    [chunk([{ thoughtSignature: 'S' }]), ['reasoning_opaque']],
    [call(), ['tool_call', 'tool_end']],
    [chunk([{ functionCall: { name: 'a' } }, { functionCall: { name: 'b' } }]), ['tool_call', 'tool_call', 'tool_end']],
    [chunk([{ functionCall: { args: {} } }]), ['tool_fragment']],
    [chunk([{ inlineData: { mimeType: 'image/png', data: 'AA==' } }]), ['image']],
    [chunk([{ inlineData: { mimeType: 'audio/wav', data: 'AA==' } }]), ['audio']],
    [chunk([{ inlineData: { mimeType: 'video/mp4', data: 'AA==' } }]), ['unknown_content']],
    [chunk([{ executableCode: { language: 'PYTHON', code: '1' } }]), ['tool_call']],
    [chunk([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }]), ['unknown_content']],
    [chunk([{ novel: { poem: 'x' } }]), ['unknown_content']],
    [chunk([{}]), ['empty_delta']],
    [chunk([null]), ['empty_delta']],
    [chunk([], { groundingMetadata: { groundingChunks: [{ web: {} }] } }), ['citation']],
    [chunk([], { citationMetadata: { citations: [{}] } }), ['citation']],
    [chunk([], { groundingMetadata: {} }), ['empty_delta']],
    [data({ usageMetadata: USAGE }), ['usage']],
    [data({ responseId: 'r' }), ['in_progress']],
    [data({ promptFeedback: { safetyRatings: [] } }), ['filter_results']],
    [data({ candidates: [] }), ['in_progress']],
    [': c\n\n', ['comment']],
    ['data: [DONE]\n\n', ['noise']],
    ['data: keep-alive\n\n', ['noise']],
    ['data: {"candidates":[{\n\n', ['malformed']],
  ])('%s', (stream, types) => {
    expect(run(stream).types).toEqual(types);
  });

  it.each([
    'data: {"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}\n\n',
    'data: [{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}]\n\n',
    'event: error\ndata: {"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}\n\n',
  ])('an error: %s', (stream) => {
    const { events, text, edits } = run(said('x') + stream);
    expect(events[1]).toMatchObject({ type: 'error', error: { status: 503, type: 'UNAVAILABLE', message: 'm' } });
    expect(text).toBe(said('x'));
    expect(edits).toEqual(['error_replaced']);
  });

  it('a told delay', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
    const error = { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED', details };
    expect(run(data({ error })).events[0]).toMatchObject({ error: { status: 429, delay: { text: '34.5s' } } });
  });
});

describe('how an answer ends', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['LANGUAGE', 'unknown'],
    ['NO_IMAGE', 'unknown'],
    ['OTHER', 'error'],
    ['MALFORMED_FUNCTION_CALL', 'bad_generation'],
    ['UNEXPECTED_TOOL_CALL', 'bad_generation'],
    ['constructor', 'unknown'],
  ])('%s is %s', (word, reason) => {
    expect(run(stop(word)).types).toContain(`finish:${reason}`);
  });

  it.each(['OTHER', 'MALFORMED_FUNCTION_CALL'])('%s behind words takes nothing of them away', (word) => {
    expect(run(said('x') + stop(word)).types).toContain('finish:unknown');
  });

  it.each(['', 'FINISH_REASON_UNSPECIFIED', null])('%j is no end', (word) => {
    expect(run(said('x') + stop(word)).types).toEqual(['text', 'usage', 'empty_delta']);
  });

  it('leaves a complete stream as it is, and adds its end mark without bytes', () => {
    const whole = thought('t') + said('x') + stop();
    const { text, types, edits, usage } = run(whole);
    expect(text).toBe(whole);
    expect(types).toEqual(['reasoning', 'text', 'usage', 'empty_delta', 'finish:stop', 'done']);
    expect(edits).toEqual([]);
    expect(usage).toMatchObject({ inputTokens: 5, outputTokens: 3, source: 'reported' });
  });

  it('a call and the end in one chunk: the call is the end', () => {
    const { types, events } = run(call('f', {}, { finishReason: 'STOP' }));
    expect(types).toEqual(['tool_call', 'tool_end', 'finish:tool_calls', 'done']);
    expect(events[1]).toEqual({ type: 'tool_end', terminal: true });
    expect(run(call() + stop()).events[1]).toEqual({ type: 'tool_end', terminal: false });
  });

  it('behind a call only a clean end proves that the answer is whole', () => {
    const ended = call('f', {}, { finishReason: 'STOP' });
    expect(run(ended, {}, false).types).not.toContain('done');
    expect(run(said('x') + stop(), {}, false).types).toContain('done');
  });

  it('is a cut without a reason', () => {
    expect(run(said('x')).types).toEqual(['text']);
  });

  it.each(['SAFETY', 'OTHER', 'JAILBREAK', 'NOVEL'])('a blocked prompt (%s)', (blockReason) => {
    const { events } = run(data({ promptFeedback: { blockReason } }));
    expect(events).toEqual([{ type: 'finish', reason: 'content_filter', raw: blockReason }, { type: 'done' }]);
  });

  it('with several candidates: when as many have ended as were asked for, or at a clean end', () => {
    const one = said('a', { index: 0, finishReason: 'STOP' });
    const two = said('b', { index: 1, finishReason: 'MAX_TOKENS' });
    expect(run(one + two, { choices: 2 }).types).toEqual(['text', 'text', 'finish:stop', 'done']);
    expect(run(one, { choices: 2 }).types).toEqual(['text', 'finish:stop', 'done']);
    expect(run(one, { choices: 2 }, false).types).toEqual(['text']);
  });

  it('in a frame beyond the bound', () => {
    const large = chunk([{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(3000) } }], { finishReason: 'STOP' });
    const { types, text } = run(large.match(/.{1,700}/gs) ?? [], { maxFrameBytes: 1024 });
    expect(text).toBe(large);
    expect(types).toEqual(['unknown_content', 'finish:stop', 'done']);
    const tricky = said(`${'A'.repeat(3000)}"finishReason":"STOP"`);
    expect(run(tricky, { maxFrameBytes: 1024 }).types).toEqual(['unknown_content']);
  });
});

describe('mends', () => {
  it('renames the model', () => {
    const { text, edits } = run(said('x') + stop(), { renameModel: 'virtual' });
    expect(text).toBe((said('x') + stop()).replaceAll('"modelVersion":"m"', '"modelVersion":"virtual"'));
    expect(edits).toEqual(['model_renamed', 'model_renamed']);
  });

  it('arguments that are the text of an object', () => {
    expect(run(call('f', '{"p":9007199254740993}')).text).toBe(call('f', { p: 1 }).replace('1}', '9007199254740993}'));
    expect(run(call('f', ' ')).text).toBe(call('f', {}));
    expect(run(call('f', 'word')).text).toBe(call('f', 'word'));
  });
});

describe('usage', () => {
  it.each([
    [{ promptTokenCount: 5 }, { inputTokens: 5, outputTokens: null, reasoningTokens: null, cachedTokens: null }],
    [
      { promptTokenCount: 5, cachedContentTokenCount: 2, candidatesTokenCount: 3, thoughtsTokenCount: 4 },
      { inputTokens: 5, outputTokens: 7, reasoningTokens: 4, cachedTokens: 2 },
    ],
    [
      { promptTokenCount: 5, thoughtsTokenCount: 4 },
      { outputTokens: 4, reasoningTokens: 4 },
    ],
    [{ promptTokenCount: 5, toolUsePromptTokenCount: 6, candidatesTokenCount: 1 }, { inputTokens: 11 }],
  ])('%j', (usageMetadata, usage) => {
    expect(run(data({ usageMetadata })).usage).toMatchObject(usage);
  });

  it('of a stream that was relaxed and cut is that of its last chunk', () => {
    const decoder = createStreamDecoder(DECODER_OPTIONS);
    decoder.relax();
    const told = (count: number): string =>
      said('x', {}, { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: count } });
    const frames = decoder.push(encodeUtf8(told(1) + told(2)));
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ count: 2, events: [] });
    expect(decoder.usage()).toMatchObject({ outputTokens: 2 });
  });
});

describe('relaxed', () => {
  const relaxed = (stream: string) => {
    const decoder = createStreamDecoder(DECODER_OPTIONS);
    decoder.relax();
    return runDecoder(decoder, stream, true);
  };

  it.each([
    [said('x') + thought('t'), []],
    [said('x', { index: 0, safetyRatings: [] }, { usageMetadata: USAGE, createTime: 't' }), []],
    [said('x', { index: 1 }), ['text']],
    [said('x', { finishReason: 'STOP' }), ['text', 'finish:stop', 'done']],
    [said('x', {}, { error: { code: 500, message: 'm' } }), ['error']],
    [said('x', {}, { promptFeedback: { blockReason: 'OTHER' } }), ['text', 'finish:content_filter', 'done']],
    [chunk([{ text: 'x', thoughtSignature: 'S' }]), ['text']],
    [call(), ['tool_call', 'tool_end']],
    [said('x', { groundingMetadata: { groundingChunks: [{}] } }), ['text', 'citation']],
    [said(5), ['empty_delta']],
  ])('%s', (stream, types) => {
    const { types: found, text } = relaxed(stream);
    expect(found).toEqual(types);
    if (!types.includes('error')) expect(text).toBe(stream);
  });

  it('leaves out a byte order mark', () => {
    const { text, edits } = run(`\ufeff${said('x')}`);
    expect(text).toBe(said('x'));
    expect(edits).toEqual(['noise_left_out']);
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  });
});
