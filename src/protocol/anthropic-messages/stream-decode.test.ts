import { describe, expect, it } from 'vitest';
import {
  called,
  close,
  delta,
  event,
  open,
  PING,
  run,
  STOP,
  said,
  start,
  stop,
  TEXT,
  TOOL,
  text,
} from '../../../test/kit/messages-stream.ts';

const whole = start() + said('x') + stop() + STOP;
const WHOLE_TYPES = ['start', 'usage', 'block_open', 'text', 'empty_delta', 'usage', 'finish:stop', 'done'];

describe('what an event says', () => {
  it.each([
    [PING, ['ping']],
    [': c\n\n', ['comment']],
    ['event: ping\n\n', ['ping']],
    [start(), ['start', 'usage']],
    [start({}), ['start']],
    [start(null, { content: [{ type: 'text', text: 'x' }] }), ['start', 'text']],
    [open(TEXT), ['block_open']],
    [open({ type: 'text', text: 'x' }), ['text']],
    [open({ type: 'text', text: 'x', citations: [{}] }), ['citation']],
    [open({ type: 'thinking', thinking: '', signature: '' }), ['reasoning_open']],
    [open({ type: 'thinking', thinking: 't' }), ['reasoning']],
    [open({ type: 'redacted_thinking', data: 'R==' }), ['reasoning_opaque']],
    [open(TOOL), ['tool_call']],
    [open({ type: 'tool_use', id: 't', input: {} }), ['block_open']],
    [open({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }), ['tool_call']],
    [open({ type: 'mcp_tool_use', id: 's', name: 'f', server_name: 'n', input: {} }), ['tool_call']],
    [open({ type: 'web_search_tool_result', tool_use_id: 's', content: [{}] }), ['unknown_content']],
    [open({ type: 'image', source: {} }), ['image']],
    [open({ type: 'compaction', content: null }), ['block_open']],
    [open({ type: 'fallback', from: { model: 'a' }, to: { model: 'b' } }), ['block_open']],
    [open({ type: 'novel', id: 'n' }), ['block_open']],
    [open({ type: 'novel', poem: 'x' }), ['unknown_content']],
    [open({ type: '__proto__', poem: 'x' }), ['unknown_content']],
    [text('x'), ['text']],
    [text(''), ['empty_delta']],
    [text(' \n'), ['blank_text']],
    [delta({ type: 'thinking_delta', thinking: 't' }), ['reasoning']],
    [delta({ type: 'thinking_delta', thinking: '', estimated_tokens: 9 }), ['empty_delta']],
    [delta({ type: 'signature_delta', signature: 'S==' }), ['reasoning_opaque']],
    [delta({ type: 'input_json_delta', partial_json: '' }), ['tool_fragment']],
    [delta({ type: 'citations_delta', citation: {} }), ['citation']],
    [delta({ type: 'compaction_delta', content: 'sum' }), ['unknown_content']],
    [delta({ type: 'novel_delta', more: [1] }), ['unknown_content']],
    [delta({ type: 'novel_delta' }), ['empty_delta']],
    [delta(null), ['empty_delta']],
    [event('message_delta', { delta: {}, usage: {} }), ['empty_delta']],
    [event('novel_event', { x: 1 }), ['in_progress']],
    ['data: {"choices":[{"delta":{"content":"x"}}]}\n\n', ['in_progress']],
    ['data: keep-alive\n\n', ['noise']],
    ['data: [DONE]\n\n', ['noise']],
    ['data: {"type":"content_bl\n\n', ['malformed']],
    [close(), ['noise']],
  ])('%s', (stream, types) => {
    expect(run(stream).types).toEqual(types);
  });

  it.each([
    'event: error\ndata: {"type":"error","error":{"code":"c","message":"m"}}\n\n',
    'data: {"type":"error","error":{"code":"c","message":"m"}}\n\n',
    'event: message_delta\ndata: {"type":"error","error":{"code":"c","message":"m"}}\n\n',
    'data: {"error":{"code":"c","message":"m"}}\n\n',
    'data: {"code":"c","message":"m"}\n\n',
    'data: [{"error":{"code":"c","message":"m"}}]\n\n',
    'event:error\ndata:{"code":"c",\ndata: "message":"m"}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{},"error":{"code":"c","message":"m"}}\n\n',
  ])('an error: %s', (stream) => {
    const { events, text: bytes, edits } = run(stream);
    expect(events[0]).toMatchObject({ type: 'error', error: { code: 'c', message: 'm' } });
    expect(bytes).toBe('');
    expect(edits).toEqual(['error_replaced']);
  });

  it('the end of a call that the client is to run, and of no other block', () => {
    const types = (block: object): string | undefined => run(open(block) + close()).types[1];
    expect(types(TOOL)).toBe('tool_end');
    expect(types({ ...TOOL, type: 'server_tool_use' })).toBe('empty_delta');
    expect(types(TEXT)).toBe('empty_delta');
    expect(run(open(TOOL) + close()).events[1]).toEqual({ type: 'tool_end', terminal: false });
  });
});

