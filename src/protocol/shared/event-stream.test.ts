import { expect, it } from 'vitest';
import { CODECS } from '../index.ts';
import { encodeUtf8 } from '../json/index.ts';

const STREAM = encodeUtf8(
  [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}',
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}',
    '',
  ].join('\n\n'),
);

it('reads nothing behind a frame behind which nothing is wanted', () => {
  const decoder = CODECS.get('anthropic-messages')?.createStreamDecoder({
    usageAsked: false,
    choices: 1,
    renameModel: null,
    onMalformed: 'fail',
    maxFrameBytes: 1 << 20,
  });
  const seen: string[] = [];
  const frames = decoder?.push(STREAM, ({ events }) => {
    seen.push(...events.map(({ type }) => type));
    return !seen.includes('error');
  });
  expect([frames?.length, seen.at(-1), decoder?.usage()?.outputTokens]).toEqual([2, 'error', 1]);
  expect(decoder?.push(STREAM)).toEqual([]);
});
