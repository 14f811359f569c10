import * as fc from 'fast-check';
import type { AnswerEvent, BlockStart } from '../../src/core/model/answer.ts';
import type { JsonObject } from '../../src/core/model/json-value.ts';
import { citation, merge, name, object, optional, PROTOCOL, stateValue, text, word } from './responses-arbitrary.ts';

// Answers as the Responses API can give them, and as nobody should.

const logprob = fc.record({
  token: word,
  logprob: fc.constant(-0.5),
  bytes: fc.constant([1]),
  top_logprobs: fc.constant([]),
});
const id = fc.stringMatching(/^[a-z]{8}$/);
const nativeBlock: fc.Arbitrary<BlockStart> = fc
  .tuple(id, object, fc.constantFrom('web_search_call', 'mcp_call', 'compaction'))
  .map(([it, more, type]) => ({
    type: 'native',
    protocol: PROTOCOL,
    what: type,
    value: { ...more, type, id: it } as JsonObject,
  }));

type Body = readonly Record<string, unknown>[];
const delta = text.filter((it) => it !== '').map((it) => ({ type: 'delta', text: it }));
const textBody = fc
  .tuple(
    fc.array(delta, { maxLength: 3 }),
    fc.array(
      citation.map((it) => ({ type: 'citation', citation: it })),
      { maxLength: 2 },
    ),
    fc.boolean(),
    fc.array(logprob, { maxLength: 2 }),
  )
  .map(
    ([deltas, notes, isWeighed, probs]): Body => [
      ...deltas,
      ...(isWeighed && probs.length > 0 ? [{ type: 'logprobs', choice: 0, content: probs }] : []),
      ...notes,
    ],
  );
const summaryBody = fc
  .array(fc.array(delta, { minLength: 1, maxLength: 2 }), { maxLength: 3 })
  .map((sections) => sections.flatMap((list, section) => list.map((it) => ({ ...it, section }))));
const sealed = fc.tuple(id, word).map(([it, encrypted_content]) => ({
  type: 'state',
  state: { issuer: PROTOCOL, value: JSON.stringify({ id: `rs_${it}`, encrypted_content }) },
}));

const block: fc.Arbitrary<{ content: object; body: Body }> = fc.oneof(
  fc.record({ content: fc.constant({ type: 'text' }), body: textBody }),
  fc.record({ content: fc.constant({ type: 'refusal' }), body: fc.array(delta, { maxLength: 2 }) }),
  fc.tuple(summaryBody, fc.option(sealed), fc.boolean()).map(([body, state, isEarly]) => ({
    content: { type: 'reasoning', isSummary: true },
    body: state === null ? body : isEarly ? [state, ...body] : [...body, state],
  })),
  fc.tuple(fc.array(delta, { minLength: 1, maxLength: 2 }), fc.option(sealed)).map(([body, state]) => ({
    content: { type: 'reasoning', isSummary: false },
    body: state === null ? body : [...body, state],
  })),
  fc.record({
    content: merge<object>(
      fc.record({
        type: fc.constant('tool_call'),
        kind: fc.constantFrom('function', 'custom'),
        id: id.map((it) => `call_${it}`),
        name,
      }),
      optional('namespace', name),
    ),
    body: fc.array(delta, { minLength: 1, maxLength: 2 }),
  }),
  fc
    .record({
      type: fc.constant('image'),
      data: fc.base64String({ minLength: 4 }),
      mediaType: fc.constantFrom('image/png', 'image/webp', 'image/svg+xml'),
    })
    .map((content) => ({ content, body: [] })),
  fc
    .record({
      type: fc.constant('audio'),
      data: fc.base64String({ minLength: 4 }),
      mediaType: fc.constant('audio/wav'),
    })
    .map((content) => ({ content, body: [] })),
  nativeBlock.map((content) => ({ content, body: [] })),
);

const count = fc.option(fc.nat(1000));
export const usage = fc
  .record({
    inputTokens: fc.nat(1000),
    outputTokens: fc.nat(1000),
    reasoningTokens: count,
    cachedTokens: fc.nat(9),
    cacheWriteTokens: count,
    source: fc.constant('reported'),
  })
  .chain((it) => fc.constantFrom(it, { ...it, cachedTokens: null, cacheWriteTokens: null }));

const isCall = ({ content }: { content: object }): boolean => (content as BlockStart).type === 'tool_call';

