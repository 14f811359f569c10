import * as fc from 'fast-check';
import type { AnswerEvent, BlockStart } from '../../src/core/model/answer.ts';
import type { Citation, OpaqueState } from '../../src/core/model/content.ts';
import type { FinishReason } from '../../src/core/model/finish.ts';
import { base64, count, input, name, state, words } from './gemini-arbitrary.ts';

const citation = (length: number): fc.Arbitrary<Citation> =>
  fc.tuple(fc.webUrl(), fc.nat({ max: length }), fc.nat({ max: length }), fc.boolean()).map(([url, a, b, isPlaced]) => {
    const chunk = { web: { uri: url, title: 't' } };
    const place = isPlaced && a !== b ? { start: Math.min(a, b), end: Math.max(a, b) } : { start: null, end: null };
    return {
      url,
      title: 't',
      citedText: null,
      ...place,
      source: { protocol: 'gemini', value: { groundingChunk: chunk } },
    };
  });

type Made = { readonly start: BlockStart; readonly deltas: readonly string[]; readonly state: OpaqueState | null };

const block: fc.Arbitrary<Made> = fc.oneof(
  fc
    .array(words, { minLength: 1, maxLength: 3 })
    .map((deltas): Made => ({ start: { type: 'text' }, deltas, state: null })),
  fc
    .tuple(fc.array(words, { maxLength: 2 }), fc.option(state, { nil: null }))
    .filter(([deltas, signature]) => deltas.length > 0 || signature !== null)
    .map(([deltas, signature]): Made => ({ start: { type: 'reasoning', isSummary: true }, deltas, state: signature })),
  fc.tuple(name, input, fc.option(state, { nil: null })).map(([word, args, signature]): Made => {
    const half = Math.floor(args.length / 2);
    const start: BlockStart = { type: 'tool_call', kind: 'function', id: '', name: word };
    return { start, deltas: [args.slice(0, half), args.slice(half)], state: signature };
  }),
  base64.map((data): Made => ({ start: { type: 'image', data, mediaType: 'image/png' }, deltas: [], state: null })),
  base64.map((data): Made => ({ start: { type: 'audio', data, mediaType: 'audio/wav' }, deltas: [], state: null })),
  fc.constant<Made>({
    start: { type: 'native', protocol: 'gemini', what: 'executableCode', value: { executableCode: { code: '1' } } },
    deltas: [],
    state: null,
  }),
);

const FINISHES: readonly (readonly [reason: FinishReason, raw: string])[] = [
  ['stop', 'STOP'],
  ['length', 'MAX_TOKENS'],
  ['content_filter', 'SAFETY'],
  ['content_filter', 'SPII'],
  ['unknown', 'LANGUAGE'],
];

const isJoined = (a: Made, b: Made): boolean =>
  a.start.type === b.start.type && (a.start.type === 'text' || (a.start.type === 'reasoning' && a.state === null));

/** No half of a letter stands alone. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** Places are counted in bytes; half of a letter has none of its own. */
const isPlain = ({ deltas }: Made): boolean => isWellFormed(deltas.join(''));

/** Answers that Gemini can give, in order, with one block open at a time in each choice. */
export const geminiAnswers: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .record({
    choices: fc.array(fc.tuple(fc.array(block, { maxLength: 4 }), fc.constantFrom(...FINISHES)), {
      minLength: 1,
      maxLength: 2,
    }),
    cited: fc.uniqueArray(citation(6), { selector: ({ url }) => url, maxLength: 3 }),
    usage: fc.option(fc.record({ inputTokens: count, output: count, reasoning: fc.option(count, { nil: null }) }), {
      nil: null,
    }),
    logprobs: fc.boolean(),
  })
  .map(({ choices, cited, usage, logprobs }) => {
    const events: AnswerEvent[] = [{ type: 'start', id: 'r1', model: 'm', createdAt: null }];
    let number = 0;
    for (const [choice, [made]] of choices.entries()) {
      const kept: Made[] = [];
      for (const each of made) {
        const last = kept.at(-1);
        if (last === undefined || !isJoined(last, each)) kept.push(each);
      }
      for (const [at, each] of kept.entries()) {
        const isLast = at === kept.length - 1 && each.start.type === 'text' && isPlain(each);
        events.push(...blockEvents(each, number, choice, isLast ? cited : []));
        number++;
      }
      if (logprobs) events.push({ type: 'logprobs', choice, content: LOGPROBS });
    }
    if (usage !== null) {
      events.push({
        type: 'usage',
        usage: {
          inputTokens: usage.inputTokens,
          outputTokens: usage.output + (usage.reasoning ?? 0),
          reasoningTokens: usage.reasoning,
          cachedTokens: 0,
          cacheWriteTokens: null,
          source: 'reported',
        },
      });
    }
    for (const [choice, [made, [reason, raw]]] of choices.entries()) {
      const hasCall = made.some(({ start }) => start.type === 'tool_call');
      events.push({ type: 'finish', choice, reason: hasCall && reason === 'stop' ? 'tool_calls' : reason, raw });
    }
    return [...events, { type: 'end' }];
  });

