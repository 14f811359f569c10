import * as fc from 'fast-check';
import type { AnswerEvent, BlockStart } from '../../src/core/model/answer.ts';
import type { Citation } from '../../src/core/model/content.ts';
import { base64, name, words } from './openai-chat-arbitrary.ts';

// Answers as Chat Completions can say them, and lists of events that nobody would say.

type Told = { readonly content: BlockStart; readonly deltas: readonly string[]; readonly value?: string };

const deltas = fc.array(words, { minLength: 1, maxLength: 3 });
const saidBlock = fc
  .tuple(fc.constantFrom('text' as const, 'refusal' as const), deltas)
  .map(([type, pieces]): Told => ({ content: { type }, deltas: pieces }));
const thoughtBlock = fc
  .tuple(
    deltas,
    fc.constantFrom(
      '{"reasoning_content":null}',
      'token-of-another',
      '{"reasoning_content":null,"reasoning_details":[{"type":"reasoning.text","text":"x","index":0}]}',
    ),
  )
  .map(([pieces, value]): Told => ({ content: { type: 'reasoning', isSummary: false }, deltas: pieces, value }));
const callBlock = fc
  .tuple(
    fc.constantFrom('function' as const, 'custom' as const),
    name,
    fc.constantFrom(['{}'], ['{"a"', ':[1,"', '\ud83d', '\ude00"]}'], ['{"a":1}']),
    deltas,
    fc.option(fc.constantFrom('sig', '{"extra_content":{"google":{"x":1}}}'), { nil: undefined }),
  )
  .map(
    ([kind, tool_, args, input, value]): Told => ({
      content: { type: 'tool_call', kind, id: '', name: tool_ },
      deltas: kind === 'function' ? args : input,
      ...(value === undefined ? {} : { value }),
    }),
  );
const imageBlock = base64.map(
  (data): Told => ({ content: { type: 'image', data, mediaType: 'image/png' }, deltas: [] }),
);
const audioBlock = fc.option(words, { nil: undefined }).map((transcript): Told => {
  const content = { type: 'audio', data: 'UklGRiQAAABXQVZF', mediaType: 'audio/wav' } as const;
  return { content: transcript === undefined ? content : { ...content, transcript }, deltas: [] };
});

const choice = fc.record({
  blocks: fc.array(fc.oneof(saidBlock, saidBlock, thoughtBlock, callBlock, imageBlock), { maxLength: 5 }),
  audio: fc.option(audioBlock, { freq: 5 }),
  isCited: fc.boolean(),
  isWeighed: fc.boolean(),
  word: fc.constantFrom('length', 'content_filter', null, null),
});
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never;

const citationAt = (base: number): Citation => {
  const url_citation = { start_index: base, end_index: base + 1, url: 'https://a', title: 'A' };
  const value = { type: 'url_citation', url_citation };
  return {
    url: 'https://a',
    title: 'A',
    citedText: null,
    start: 0,
    end: 1,
    source: { protocol: 'openai-chat', value },
  };
};

/** Words of one kind that stand together are one block. */
const apart = (blocks: readonly Told[]): readonly Told[] =>
  blocks.filter(({ content }, at) => content.type === 'tool_call' || content.type !== blocks[at - 1]?.content.type);

function eventsOf(made: Choice, index: number, first: number): readonly AnswerEvent[] {
  const events: AnswerEvent[] = [];
  const blocks = apart([...made.blocks, ...(made.audio === null ? [] : [made.audio])]);
  let said = 0;
  for (const [at, { content, deltas: pieces, value }] of blocks.entries()) {
    const block = first + at;
    const isCall = content.type === 'tool_call';
    events.push({
      type: 'block_start',
      block,
      choice: index,
      content: isCall ? { ...content, id: `c${block}` } : content,
    });
    for (const text of pieces) events.push({ type: 'delta', block, text });
    if (made.isWeighed && (content.type === 'text' || content.type === 'refusal')) {
      events.push({ type: 'logprobs', choice: index, content: [{ token: 'x', logprob: -0.5, bytes: null }] });
    }
    if (made.isCited && content.type === 'text' && at === blocks.length - 1) {
      events.push({ type: 'citation', block, citation: citationAt(said) });
    }
    if (content.type === 'text') said += pieces.join('').length;
    if (value !== undefined) events.push({ type: 'state', block, state: { issuer: 'openai-chat', value } });
    events.push({ type: 'block_end', block });
  }
  const meant = blocks.some(({ content }) => content.type === 'tool_call') ? 'tool_calls' : 'stop';
  const word = made.word ?? meant;
  events.push({ type: 'finish', choice: index, reason: word as 'stop', raw: word });
  return events;
}