/** Whole answers in order, as a good provider's decoder would tell them. */
export const responsesAnswer: fc.Arbitrary<AnswerEvent[]> = fc
  .record({
    blocks: fc.array(block, { maxLength: 4 }),
    head: id,
    createdAt: fc.integer({ min: 1, max: 2_000_000_000 }),
    tier: fc.option(word),
    used: fc.option(usage),
    end: fc.constantFrom('stop', 'length', 'content_filter'),
  })
  .map(({ blocks, head, createdAt, tier, used, end }) => {
    const raw = { stop: 'completed', length: 'max_output_tokens', content_filter: 'content_filter' }[end];
    const reason = end === 'stop' && blocks.some(isCall) ? 'tool_calls' : end;
    return [
      {
        type: 'start',
        id: `resp_${head}`,
        model: 'm',
        createdAt: createdAt * 1000,
        ...(tier === null ? {} : { serviceTier: tier }),
      },
      ...blocks.flatMap(({ content, body }, at) => [
        { type: 'block_start', block: at, choice: 0, content },
        ...body.map((it) => (it['type'] === 'logprobs' ? it : { ...it, block: at })),
        { type: 'block_end', block: at },
      ]),
      ...(used === null ? [] : [{ type: 'usage', usage: used }]),
      { type: 'finish', choice: 0, reason, raw },
      { type: 'end' },
    ] as AnswerEvent[];
  });

const place = fc.nat(4);
const anyStart = fc.oneof(
  fc.constantFrom<object>(
    { type: 'text' },
    { type: 'text' },
    { type: 'refusal' },
    { type: 'reasoning', isSummary: true },
    { type: 'reasoning', isSummary: false },
  ),
  fc.record({
    type: fc.constant('tool_call'),
    kind: fc.constantFrom('function', 'custom'),
    id: fc.constantFrom('', 'call_1', 'toolu_2'),
    name: fc.constantFrom('', 'f'),
  }),
  fc.constantFrom(
    { type: 'image', data: 'AAAA', mediaType: 'image/png' },
    { type: 'audio', data: 'AAAA', mediaType: 'audio/wav', transcript: 'x' },
  ),
  fc.record({
    type: fc.constant('native'),
    protocol: fc.constantFrom(PROTOCOL, 'gemini'),
    what: word,
    value: fc.oneof(
      object,
      fc.record({
        type: fc.constantFrom('message', 'shell_call', 'x_call', 'reasoning'),
        id: fc.constantFrom('', 'a', 'b'),
        content: fc.constantFrom<unknown>([], [{ type: 'output_odd' }], 'x'),
      }),
    ),
  }),
);

/** Anything, in any order. */
export const anyAnswer = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('block_start'),
        block: place,
        choice: fc.constantFrom(0, 0, 0, 1),
        content: anyStart,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('delta'),
        block: place,
        text,
        section: fc.constantFrom(undefined, 0, 1, 5),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('block_end'), block: place }) },
    fc.record({ type: fc.constant('citation'), block: place, citation }),
    fc.record({
      type: fc.constant('state'),
      block: place,
      state: fc.record({ issuer: fc.constantFrom(PROTOCOL, 'gemini'), value: fc.oneof(text, stateValue) }),
    }),
    fc.record({
      type: fc.constant('logprobs'),
      choice: fc.constantFrom(0, 1),
      content: fc.array(logprob, { maxLength: 2 }),
    }),
    fc.record({
      type: fc.constant('usage'),
      usage: fc.record({
        inputTokens: count,
        outputTokens: count,
        reasoningTokens: count,
        cachedTokens: count,
        cacheWriteTokens: count,
        source: fc.constant('reported'),
      }),
    }),
    fc.record({
      type: fc.constant('start'),
      id: fc.constantFrom(null, 'resp_1', 'chatcmpl-1'),
      model: fc.constant('x'),
      createdAt: fc.constantFrom(null, 1_500),
    }),
    fc.record({
      type: fc.constant('finish'),
      choice: fc.constantFrom(0, 1),
      reason: fc.constantFrom('stop', 'length', 'refusal', 'error', 'unknown', 'tool_calls'),
      raw: fc.constant(null),
    }),
  ),
  { maxLength: 25 },
) as unknown as fc.Arbitrary<AnswerEvent[]>;