const LOGPROBS = [{ token: 'a', logprob: -0.5, bytes: null, top_logprobs: [{ token: 'b', logprob: -1, bytes: null }] }];

function blockEvents(made: Made, number: number, choice: number, cited: readonly Citation[]): AnswerEvent[] {
  const { start, deltas, state: signature } = made;
  const content = start.type === 'tool_call' ? { ...start, id: `id_${number}` } : start;
  const said = deltas.join('');
  const fits = cited.filter(({ end }) => end === null || end <= said.length).filter(onLetters(said));
  return [
    { type: 'block_start', block: number, choice, content },
    ...deltas.map((each): AnswerEvent => {
      const section = start.type === 'reasoning' ? { section: 0 } : {};
      return { type: 'delta', block: number, text: each, ...section };
    }),
    ...fits.map((each): AnswerEvent => ({ type: 'citation', block: number, citation: each })),
    ...(signature === null ? [] : [{ type: 'state' as const, block: number, state: signature }]),
    { type: 'block_end', block: number },
  ];
}

/** Places between the halves of a letter are nobody's. */
const onLetters =
  (text: string) =>
  ({ start, end }: Citation): boolean =>
    [start, end].every((place) => place === null || isWellFormed(text.slice(0, place)));

/** Any events in any order: blocks left open, closed twice, unknown; two starts; deltas behind the end. */
export const wildEvents: fc.Arbitrary<readonly AnswerEvent[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('delta' as const), block: fc.nat({ max: 4 }), text: words }),
    fc.record({
      type: fc.constant('delta' as const),
      block: fc.nat({ max: 4 }),
      text: words,
      section: fc.nat({ max: 2 }),
    }),
    fc.record({ type: fc.constant('block_end' as const), block: fc.nat({ max: 4 }) }),
    fc.record({
      type: fc.constant('block_start' as const),
      block: fc.nat({ max: 4 }),
      choice: fc.nat({ max: 1 }),
      content: fc.oneof(
        block.map(({ start }) => start),
        fc.constantFrom<BlockStart>(
          { type: 'refusal' },
          { type: 'tool_call', kind: 'custom', id: 'c', name: 'n' },
          { type: 'native', protocol: 'openai-responses', what: 'web_search_call', value: { a: 1 } },
          { type: 'native', protocol: 'gemini', what: 'groundingMetadata', value: { webSearchQueries: ['q'] } },
        ),
      ),
    }),
    fc.record({ type: fc.constant('citation' as const), block: fc.nat({ max: 4 }), citation: citation(4) }),
    fc.record({
      type: fc.constant('state' as const),
      block: fc.nat({ max: 4 }),
      state: fc.oneof(state, fc.constant<OpaqueState>({ issuer: 'anthropic-messages', value: 'S' })),
    }),
    fc.constantFrom<AnswerEvent>(
      { type: 'start', id: 'a', model: 'x', createdAt: 1 },
      { type: 'start', id: null, model: null, createdAt: null },
      { type: 'finish', choice: 0, reason: 'stop', raw: 'end_turn' },
      { type: 'finish', choice: 1, reason: 'refusal', raw: 'refusal', stopSequence: 'x' },
      { type: 'finish', choice: 0, reason: 'error', raw: null },
      { type: 'logprobs', choice: 0, content: [{ token: 'a' }, 5] },
      {
        type: 'usage',
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          reasoningTokens: 5,
          cachedTokens: null,
          cacheWriteTokens: 9,
          source: 'reported',
        },
      },
      {
        type: 'usage',
        usage: {
          inputTokens: null,
          outputTokens: null,
          reasoningTokens: null,
          cachedTokens: null,
          cacheWriteTokens: null,
          source: 'unknown',
        },
      },
      { type: 'end' },
    ),
  ),
  { maxLength: 30 },
);
