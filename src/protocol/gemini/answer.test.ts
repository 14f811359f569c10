import { describe, expect, it } from 'vitest';
import { call, chunk, data, said, stop, thought, USAGE } from '../../../test/kit/gemini-stream.ts';
import { growth } from '../../../test/kit/growth.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { translation } from './translation.ts';

const OPTIONS: AnswerOptions = { model: 'v', usageAsked: true, createId: (prefix) => `${prefix}made`, now: 0 };

function read(...frames: string[]): readonly AnswerEvent[] {
  const decoder = translation.createAnswerDecoder();
  return [...frames.flatMap((frame) => decoder.push(encodeUtf8(frame))), ...decoder.end()];
}

const types = (events: readonly AnswerEvent[]): string[] =>
  events.map((event) => (event.type === 'block_start' ? `+${event.content.type}` : event.type));

const write = (...events: AnswerEvent[]): unknown[] => {
  const encoder = translation.createAnswerEncoder(OPTIONS);
  const text = events.map((event) => decodeUtf8(encoder.push([event]))).join('');
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => (JSON.parse(frame.slice(6)) as { candidates: unknown[] }).candidates[0]);
};

const start = (block: number, content: Extract<AnswerEvent, { type: 'block_start' }>['content']): AnswerEvent => ({
  type: 'block_start',
  block,
  choice: 0,
  content,
});
const delta = (block: number, text: string, section?: number): AnswerEvent => ({
  type: 'delta',
  block,
  text,
  ...(section === undefined ? {} : { section }),
});
const end = (block: number): AnswerEvent => ({ type: 'block_end', block });
const finish: AnswerEvent = { type: 'finish', choice: 0, reason: 'stop', raw: null };
const TEXT = { type: 'text' } as const;
const parts = (text: string) => ({ content: { role: 'model', parts: [{ text }] }, index: 0 });

const support = (startIndex: number, endIndex: number): object => ({
  segment: { startIndex, endIndex },
  groundingChunkIndices: [0],
});
const grounded = (text: string, groundingSupports: object[]): string =>
  said(text) +
  said('', { finishReason: 'STOP', groundingMetadata: { groundingChunks: [{ web: {} }], groundingSupports } });

describe('places, which the wire counts in bytes,', () => {
  it('are told in characters, those within a letter as behind it', () => {
    const text = 'aé€😀\ud800z';
    const bytes = Array.from({ length: 16 }, (_, byte) => byte);
    const events = read(
      grounded(
        text,
        bytes.map((byte) => support(0, byte)),
      ),
    );
    const ends = events.flatMap((event) => (event.type === 'citation' ? [event.citation.end] : []));
    expect(ends).toEqual([0, 1, 2, 2, 3, 3, 3, 5, 5, 5, 5, 6, 6, 6, 7, 7]);
  });

  it('cost what the text and they cost, however many they are', () => {
    const reading = (length: number) => {
      const frames = grounded(
        'é'.repeat(length),
        Array.from({ length }, (_, n) => support(n, n + 2)),
      );
      return () => read(frames);
    };
    expect(growth(200, reading)).toBeLessThan(40);
  });
});

describe('reading', () => {
  it('thoughts, words, a call and the end', () => {
    const signed = chunk([{ functionCall: { id: 'c', name: 'f', args: { p: 1 } }, thoughtSignature: 'S' }]);
    const events = read(thought('t'), said('a') + said('b'), signed, stop());
    expect(types(events).join(' ')).toBe(
      'start +reasoning delta block_end +text delta delta block_end +tool_call delta state block_end usage finish end',
    );
    expect(events[0]).toEqual({ type: 'start', id: 'r1', model: 'm', createdAt: null });
    expect(events.at(-2)).toEqual({ type: 'finish', choice: 0, reason: 'tool_calls', raw: 'STOP' });
    expect(events.find(({ type }) => type === 'state')).toMatchObject({ state: { issuer: 'gemini', value: 'S' } });
  });

  it('usage at the start and at the end', () => {
    const told = (count: number): string => said('x', {}, { usageMetadata: { ...USAGE, candidatesTokenCount: count } });
    const counts = read(told(1), told(2), told(3), stop()).flatMap((event) =>
      event.type === 'usage' ? event.usage.outputTokens : [],
    );
    expect(counts).toEqual([1, 3]);
  });

  it('calls without ids get one that no other answer has', () => {
    const idsOf = (...frames: string[]) =>
      read(...frames).flatMap((event) =>
        event.type === 'block_start' && event.content.type === 'tool_call' ? event.content.id : [],
      );
    const first = idsOf(call() + call(), stop());
    expect(new Set(first).size).toBe(2);
    expect(idsOf(call() + call(), stop())).toEqual(first);
    expect(idsOf(call().replace('r1', 'r2'))).not.toContain(first[0]);
    const repeated = chunk([{ functionCall: { id: 'a', name: 'f' } }]);
    expect(new Set(idsOf(repeated, repeated)).size).toBe(2);
    expect(idsOf(chunk([{ functionCall: { args: {} } }]))).toEqual([]);
  });

  it.each([
    [undefined, '{}'],
    [{ n: 1 }, '{"n":1}'],
    ['{"n":1}', '{"n":1}'],
    ['', '{}'],
    ['word', '{"input":"word"}'],
  ])('arguments %j', (args, input) => {
    expect(read(chunk([{ functionCall: { name: 'f', args } }])).find(({ type }) => type === 'delta')).toMatchObject({
      text: input,
    });
  });

  it('a stop in each chunk, as older models say it', () => {
    const events = read(said('a', { finishReason: 'STOP' }), said('b', { finishReason: 'MAX_TOKENS' }));
    expect(types(events)).toEqual(['start', '+text', 'delta', 'delta', 'block_end', 'finish', 'end']);
    expect(events.at(-2)).toMatchObject({ reason: 'length' });
  });

  it('what a search found, in characters', () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }, { web: { uri: 'https://b' } }],
      groundingSupports: [{ segment: { startIndex: 3, endIndex: 5, text: 'xy' }, groundingChunkIndices: [0, 7] }],
      webSearchQueries: ['q'],
    };
    const events = read(said('é xy'), said('', { finishReason: 'STOP', groundingMetadata }));
    expect(events.filter(({ type }) => type === 'citation')).toMatchObject([
      { block: 0, citation: { url: 'https://a', title: 'A', start: 2, end: 4 } },
      { block: 0, citation: { url: 'https://b', title: null, start: null, end: null } },
    ]);
    expect(events).toContainEqual(
      start(1, { type: 'native', protocol: 'gemini', what: 'groundingMetadata', value: { webSearchQueries: ['q'] } }),
    );
    const [native] = read(call(), said('', { groundingMetadata }))
      .filter((event) => event.type === 'block_start')
      .slice(1);
    expect(native).toMatchObject({ content: { type: 'native', value: groundingMetadata } });
  });

  it('a blocked prompt', () => {
    const events = read(data({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, responseId: 'r' }));
    expect(events.at(-2)).toEqual({ type: 'finish', choice: 0, reason: 'content_filter', raw: 'PROHIBITED_CONTENT' });
  });

  it('nothing', () => {
    expect(types(read())).toEqual(['end']);
    expect(types(translation.readAnswer(encodeUtf8('[]')))).toEqual(['end']);
  });
});

