import { describe, expect, it } from 'vitest';
import { call, chunk, DONE, delta, OPTIONS, payloads, run, STOP } from '../../../test/kit/chat-stream.ts';
import type { Frame } from '../../core/model/event.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { createStreamDecoder } from './stream-decode.ts';

describe('what a chunk says', () => {
  it.each<[string, string[]]>([
    [delta({ role: 'assistant', content: '' }), ['role']],
    [delta({ role: 'assistant', content: 'x' }), ['role', 'text']],
    [delta({ content: '' }), ['empty_delta']],
    [delta({}), ['empty_delta']],
    [delta(null), ['empty_delta']],
    [chunk({}, [{ index: 0 }]), ['empty_delta']],
    [delta({ content: ' \n' }), ['blank_text']],
    [delta({ tool_calls: [] }), ['empty_delta']],
    [delta({ content: [{ type: 'text', text: 'x' }] }), ['text']],
    [delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'x' }] }] }), ['reasoning']],
    [delta({ refusal: 'no' }), ['refusal']],
    [delta({ reasoning_content: 'x' }), ['reasoning']],
    [delta({ reasoning: 'x', reasoning_details: [{ type: 'reasoning.text', text: 'x' }] }), ['reasoning']],
    [delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }), ['reasoning_opaque']],
    [delta({ reasoning_content: ' ' }), ['blank_text']],
    [delta({ audio: { id: 'a' } }), ['block_open']],
    [delta({ audio: { id: 'a', data: 'AA' } }), ['audio']],
    [delta({ images: [{ type: 'image_url' }] }), ['image']],
    [delta({ annotations: [{ type: 'url_citation' }] }), ['citation']],
    [delta({ annotations: [] }), ['empty_delta']],
    [delta({ hologram: [1] }), ['unknown_content']],
    [delta({ hologram: null, token_ids: [1] }), ['empty_delta']],
    [delta({ function_call: { name: 'f', arguments: '' } }), ['tool_call']],
    [chunk({ prompt_filter_results: [{}] }), ['filter_results']],
    [chunk({}, [{ index: 0, delta: {}, content_filter_results: { hate: {} } }]), ['filter_results']],
    [chunk({ x_groq: { id: 'r' } }, [{ index: 0, delta: { role: 'assistant' } }]), ['role']],
    [chunk({ x_groq: { usage: { prompt_tokens: 1, completion_tokens: 2 } } }, [{ index: 0, delta: {} }]), ['usage']],
    [chunk({ usage: null }, [{ index: 0, delta: { content: 'x' } }]), ['text']],
    ['data: {"type":"ping"}\n\n', ['ping']],
    ['event: ping\n\n', ['ping']],
    [': OPENROUTER PROCESSING\n\n', ['comment']],
    ['\n', ['comment']],
    [`: x\n${delta({ content: 'x' })}`, ['text']],
    ['data: keep-alive\n\n', ['noise']],
    ['data:\n\n', ['noise']],
    ['data\n\n', ['noise']],
    ['data: [1]\n\n', ['noise']],
    ['data: {"id":"x","choi\n\n', ['malformed']],
    [chunk({}, [{ index: 0, delta: { content: 'a' }, message: { content: 'aa' } }]), ['text']],
  ])('%s', (stream, types) => {
    expect(run(stream).types).toEqual(types);
  });

  it.each([
    'data: {"error":{"message":"m","type":"server_error","code":"c"}}\n\n',
    'data:{"error":{"message":"m","code":"c"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
    'data: {"id":"x","choices":[{"index":0,"delta":{},"error":{"message":"m","code":"c"}}]}\n\n',
    'data: {"object":"error","message":"m","code":"c"}\n\n',
    'data: [{"error":{"message":"m","code":"c"}}]\n\n',
    'event: error\ndata: {"error":{"message":"m","code":"c"}}\ndata: [DONE]\n\n',
    'error: {"message":"m","code":"c"}\n\n',
    'event: error\ndata: {"code":"c","message":"m"}\n\n',
  ])('an error: %s', (stream) => {
    const { events, text } = run(stream);
    expect(events[0]).toMatchObject({ type: 'error', error: { code: 'c', message: 'm' } });
    expect(text).toBe('');
  });

  it('an error by its name, by a detail, by text alone', () => {
    expect(run('event: error\ndata: upstream broke\n\n').events[0]).toMatchObject({
      type: 'error',
      error: { message: 'upstream broke' },
    });
    expect(run('event: error\n\n').types).toEqual(['error']);
    expect(run('data: {"detail":"gone"}\n\n').types).toEqual(['error']);
    expect(run('data: {"error":"gone"}\n\n').types).toEqual(['error']);
    expect(run(chunk({ error: null }, [{ index: 0, delta: { content: 'x' } }])).types).toEqual(['text']);
  });
});