describe('how an answer ends', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'refusal'],
    ['content_filtered', 'content_filter'],
    ['error', 'error'],
    ['malformed_tool_use', 'bad_generation'],
    ['flux', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', (word, reason) => {
    expect(run(start() + stop(word, null)).types.at(2)).toBe(`finish:${reason}`);
  });

  it('leaves a complete stream as it is', () => {
    const { text: bytes, types, edits } = run(whole);
    expect(bytes).toBe(whole);
    expect(types).toEqual(WHOLE_TYPES);
    expect(edits).toEqual([]);
  });

  it.each([true, false])('adds the mark behind a reason, and nothing else (clean: %s)', (clean) => {
    const { text: bytes, types, edits } = run(start() + said('x') + called(1) + stop('tool_use'), {}, clean);
    expect(bytes).toBe(start() + said('x') + called(1) + stop('tool_use') + STOP);
    expect(types.at(-1)).toBe('done');
    expect(edits).toEqual(['done_added']);
  });

  it('adds a missing reason before the mark, by what was said', () => {
    const said1 = run(start() + said('x') + STOP);
    expect(said1.types.slice(-2)).toEqual(['finish:stop', 'done']);
    expect(said1.edits).toEqual(['finish_reason_added']);
    expect(said1.text).toBe(start() + said('x') + stop('end_turn', { output_tokens: 1 }) + STOP);
    expect(run(start() + called() + STOP).text).toContain('"stop_reason":"tool_use"');
  });

  it('keeps the first reason', () => {
    const { types } = run(start() + said('x') + stop('max_tokens') + stop('end_turn') + STOP);
    expect(types.filter((type) => type.startsWith('finish'))).toEqual(['finish:length']);
  });

  it('does not call a stream whole whose call never ended', () => {
    expect(run(start() + open(TOOL) + STOP).types.slice(-1)).toEqual(['cut']);
    expect(run(start() + open(TOOL) + STOP).text).not.toContain('message_stop');
  });

  it('adds nothing to a cut answer, and drops its half frame', () => {
    const { text: bytes, types } = run(`${start()}${said('x')}event: message_delta\ndata: {"type":"message_d`);
    expect(bytes).toBe(start() + said('x'));
    expect(types.at(-1)).toBe('noise');
    expect(run(`${start()}data: [DONE]\n\n`).types).toEqual(['start', 'usage', 'noise']);
  });

  it('takes a mark without its line ends, at a clean end', () => {
    const half = STOP.trimEnd();
    expect(run(start() + said('x') + stop() + half).text).toBe(whole);
    expect(run(start() + said('x') + half).types.slice(-2)).toEqual(['finish:stop', 'done']);
    expect(run(start() + said('x') + half, {}, false).types.at(-1)).toBe('noise');
  });

  it('mends a reason that contradicts a call', () => {
    const { text: bytes, types, edits } = run(start() + called() + stop('end_turn') + STOP);
    expect(bytes).toBe(start() + called() + stop('tool_use') + STOP);
    expect(types).toContain('finish:tool_calls');
    expect(edits).toEqual(['finish_reason_mended']);
    for (const word of ['max_tokens', 'stop_sequence', 'pause_turn', 'refusal']) {
      expect(run(start() + called() + stop(word) + STOP).edits).toEqual([]);
    }
    const server = called(0, { ...TOOL, type: 'server_tool_use' });
    expect(run(start() + server + stop('end_turn') + STOP).edits).toEqual([]);
  });

  it('takes an empty reason for none', () => {
    const { text: bytes, edits } = run(start() + said('x') + stop('', null) + stop() + STOP);
    expect(bytes).toBe(start() + said('x') + stop(null, null) + stop() + STOP);
    expect(edits).toEqual(['finish_reason_mended']);
  });

  it('lets nothing through behind the mark', () => {
    expect(run(`${whole}${said('y')}data: [DONE]\n\n`).text).toBe(whole);
  });

  it('keeps an answer whole that a failure follows', () => {
    const ended = start() + said('x') + stop();
    for (const failure of [event('error', { error: { type: 'overloaded_error' } }), 'data: {"typ\n\n']) {
      const { text: bytes, types } = run(ended + failure + STOP);
      expect(bytes).toBe(whole);
      expect(types).not.toContain('error');
    }
    const empty = run(start() + stop() + event('error', { error: { type: 'overloaded_error' } }));
    expect(empty.types.at(-1)).toBe('error');
  });
});

