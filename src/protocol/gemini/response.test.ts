import { describe, expect, it } from 'vitest';
import { readFrames } from '../../../test/kit/decoder-run.ts';
import { call, said, stop, thought, USAGE } from '../../../test/kit/gemini-stream.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { createArrayForm } from './array-form.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { decodeResponse } from './response.ts';

const answer = (parts: readonly unknown[], rest: object = { finishReason: 'STOP' }): object => ({
  candidates: [{ content: { parts, role: 'model' }, ...rest, index: 0 }],
  usageMetadata: USAGE,
  modelVersion: 'm',
  responseId: 'r1',
});
const decode = (value: unknown, renameModel: string | null = null) => {
  const { events, ...rest } = decodeResponse(encodeUtf8(JSON.stringify(value)), { renameModel });
  return { ...rest, types: events.map((event) => (event.type === 'finish' ? `finish:${event.reason}` : event.type)) };
};

describe('a JSON answer', () => {
  it.each([
    [answer([{ text: 'x' }]), ['text', 'finish:stop']],
    [answer([{ functionCall: { name: 'f', args: {} } }]), ['tool_call', 'finish:tool_calls']],
    [answer([], { finishReason: 'MALFORMED_FUNCTION_CALL' }), ['finish:bad_generation']],
    [answer([{ text: 'x' }], {}), ['text']],
    [{ promptFeedback: { blockReason: 'SAFETY' } }, ['finish:content_filter']],
    [{ usageMetadata: USAGE }, []],
    [{}, []],
    [[], ['malformed']],
    [[answer([{ text: 'x' }])], ['malformed']],
    ['x', ['malformed']],
    [{ error: { code: 500, message: 'm', status: 'INTERNAL' } }, ['error']],
    [[{ error: { code: 500, message: 'm', status: 'INTERNAL' } }], ['error']],
  ])('%j', (value, types) => {
    expect(decode(value).types).toEqual(types);
  });

  it('is given out as it came, and renamed where that was asked for', () => {
    const body = JSON.stringify(answer([{ text: 'x' }]));
    expect(decodeUtf8(decode(JSON.parse(body)).body)).toBe(body);
    expect(decodeUtf8(decode(JSON.parse(body), 'v').body)).toBe(
      body.replace('"modelVersion":"m"', '"modelVersion":"v"'),
    );
    expect(decode(JSON.parse(body))).toMatchObject({ usage: { outputTokens: 3 }, answerId: 'r1', edits: [] });
  });
});

describe('conversions', () => {
  it('a JSON answer is one chunk', () => {
    const body = encodeUtf8(JSON.stringify(answer([{ functionCall: { name: 'f' } }]), null, 2));
    const { text, types } = readFrames(streamFromResponse(body, { usageAsked: true, renameModel: null }));
    expect(types).toEqual(['usage', 'tool_call', 'tool_end', 'finish:tool_calls', 'done']);
    expect(text.endsWith('\n\n')).toBe(true);
    expect(JSON.parse(text.slice(6))).toEqual(answer([{ functionCall: { name: 'f' } }]));
  });

  it('chunks are one JSON answer: pieces joined, signatures and large numbers kept', () => {
    const signed = said('b').replace('"text":"b"', '"text":"","thoughtSignature":"S"');
    const stream = [
      thought('t'),
      said('a'),
      said('b'),
      signed,
      call('f', {}).replace('{}', '{"n":9007199254740993}'),
      stop(),
    ];
    const text = decodeUtf8(responseFromStream(stream.map(encodeUtf8)));
    expect(text).toContain('{"n":9007199254740993}');
    expect(JSON.parse(text)).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 't', thought: true },
              { text: 'ab' },
              { text: '', thoughtSignature: 'S' },
              { functionCall: { name: 'f' } },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: USAGE,
      responseId: 'r1',
    });
  });

  it('lists of which each chunk brings a part grow', () => {
    const cited = (uri: string): string => said('x', { citationMetadata: { citations: [{ uri }] } });
    const value: unknown = JSON.parse(decodeUtf8(responseFromStream([cited('a'), cited('b')].map(encodeUtf8))));
    expect(value).toMatchObject({ candidates: [{ citationMetadata: { citations: [{ uri: 'a' }, { uri: 'b' }] } }] });
  });

  it('a blocked prompt stays one', () => {
    const feedback = { promptFeedback: { blockReason: 'OTHER' } };
    const frame = encodeUtf8(`data: ${JSON.stringify(feedback)}\n\n`);
    expect(JSON.parse(decodeUtf8(responseFromStream([frame])))).toEqual(feedback);
  });
});

describe('the array form', () => {
  it.each([1, 7, 1000])('is one JSON array, in pieces of %d bytes', (size) => {
    const form = createArrayForm();
    const bytes = encodeUtf8(`: keepalive\n\n${said('a')}: c\n\n${said('b')}${stop()}`);
    let text = '';
    for (let at = 0; at < bytes.length; at += size) text += decodeUtf8(form.push(bytes.subarray(at, at + size)));
    text += decodeUtf8(form.end());
    expect(JSON.parse(text)).toEqual(
      [said('a'), said('b'), stop()].map((frame) => JSON.parse(frame.slice(6)) as unknown),
    );
  });

  it('of nothing is empty', () => {
    expect(JSON.parse(decodeUtf8(createArrayForm().end()))).toEqual([]);
  });
});