describe('how an answer ends', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['content_filter', 'content_filter'],
    ['SAFETY', 'content_filter'],
    ['error', 'error'],
    ['insufficient_system_resource', 'error'],
    ['flux', 'unknown'],
    ['function_call_filter: MALFORMED_FUNCTION_CALL', 'bad_generation'],
  ])('%s is %s', (word, reason) => {
    expect(run(delta({}, word)).types[0]).toBe(`finish:${reason}`);
  });

  it('leaves a complete stream as it is', () => {
    const stream = delta({ role: 'assistant', content: '' }) + delta({ content: 'x' }) + STOP + DONE;
    const { text, types, edits } = run(stream);
    expect(text).toBe(stream);
    expect(types).toEqual(['role', 'text', 'finish:stop', 'done']);
    expect(edits).toEqual([]);
  });

  it('adds a missing finish reason, and a missing end mark', () => {
    const noFinish = run(delta({ content: 'x' }) + DONE);
    expect(noFinish.types).toEqual(['text', 'finish:stop', 'done']);
    expect(noFinish.edits).toEqual(['finish_reason_added']);
    expect(payloads(noFinish.text)[1]).toMatchObject({ id: 'c1', model: 'm', choices: [{ finish_reason: 'stop' }] });
    const noMark = run(delta({ content: 'x' }) + STOP);
    expect(noMark.text.endsWith(DONE)).toBe(true);
    expect(noMark.edits).toEqual(['done_added']);
  });

  it('adds nothing to a cut answer, and drops its half frame', () => {
    const { text, types } = run(`${delta({ content: 'x' })}data: {"id":"c1","choi`);
    expect(text).toBe(delta({ content: 'x' }));
    expect(types).toEqual(['text', 'noise']);
    expect(run(DONE).types).toEqual(['done']);
  });

  it('takes an end mark without line ends', () => {
    expect(run(`${delta({ content: 'x' })}data: [DONE]`).types).toEqual(['text', 'noise', 'finish:stop', 'done']);
    expect(run(`${delta({ content: 'x' })}data: [DONE]`, {}, false).types).toEqual(['text', 'noise']);
  });

  it('completes an unclean end behind a finish, unless a tool call hangs on it', () => {
    expect(run(delta({ content: 'x' }) + STOP, {}, false).types).toEqual(['text', 'finish:stop', 'done']);
    const tool = call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }) + delta({}, 'tool_calls');
    expect(run(tool, {}, false).types).toEqual(['tool_call', 'tool_end', 'finish:tool_calls']);
  });

  it('takes an empty finish reason for none', () => {
    const { text, types, edits } = run(delta({ content: 'x' }, '') + STOP + DONE);
    expect(types).toEqual(['text', 'finish:stop', 'done']);
    expect(text).toBe(delta({ content: 'x' }) + STOP + DONE);
    expect(edits).toEqual(['finish_reason_mended']);
  });

  it('waits for all choices that were asked for', () => {
    const types = (stream: string): string[] =>
      run(stream, { choices: 2 }).types.filter((type) => type !== 'empty_delta');
    const two = delta({ content: 'a' }) + delta({ content: 'b' }, null, 1) + STOP;
    expect(run(two, { choices: 2 }).types).toEqual(['text', 'text', 'empty_delta']);
    expect(types(two + delta({}, 'length', 1) + DONE)).toEqual(['text', 'text', 'finish:stop', 'done']);
    expect(types(two + DONE)).toEqual(['text', 'text', 'finish:stop', 'done']);
    expect(run(two + DONE, { choices: 2 }).edits).toEqual(['finish_reason_added']);
    expect(types(delta({ content: 'a' }) + STOP + DONE)).toEqual(['text', 'finish:stop', 'done']);
  });

  it('lets the first choice speak for all, and its first word', () => {
    const types = (stream: string): string[] => run(stream + DONE, { choices: 2 }).types;
    const [one, other] = [delta({ content: 'a' }, 'stop'), delta({ content: 'b' }, 'length', 1)];
    expect(types(other + one)).toEqual(['text', 'text', 'finish:stop', 'done']);
    const twice = delta({ content: 'a' }, 'length') + STOP + delta({ content: 'b' }, 'stop', 1);
    expect(types(twice)).toEqual(['text', 'empty_delta', 'text', 'finish:length', 'done']);
  });

  it('does not take a call without arguments for whole because the end mark came', () => {
    const bare = call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } });
    expect(run(bare + DONE).types).toEqual(['tool_call', 'cut']);
    expect(run(bare + delta({}, 'tool_calls') + DONE).types).toContain('finish:tool_calls');
  });

  it('lets nothing through behind the end mark', () => {
    expect(run(delta({ content: 'x' }) + STOP + DONE + delta({ content: 'y' }) + DONE).text).toBe(
      delta({ content: 'x' }) + STOP + DONE,
    );
  });
});