describe('usage', () => {
  const usage = (first: Record<string, unknown>, ...later: (Record<string, unknown> | null)[]) =>
    run(start(first) + said('x') + later.map((each) => stop('end_turn', each)).join('') + STOP).usage;

  it('is cumulative: a later number replaces an earlier one', () => {
    expect(usage({ input_tokens: 25, output_tokens: 1 }, { output_tokens: 15 })).toMatchObject({
      inputTokens: 25,
      outputTokens: 15,
      cachedTokens: null,
      source: 'reported',
    });
  });

  it('counts what came out of the cache, and what went into it, as input', () => {
    const cached = { input_tokens: 18, cache_read_input_tokens: 8831, cache_creation_input_tokens: 4 };
    const want = { inputTokens: 8853, cachedTokens: 8831, cacheWriteTokens: 4, outputTokens: 426 };
    expect(usage({ ...cached, output_tokens: 1 }, { output_tokens: 426 })).toMatchObject(want);
    expect(usage({ input_tokens: 8834, output_tokens: 0 }, { ...cached, output_tokens: 426 })).toMatchObject(want);
    const byAge = { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 1 };
    expect(
      usage({ input_tokens: 18, cache_read_input_tokens: 8831, cache_creation: byAge }, { output_tokens: 426 }),
    ).toMatchObject(want);
  });

  it('does not lose a prompt to nulls and zeros behind it', () => {
    const later = { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 2 };
    expect(usage({ input_tokens: 25, cache_read_input_tokens: 5, output_tokens: 1 }, later)).toMatchObject({
      inputTokens: 30,
      cachedTokens: 5,
      outputTokens: 2,
    });
  });

  it('tells reasoning apart where the provider does', () => {
    expect(
      usage({ input_tokens: 1 }, { output_tokens: 9, output_tokens_details: { thinking_tokens: 7 } }),
    ).toMatchObject({ outputTokens: 9, reasoningTokens: 7 });
  });

  it('takes the first number of output tokens for the placeholder that it is', () => {
    expect(run(start({ input_tokens: 25, output_tokens: 1 })).usage).toMatchObject({ outputTokens: 1 });
    expect(usage({ input_tokens: 25, output_tokens: 1 }, null)).toMatchObject({
      inputTokens: 25,
      outputTokens: null,
    });
    expect(run(PING).usage).toBeNull();
  });
});

