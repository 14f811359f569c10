import { describe, expect, it } from 'vitest';
import {
  close,
  delta,
  event,
  OPTIONS,
  open,
  PING,
  STOP,
  said,
  start,
  stop,
  TEXT,
  TOOL,
  text,
} from '../../../test/kit/messages-stream.ts';
import type { Frame } from '../../core/model/event.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { createStreamDecoder } from './stream-decode.ts';

describe('a relaxed decoder', () => {
  function relaxed(stream: string, before = start() + open(TEXT) + text('x')): readonly Frame[] {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(before));
    decoder.relax();
    return [...decoder.push(encodeUtf8(stream)), ...decoder.end(false)];
  }

  it('joins quiet frames of one read into one, without a copy', () => {
    const decoder = createStreamDecoder(OPTIONS);
    decoder.push(encodeUtf8(start() + open(TEXT) + text('x')));
    decoder.relax();
    const read = encodeUtf8(text('a') + text('b') + delta({ type: 'thinking_delta', thinking: 'c' }, 1) + text(''));
    const frames = decoder.push(read);
    expect(frames).toMatchObject([{ events: [], edits: [], count: 4 }]);
    expect(frames[0]?.bytes.buffer).toBe(read.buffer);
  });

  it.each([
    [stop(), 'finish'],
    [STOP, 'done'],
    [PING, 'ping'],
    [': c\n\n', 'comment'],
    [event('error', { error: { message: 'm' } }), 'error'],
    ['event: error\ndata: x\n\n', 'error'],
    [text('x').replace('}}', '},"error":{"message":"m"}}'), 'error'],
    [text('x').replace('}}', '},"err\\u006fr":{"message":"m"}}'), 'error'],
    [text('x').replace('"content_block_delta","index"', '"error","index"'), 'error'],
    [text('x').replace('"index"', '"type":"message_stop","index"'), 'done'],
    [open(TOOL, 1), 'tool_call'],
    [close(), 'empty_delta'],
    [delta({ type: 'citations_delta', citation: {} }), 'citation'],
    [delta({ type: 'signature_delta', signature: 'S' }), 'reasoning_opaque'],
    ['event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"text":"x"\n\n', 'malformed'],
    [text('x').replace('"x"', '"x"y"'), 'malformed'],
    [text('x').replace('"x"', '"x\\"'), 'malformed'],
    ['event: content_block_delta\ndata: nothing\n\n', 'noise'],
  ])('still sees %s', (stream, type) => {
    const frames = relaxed(text('a') + stream);
    expect(frames[0]).toMatchObject({ events: [], count: 1 });
    expect(frames.slice(1).flatMap(({ events }) => events.map((each) => each.type))).toContain(type);
  });

  it('mends what has to be mended', () => {
    const bytes = (stream: string, before?: string): string =>
      relaxed(stream, before)
        .map((frame) => decodeUtf8(frame.bytes))
        .join('');
    expect(bytes(text('a').replace(/^.*\n/, ''))).toBe(text('a'));
    const renumbered = start() + said('x') + open(TEXT, 0) + text('y', 0);
    expect(bytes(text('a', 0), renumbered)).toBe(text('a', 1));
    expect(bytes(delta({ type: 'input_json_delta', partial_json: {} }))).toContain('"partial_json":"{}"');
  });
});
