import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { createCollector } from './collect.ts';
import { streamFromResponse } from './convert.ts';
import { createStreamDecoder } from './stream-decode.ts';

const ITEM = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] };
const OPTIONS = {
  usageAsked: true,
  choices: 1,
  renameModel: null,
  onMalformed: 'fail',
  maxFrameBytes: 1 << 20,
} as const;

const event = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

const body = (more: object = {}): object => ({ id: 'resp_1', object: 'response', status: 'completed', ...more });

const stream = (end: string, response: object): string =>
  [
    event('response.created', { response: body({ status: 'in_progress', output: [] }) }),
    event('response.output_item.added', { output_index: 0, item: { ...ITEM, content: [] } }),
    event('response.output_text.delta', { output_index: 0, delta: 'output_item.done' }),
    event('response.output_item.done', { output_index: 0, item: ITEM }),
    event(end, { response }),
  ].join('');

/** What is kept of a stream that the decoder reads in one go. */
function collect(text: string) {
  const collector = createCollector();
  const frames = createStreamDecoder(OPTIONS).push(encodeUtf8(text));
  return collector.frames(frames);
}

describe('createCollector', () => {
  it.each<[string, string, object, string]>([
    ['the output of the last event', 'response.completed', body({ output: [{ type: 'x' }] }), '{"type":"x"}'],
    ['the items that were done, where it has none', 'response.completed', body({ output: [] }), JSON.stringify(ITEM)],
    ['the same, without the member', 'response.completed', body(), JSON.stringify(ITEM)],
    [
      'a cut one',
      'response.incomplete',
      body({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [ITEM] }),
      JSON.stringify(ITEM),
    ],
  ])('keeps %s', (_what, end, response, output) => {
    const kept = collect(stream(end, response));
    expect(kept?.id).toBe('resp_1');
    expect(kept && decodeUtf8(kept.output)).toBe(output);
    expect(kept && JSON.parse(decodeUtf8(kept.response))).toEqual(response);
  });

  it('reads a frame of several events, as translation writes them', () => {
    const bytes = encodeUtf8(stream('response.completed', body({ output: [ITEM] })));
    const kept = createCollector().frames([
      { bytes, events: [{ type: 'finish', reason: 'stop', raw: null }], edits: [], count: 1 },
    ]);
    expect(kept && decodeUtf8(kept.output)).toBe(JSON.stringify(ITEM));
  });

  it.each<[string, string, object]>([
    ['a failed one', 'response.failed', body({ status: 'failed', error: { code: 'server_error', message: 'x' } })],
    ['one without an id', 'response.completed', body({ id: '', output: [ITEM] })],
  ])('keeps nothing of %s', (_what, end, response) => {
    expect(collect(stream(end, response))).toBeNull();
  });

  it('keeps a JSON answer, and one that was made a stream', () => {
    const whole = encodeUtf8(JSON.stringify(body({ output: [ITEM, { type: 'y' }] })));
    const [json, frames] = [
      createCollector().json(whole),
      createCollector().frames(streamFromResponse(whole, OPTIONS)),
    ];
    for (const kept of [json, frames]) {
      expect(kept?.id).toBe('resp_1');
      expect(kept && JSON.parse(`[${decodeUtf8(kept.output)}]`)).toEqual([ITEM, { type: 'y' }]);
    }
    expect(createCollector().json(encodeUtf8(JSON.stringify(body({ status: 'queued' }))))).toBeNull();
    expect(createCollector().json(encodeUtf8('[1'))).toBeNull();
  });
});