const count = fc.option(fc.nat(999));
const usage = fc
  .record({
    inputTokens: fc.nat(9999),
    outputTokens: fc.integer({ min: 1, max: 999 }),
    reasoningTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
  })
  .map((told): AnswerEvent => ({ type: 'usage', usage: { ...told, source: 'reported' } }));

export const MODEL = 'm';

/** Answers in the form in which the decoders give them, but for the places at which blocks end. */
export const chatAnswer: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .tuple(
    fc.array(choice, { minLength: 1, maxLength: 3 }),
    fc.option(usage),
    fc.constantFrom({}, { serviceTier: 'flex' }),
  )
  .map(([choices, used, tier]) => {
    const start = { type: 'start', id: 'chatcmpl-1', model: MODEL, createdAt: 1_700_000_000_000, ...tier } as const;
    const events: AnswerEvent[] = [start];
    let blocks = 0;
    for (const [index, each] of choices.entries()) {
      events.push(...eventsOf(each, index, blocks));
      blocks = events.filter(({ type }) => type === 'block_start').length;
    }
    return [...events, ...(used === null ? [] : [used]), { type: 'end' }];
  });

const small = fc.nat(4);
const anyBlock: fc.Arbitrary<BlockStart> = fc.oneof(
  fc.constantFrom<BlockStart>(
    { type: 'text' },
    { type: 'refusal' },
    { type: 'reasoning', isSummary: true },
    { type: 'reasoning', isSummary: false },
    { type: 'image', data: 'AAAA', mediaType: 'image/png' },
    { type: 'audio', data: 'AAAA', mediaType: 'audio/wav' },
    { type: 'native', protocol: 'gemini', what: 'x', value: {} },
    {
      type: 'native',
      protocol: 'openai-chat',
      what: 'image_url',
      value: { type: 'image_url', image_url: { url: 'u' } },
    },
  ),
  fc.record({
    type: fc.constant('tool_call' as const),
    kind: fc.constantFrom('function' as const, 'custom' as const),
    id: fc.constantFrom('', 'a', 'b'),
    name: fc.constantFrom('f', ''),
  }),
);
const nowhere: Citation = { url: 'https://a', title: null, citedText: 'c', start: null, end: null, source: null };

/** Events in an order that no provider has. */
export const nonsense: fc.Arbitrary<readonly AnswerEvent[]> = fc.array(
  fc.oneof(
    fc.constantFrom<AnswerEvent>(
      { type: 'start', id: null, model: null, createdAt: null },
      { type: 'start', id: 'msg_1', model: 'x', createdAt: 1_000_000, serviceTier: 'standard' },
      {
        type: 'usage',
        usage: {
          inputTokens: 1,
          outputTokens: null,
          reasoningTokens: 2,
          cachedTokens: null,
          cacheWriteTokens: null,
          source: 'reported',
        },
      },
    ),
    fc.record({
      type: fc.constant('block_start' as const),
      block: small,
      choice: fc.constantFrom(0, 0, 0, 1, -1, 500),
      content: anyBlock,
    }),
    fc.record({
      type: fc.constant('delta' as const),
      block: small,
      text: fc.oneof(words, fc.constant('')),
      section: fc.nat(1),
    }),
    fc.record({
      type: fc.constant('citation' as const),
      block: small,
      citation: fc.constantFrom(nowhere, { ...nowhere, url: null }),
    }),
    fc.record({
      type: fc.constant('state' as const),
      block: small,
      state: fc.record({
        issuer: fc.constantFrom('openai-chat' as const, 'gemini' as const),
        value: fc.constantFrom('s', '', '{"reasoning_content":null}', '{"tool_calls":[1]}', '{'),
      }),
    }),
    fc.record({
      type: fc.constant('logprobs' as const),
      choice: fc.nat(1),
      content: fc.constantFrom([], [{ token: 'x' }]),
    }),
    fc.record({ type: fc.constant('block_end' as const), block: small }),
    fc.record({
      type: fc.constant('finish' as const),
      choice: fc.nat(1),
      reason: fc.constantFrom(
        'stop' as const,
        'tool_calls' as const,
        'refusal' as const,
        'error' as const,
        'unknown' as const,
      ),
      raw: fc.constantFrom(null, 'x'),
    }),
    { weight: 1, arbitrary: fc.constant<AnswerEvent>({ type: 'end' }) },
  ),
  { maxLength: 25 },
);