describe('what is mended', () => {
  it('names events that have no name or a wrong one', () => {
    const bare = (stream: string): string => stream.replaceAll(/^event: .*\n/gm, '');
    const { text: bytes, types, edits } = run(bare(whole));
    expect(bytes).toBe(whole);
    expect(types).toEqual(WHOLE_TYPES);
    expect(new Set(edits)).toEqual(new Set(['event_name_mended']));
    expect(run(whole.replaceAll(/^event: .*$/gm, 'event: message')).text).toBe(whole);
    expect(run(`id: 1\nevent: ping\nevent\n${start().replace(/^.*\n/, '')}`).text).toBe(
      `id: 1\nevent: message_start\nevent: message_start\n${start().replace(/^.*\n/, '')}`,
    );
    expect(run(bare(PING)).text).toBe(bare(PING));
    expect(run('data: {"type":"novel"}\n\n').edits).toEqual([]);
  });

  it('counts blocks from 0, without gaps', () => {
    const stream = start() + said('x', 0) + said('y', 0) + called(7) + stop('tool_use') + STOP;
    const { text: bytes, edits } = run(stream);
    expect(bytes).toBe(start() + said('x', 0) + said('y', 1) + called(2) + stop('tool_use') + STOP);
    expect(new Set(edits)).toEqual(new Set(['tool_index_mended']));
    const missing = stream.replaceAll(/"index":\d,/g, '').replaceAll(/,"index":\d/g, '');
    const found = run(missing).text;
    expect([...found.matchAll(/"index":(\d)/g)].map(([, n]) => n).join('')).toBe('000111222');
  });

  it('keeps blocks that are open side by side apart', () => {
    const stream = open(TEXT, 3) + open(TEXT, 5) + text('a', 3) + text('b', 5) + close(3) + close(5);
    expect(run(stream).text).toBe(open(TEXT, 0) + open(TEXT, 1) + text('a', 0) + text('b', 1) + close(0) + close(1));
  });

  it('gives each call an id of its own', () => {
    const { text: bytes, edits } = run(
      start() + called(0) + called(1) + called(2, { type: 'tool_use', name: 'g', input: {} }) + stop('tool_use') + STOP,
    );
    const ids = [...bytes.matchAll(/"id":"(toolu_\w+)"/g)].map(([, id]) => id);
    expect(ids[0]).toBe('toolu_1');
    expect(new Set(ids).size).toBe(3);
    expect(edits).toEqual(['tool_id_mended', 'tool_id_mended']);
  });

  it('turns a piece of input that is an object into text', () => {
    const { text: bytes, edits } = run(delta({ type: 'input_json_delta', partial_json: { p: 1 } }));
    expect(bytes).toBe(delta({ type: 'input_json_delta', partial_json: '{"p":1}' }));
    expect(edits).toEqual(['tool_arguments_mended']);
  });

  it('leaves out the stop of a block that never began, or has stopped', () => {
    const { text: bytes, edits, types } = run(start() + close(0) + said('x') + close(0) + stop() + STOP);
    expect(bytes).toBe(whole);
    expect(edits).toEqual(['noise_left_out', 'noise_left_out']);
    expect(types.filter((type) => type === 'tool_end')).toEqual([]);
  });

  it('leaves a second start out, and calls a second answer what it is', () => {
    expect(run(start() + start() + said('x') + stop() + STOP).text).toBe(whole);
    const twice = run(start() + said('x') + start() + said('y'));
    expect(twice.types).toContain('cut');
    expect(run(start() + said('x') + start()).text).toBe(start() + said('x'));
  });

  it('renames the model where that is asked for', () => {
    const { text: bytes, edits } = run(whole, { renameModel: 'main' });
    expect(bytes).toBe(whole.replace('"model":"m"', '"model":"main"'));
    expect(edits).toEqual(['model_renamed']);
    expect(run(whole, { renameModel: 'm' }).edits).toEqual([]);
  });
});

describe('framing', () => {
  it.each(['\n', '\r\n', '\r'])('takes every kind of line end (%j)', (end) => {
    const stream = whole.replaceAll('\n', end);
    expect(run(stream).text).toBe(stream);
    expect(run(stream.split('')).types.filter((type) => type !== 'comment')).toEqual(WHOLE_TYPES);
  });

  it('takes fields without blanks, and other fields', () => {
    const stream = whole.replaceAll(/^(event|data): /gm, '$1:').replaceAll(/^event/gm, 'retry:1\nid:7\nevent');
    expect(run(stream).text).toBe(stream);
    expect(run(stream).types).toEqual(WHOLE_TYPES);
  });

  it('joins JSON over several data lines, and parts frames that lost their blank line', () => {
    const [name = '', data = ''] = start().trimEnd().split('\n');
    const parted = `${name}\n${data.replace(',"message"', ',\ndata: "message"')}\n\n`;
    expect(run(parted).text).toBe(`${name}\n${data}\n\n`);
    expect(run(parted).edits).toEqual(['data_lines_joined']);
    const glued = `${data}\n${STOP.split('\n')[1]}\n\n`;
    expect(run(glued).types).toEqual(['start', 'usage', 'finish:stop', 'done']);
    expect(run(glued).text.startsWith(start())).toBe(true);
  });

  it('leaves a byte order mark out', () => {
    expect(run(`\ufeff${whole}`).text).toBe(whole);
    expect(run(`\ufeff${whole}`).edits).toEqual(['noise_left_out']);
  });

  it('drops what is broken only when told to, and never inside a call', () => {
    const broken = 'event: content_block_delta\ndata: {"type":"content_bl\n\n';
    const inText = start() + open(TEXT) + broken + text('x') + close() + stop() + STOP;
    expect(run(inText, { onMalformed: 'drop' }).text).toBe(whole);
    expect(run(start() + open(TOOL) + broken, { onMalformed: 'drop' }).types.at(-1)).toBe('malformed');
  });

  it('gives a frame beyond the bound out as it is, and takes no stop amiss behind it', () => {
    const large = start() + open({ type: 'image', data: 'y'.repeat(500) }) + close() + stop() + STOP;
    const { text: bytes, types } = run(large, { maxFrameBytes: 256 });
    expect(bytes).toBe(large);
    expect(types).toContain('unknown_content');
    expect(types.at(-1)).toBe('done');
  });
});
