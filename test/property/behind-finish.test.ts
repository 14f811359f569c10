import { describe, expect, it } from 'vitest';
import { StreamPump } from '../../src/engine/pump-stream.ts';
import { CODECS } from '../../src/protocol/index.ts';
import { SETTINGS } from '../kit/samples.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const TEXT = chunk({ role: 'assistant', content: 'hello' }) + chunk({}, 'stop');
const CALL = { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] };
const TOOL =
  chunk({ role: 'assistant', ...CALL }) +
  chunk({}, 'tool_calls') +
  'data: {"id":"x","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n';

function relay(stream: readonly string[]): { readonly text: string; readonly end: string | undefined } {
  const codec = CODECS.get('openai-chat');
  if (codec === undefined) throw new Error('no codec');
  const decoder = codec.createStreamDecoder({
    usageAsked: true,
    choices: 1,
    renameModel: null,
    onMalformed: 'fail',
    maxFrameBytes: 1 << 20,
  });
  let text = '';
  const pump = new StreamPump(
    decoder,
    { ...SETTINGS, acceptEmpty: false },
    {
      onCommit: () => {},
      onWrite: (frames) => {
        for (const { bytes } of frames) text += new TextDecoder().decode(bytes);
      },
    },
  );
  const ends = stream.map((piece) => pump.push(encode(piece)));
  const end = ends.find((each) => each !== null) ?? pump.end(false);
  return { text, end: end.type };
}

describe('a failure between the finish and the end mark', () => {
  it.each([
    ['an error event', TEXT, 'data: {"error":{"message":"late"}}\n\n'],
    ['a broken frame', TEXT, 'data: {"id":"x","choices":[{"delta"\n\n'],
    ['a cut', TEXT, ''],
    ['an error event behind a released tool call', TOOL, 'data: {"error":{"message":"late"}}\n\n'],
  ])('%s leaves the answer whole, with its mark', (_name, answer, late) => {
    for (const pieces of [[answer, late], [answer + late]]) {
      const { text, end } = relay(pieces);
      expect(end).toBe('complete');
      expect(text).not.toContain('late');
      expect(text.match(/data: \[DONE\]/g)).toHaveLength(1);
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    }
  });
});