describe('writing', () => {
  it('blocks that are open at once: one text behind the other, calls whole', () => {
    const tool = { type: 'tool_call', kind: 'function', id: 'c', name: 'f' } as const;
    const candidates = write(
      start(0, TEXT),
      start(1, tool),
      start(2, TEXT),
      delta(2, 'b'),
      delta(1, '{"p":'),
      delta(0, 'a'),
      delta(1, '1}'),
      end(0),
      finish,
      { type: 'end' },
    );
    expect(candidates).toEqual([
      parts('a'),
      parts('b'),
      { content: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'f', args: { p: 1 } } }] }, index: 0 },
      { ...parts(''), finishReason: 'STOP' },
    ]);
  });

  it('sections of thoughts apart, states of others not at all', () => {
    const candidates = write(
      start(0, { type: 'reasoning', isSummary: true }),
      delta(0, 'a', 0),
      delta(0, 'b', 1),
      { type: 'state', block: 0, state: { issuer: 'anthropic-messages', value: 'S' } },
      end(0),
    );
    const thoughts = (text: string) => ({ content: { role: 'model', parts: [{ text, thought: true }] }, index: 0 });
    expect(candidates).toEqual([thoughts('a'), thoughts('\n\nb')]);
  });

  it.each([
    ['end_turn', 'stop', 'STOP'],
    ['tool_use', 'tool_calls', 'STOP'],
    ['max_tokens', 'length', 'MAX_TOKENS'],
    ['refusal', 'refusal', 'SAFETY'],
    ['SPII', 'content_filter', 'SPII'],
    ['COMPLETE', 'stop', 'STOP'],
    [null, 'bad_generation', 'MALFORMED_FUNCTION_CALL'],
    [null, 'unknown', 'OTHER'],
  ] as const)('a reason %s (%s) is %s', (raw, reason, word) => {
    expect(write({ ...finish, reason, raw }, { type: 'end' })).toEqual([{ ...parts(''), finishReason: word }]);
  });

  it('one id in all chunks, also where the start comes late or not', () => {
    const encoder = translation.createAnswerEncoder(OPTIONS);
    const text = decodeUtf8(encoder.push([start(0, TEXT), delta(0, 'a')]));
    const late: AnswerEvent[] = [{ type: 'start', id: 'late', model: null, createdAt: null }, { type: 'end' }];
    const ids = (text + decodeUtf8(encoder.push(late))).match(/"responseId":"[^"]*"/g);
    expect(ids).toEqual(['"responseId":"made"', '"responseId":"made"']);
    expect(encoder.push([delta(0, 'more')])).toHaveLength(0);
  });

  it('citations of others as what a search found', () => {
    const citation = { url: 'https://a', title: 'A', citedText: 'src', start: 0, end: 1, source: null };
    const events: AnswerEvent[] = [
      start(0, TEXT),
      { type: 'citation', block: 0, citation },
      delta(0, 'é'),
      finish,
      { type: 'end' },
    ];
    expect(write(...events).at(-1)).toMatchObject({
      groundingMetadata: {
        groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }],
        groundingSupports: [{ segment: { startIndex: 0, endIndex: 2, text: 'é' }, groundingChunkIndices: [0] }],
      },
    });
  });

  it('an unknown usage not at all', () => {
    const unknown = {
      inputTokens: null,
      outputTokens: null,
      reasoningTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
      source: 'unknown',
    } as const;
    const body = translation.writeAnswer([{ type: 'usage', usage: unknown }, finish, { type: 'end' }], OPTIONS);
    expect(JSON.parse(decodeUtf8(body))).toEqual({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
      modelVersion: 'v',
      responseId: 'made',
    });
  });
});
