import { describe, expect, it } from 'vitest';
import { messagesFaults } from './anthropic-messages-validator.ts';
import { close, delta, event, open, STOP, said, start, stop, text } from './messages-stream.ts';

const START = start({ input_tokens: 5, output_tokens: 1 }, { stop_sequence: null });
const THOUGHT = { type: 'thinking', thinking: '', signature: '' };
const signed = delta({ type: 'signature_delta', signature: 'S' });
const faults = (...frames: readonly string[]): string => messagesFaults(frames.join('')).join('; ');

describe('messagesFaults', () => {
  it('finds none in a whole stream', () => {
    expect(faults(START, event('ping'), said('a'), open(THOUGHT, 1), close(1), stop(), STOP)).toBe('');
  });

  it.each<[string, readonly string[]]>([
    ['message_stop before message_start', [STOP]],
    ['a second message_start', [START, START, stop(), STOP]],
    ['a reason at the start', [start({ input_tokens: 1, output_tokens: 1 }), stop(), STOP]],
    ['no usage', [start(null, { stop_sequence: null }), stop(), STOP]],
    ['output_tokens is no number', [START, stop('end_turn', { output_tokens: null }), STOP]],
    ['input_tokens is no number', [START, stop('end_turn', { output_tokens: 1, input_tokens: 'x' }), STOP]],
    ['index 1 instead of 0', [START, open(THOUGHT, 1), close(1), stop(), STOP]],
    ['a block within a block', [START, open(THOUGHT), open(THOUGHT, 1), close(1), stop(), STOP]],
    ['no start of tool_use', [START, open({ type: 'tool_use', name: 'f', input: {} }), close(), stop(), STOP]],
    ['text_delta in thinking', [START, open(THOUGHT), text('a'), close(), stop(), STOP]],
    ['a delta behind the signature', [START, open(THOUGHT), signed, signed, close(), stop(), STOP]],
    ['a delta of no open block', [START, text('a'), stop(), STOP]],
    ['the stop of no open block', [START, close(), stop(), STOP]],
    ['the reason within a block', [START, open(THOUGHT), stop(), STOP]],
    ['a block behind the reason', [START, stop(), said('a'), STOP]],
    ['no stop_reason', [START, stop(null), STOP]],
    ['message_stop without a reason', [START, STOP]],
    ['ping behind message_stop', [START, stop(), STOP, event('ping')]],
    ['the end came before message_stop', [START, stop()]],
    ['no event with a name and data', [START, 'data: {"type":"ping"}\n\n', stop(), STOP]],
    ['message_stop is called ping', [START, stop(), STOP.replace('event: message_stop', 'event: ping'), STOP]],
    ['half a frame at the end', [START, stop(), STOP, 'event: ping\n']],
  ])('finds %s', (words, frames) => {
    expect(faults(...frames)).toContain(words);
  });
});