describe('usage', () => {
  const USAGE = {
    prompt_tokens: 5,
    completion_tokens: 3,
    total_tokens: 8,
    prompt_tokens_details: { cached_tokens: 2 },
  };

  it('is read, and left out where nobody asked', () => {
    const { text, types, edits } = run(delta({ content: 'x' }) + STOP + chunk({ usage: USAGE }) + DONE);
    expect(text).toBe(delta({ content: 'x' }) + STOP + DONE);
    expect(types).toEqual(['text', 'finish:stop', 'usage', 'done']);
    expect(edits).toEqual(['usage_chunk_left_out']);
  });

  it('stays where it was asked for, with its choices', () => {
    const { text, edits } = run(`data: {"id":"c1","usage":${JSON.stringify(USAGE)}}\n\n`, { usageAsked: true });
    expect(payloads(text)[0]).toEqual({ id: 'c1', usage: USAGE, choices: [] });
    expect(edits).toEqual(['choices_added']);
  });

  it('looks less closely as soon as it may, in the same chunk', () => {
    const chunk = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
    const decoder = createStreamDecoder(OPTIONS);
    const frames = decoder.push(encodeUtf8(['a', 'b', 'c'].map(chunk).join('')), () => {
      decoder.relax();
      return true;
    });
    expect(frames.map(({ events, count }) => [events.length, count])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  it('stays on a chunk that says something else', () => {
    const stream = chunk({ usage: USAGE }, [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }]);
    const decoder = createStreamDecoder(OPTIONS);
    const [frame] = decoder.push(encodeUtf8(stream));
    expect(decodeUtf8(frame?.bytes ?? new Uint8Array())).toBe(stream);
    expect(frame?.events.map(({ type }) => type)).toEqual(['usage', 'text', 'finish']);
    expect(decoder.usage()).toMatchObject({ inputTokens: 5, outputTokens: 3, cachedTokens: 2, source: 'reported' });
  });
});

describe('framing', () => {
  it('joins JSON that lies over several data lines', () => {
    const { text, types, edits } = run(
      'id: 1\ndata: {"id":"c1",\ndata:  "choices":[{"index":0,"delta":{"content":"x"}}]}\n\n',
    );
    expect(text).toBe('id: 1\ndata: {"id":"c1", "choices":[{"index":0,"delta":{"content":"x"}}]}\n\n');
    expect(types).toEqual(['text']);
    expect(edits).toEqual(['data_lines_joined']);
  });

  it('parts frames whose blank line was forgotten', () => {
    const { text, types } = run(`${delta({ content: 'x' }).trimEnd()}\n${STOP.trimEnd()}\n${DONE}`);
    expect(text).toBe(delta({ content: 'x' }) + STOP + DONE);
    expect(types).toEqual(['text', 'finish:stop', 'done']);
  });

  it('leaves a byte order mark out: comments may stand in front of it', () => {
    const { text, edits } = run(`\ufeff${delta({ content: 'x' })}`);
    expect(text).toBe(delta({ content: 'x' }));
    expect(edits).toEqual(['noise_left_out']);
  });

  it('drops what is broken only when told to, and never inside a tool call', () => {
    const broken = 'data: {"id":"c1","choi\n\n';
    const dropped = run(delta({ content: 'x' }) + broken + STOP + DONE, { onMalformed: 'drop' });
    expect(dropped.types).toEqual(['text', 'noise', 'finish:stop', 'done']);
    expect(dropped.edits).toEqual(['malformed_left_out']);
    const inCall = call({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }) + broken;
    expect(run(inCall, { onMalformed: 'drop' }).types).toEqual(['tool_call', 'malformed']);
  });

  it('gives a frame beyond the bound out as it is', () => {
    const large = delta({ content: 'y'.repeat(500) });
    const { text, types } = run(large + STOP + DONE, { maxFrameBytes: 256 });
    expect(text).toBe(large + STOP + DONE);
    expect(types).toEqual(['unknown_content', 'finish:stop', 'done']);
  });

  it('renames the model, before and after it relaxes', () => {
    const decoder = createStreamDecoder({ ...OPTIONS, renameModel: 'main' });
    const frames = [...decoder.push(encodeUtf8(delta({ content: 'x' })))];
    decoder.relax();
    frames.push(...decoder.push(encodeUtf8(delta({ content: 'y' }) + STOP)));
    const text = frames.map(({ bytes }) => decodeUtf8(bytes)).join('');
    expect(text).toBe((delta({ content: 'x' }) + delta({ content: 'y' }) + STOP).replaceAll('"m"', '"main"'));
  });
});

describe('a relaxed decoder', () => {
  function relaxed(stream: string): readonly Frame[] {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(delta({ role: 'assistant', content: 'x' })));
    decoder.relax();
    return [...decoder.push(encodeUtf8(stream)), ...decoder.end(false)];
  }

  it('joins quiet frames of one read into one, without a copy', () => {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(delta({ content: 'x' })));
    decoder.relax();
    const read = encodeUtf8(delta({ content: 'a' }) + delta({ content: 'b' }) + delta({ reasoning: 'c' }));
    const frames = decoder.push(read);
    expect(frames).toMatchObject([{ events: [], edits: [], count: 3 }]);
    expect(frames[0]?.bytes.buffer).toBe(read.buffer);
  });

  it.each([
    [STOP, 'finish'],
    [delta({ content: 'x' }, 'length'), 'finish'],
    [chunk({ usage: { prompt_tokens: 1, completion_tokens: 1 } }), 'usage'],
    [chunk({ usage: { prompt_tokens: 1 } }, [{ index: 0, delta: { content: 'x' }, finish_reason: null }]), 'usage'],
    ['data: {"error":{"message":"m"},"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n', 'error'],
    ['data: {"err\\u006fr":{"message":"m"},"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n', 'error'],
    ['data: {"detail":"gone"}\n\n', 'error'],
    ['event: error\ndata: x\n\n', 'error'],
    ['error: x\n\n', 'error'],
    [call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), 'tool_call'],
    ['data: {"choices":[{"index":0,"delta":{"content":"x"\n\n', 'malformed'],
    ['data: {"choices":[{"index":0,"delta":{"content":"x"}}]]\n\n', 'malformed'],
    ['data: {"choices":[{"index":0,\n"delta":{"content":"x"}}]}\n\n', 'malformed'],
    // These differ from the quiet chunk before them in nothing but what stands in the place of its text.
    [delta({ content: 'x', tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }], z: 'y' }), 'tool_call'],
    [delta({ content: 'x' }).replace('"x"', '"x"y"'), 'malformed'],
    [delta({ content: 'x' }).replace('"x"', '"x\\"'), 'malformed'],
    ['data: nothing\n\n', 'noise'],
    [': ping\n\n', 'comment'],
    [DONE, 'done'],
  ])('still sees %s', (stream, type) => {
    const frames = relaxed(delta({ content: 'a' }) + stream);
    expect(frames[0]).toMatchObject({ events: [], count: 1 });
    expect(frames.slice(1).flatMap(({ events }) => events.map((event) => event.type))).toContain(type);
  });
});
