import * as fc from 'fast-check';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { Citation, Message, Part, ToolResultPart } from '../../src/core/model/content.ts';
import type { JsonObject } from '../../src/core/model/json-value.ts';
import type { CanonicalPrompt, PromptSettings, Reasoning } from '../../src/core/model/prompt.ts';
import type { FunctionTool, ToolChoice, ToolDefinition } from '../../src/core/model/tool.ts';

// Prompts and answers that Anthropic Messages can say, in the form in which they are read.

const PROTOCOL = 'anthropic-messages';

const words = fc
  .oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), fc.constantFrom('a', 'ü\u2028', '\ud800', '"\\'))
  .map((text) => `w${text}w`);
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
const members: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'ü'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  // As JSON tells them: without a sign of zero.
  .map((each) => JSON.parse(JSON.stringify(each)) as JsonObject);
const optional = <T, N extends string>(key: N, value: fc.Arbitrary<T>): fc.Arbitrary<{ readonly [K in N]?: T }> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: value.map((each) => ({ [key]: each }) as { readonly [K in N]?: T }) },
  );
/** Several optional members in one. */
const merged = <T>(...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<T> =>
  fc.tuple(...parts).map((each) => Object.assign({}, ...each) as T);

const cache = optional('cache', fc.constantFrom({ ttl: null }, { ttl: '5m' }, { ttl: '1h' }));
const extensions = optional(
  'extensions',
  fc.constantFrom({ [PROTOCOL]: { novel: 1 } }, { [PROTOCOL]: { novel: { deep: [null] }, other: 'x' } }),
);
const marks = [cache, extensions];

export const citation: fc.Arbitrary<Citation> = fc
  .constantFrom(
    {
      type: 'char_location',
      cited_text: 'c',
      document_index: 0,
      document_title: 'd',
      start_char_index: 0,
      end_char_index: 1,
    },
    { type: 'web_search_result_location', cited_text: 'c', url: 'https://x.test/', title: 't', encrypted_index: 'E' },
  )
  .map((value) => ({
    url: 'url' in value ? (value.url as string) : null,
    title: 'url' in value ? (value.title as string) : 'd',
    citedText: 'c',
    start: null,
    end: null,
    source: { protocol: PROTOCOL, value },
  }));

const text: fc.Arbitrary<Part> = merged(
  fc.record({ type: fc.constant('text'), text: words }),
  optional('citations', fc.array(citation, { minLength: 1, maxLength: 2 })),
  ...marks,
);
const source = fc.oneof(
  fc.record({ kind: fc.constant('url' as const), url: fc.constant('https://x.test/p') }),
  fc.record({ kind: fc.constant('file_id' as const), id: name, issuer: fc.constant(PROTOCOL) }),
);
const image: fc.Arbitrary<Part> = merged(
  fc.record({
    type: fc.constant('image'),
    source: fc.oneof(source, fc.constant({ kind: 'base64', data: 'aGk=', mediaType: 'image/png' })),
  }),
  ...marks,
);
const file: fc.Arbitrary<Part> = merged(
  fc.record({
    type: fc.constant('file'),
    source: fc.oneof(
      source,
      fc.constant({ kind: 'base64', data: 'aGk=', mediaType: 'application/pdf' }),
      words.map((each) => ({ kind: 'text', text: each })),
    ),
  }),
  optional('name', words),
  cache,
  optional('extensions', fc.constant({ [PROTOCOL]: { context: 'c', citations: { enabled: true } } })),
);
const native = (what: string): fc.Arbitrary<Part> =>
  members.map((rest) => ({ type: 'native', protocol: PROTOCOL, what, value: { ...rest, type: what } }));
const thought: fc.Arbitrary<Part> = fc.oneof(
  words.map((each): Part => ({ type: 'reasoning', text: each, state: { issuer: PROTOCOL, value: 'U2ln' } })),
  fc.constant<Part>({ type: 'reasoning', text: '', state: { issuer: PROTOCOL, value: 'U2ln' } }),
  fc.constant<Part>({ type: 'reasoning', text: '', state: { issuer: PROTOCOL, value: 'redacted_thinking:RGF0' } }),
);
const input = fc.oneof(
  members.map((each) => JSON.stringify(each)),
  fc.constantFrom('{}', '{"n":12345678901234567890}', '{"__proto__":{"a":[1e400]}}'),
);
const call = fc.tuple(name, input, cache);

/** A turn of the model, and what follows from it: the results of its calls. */
const turn = fc.record({
  thoughts: fc.array(thought, { maxLength: 1 }),
  said: fc.array(fc.oneof({ weight: 3, arbitrary: text }, native('server_tool_use'), native('novel')), {
    maxLength: 2,
  }),
  calls: fc.array(call, { maxLength: 2 }),
  results: fc.array(
    merged<Omit<ToolResultPart, 'callId' | 'name'>>(
      fc.record({
        type: fc.constant('tool_result'),
        kind: fc.constant('function'),
        content: fc.array(fc.oneof(text, image, file), { maxLength: 2 }),
      }),
      optional('isError', fc.boolean()),
      ...marks,
    ),
    { minLength: 2, maxLength: 2 },
  ),
  asked: fc.array(fc.oneof({ weight: 3, arbitrary: text }, image, file), { minLength: 1, maxLength: 2 }),
  answersOnly: fc.boolean(),
  instruction: optional('parts', fc.array(text, { minLength: 1, maxLength: 1 })),
});

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function messagesOf(turns: readonly Turn[]): readonly Message[] {
  return turns.flatMap(
    ({ thoughts, said, calls, results, asked, answersOnly, instruction }, at): readonly Message[] => {
      const parts: Part[] = [
        ...thoughts,
        ...said,
        ...calls.map(
          ([tool, json, mark], n): Part => ({
            type: 'tool_call',
            kind: 'function',
            id: `toolu_${at}_${n}`,
            name: tool,
            input: json,
            ...mark,
          }),
        ),
      ];
      const told = calls.map(
        ([tool], n): Part => ({
          ...(results[n] as (typeof results)[number]),
          callId: `toolu_${at}_${n}`,
          name: tool,
        }),
      );
      const asks = told.length === 0 || !answersOnly;
      return [
        ...(parts.length === 0 ? [] : [{ role: 'assistant' as const, parts }]),
        ...(told.length === 0 ? [] : [{ role: 'tool' as const, parts: told }]),
        ...(asks && parts.length > 0 ? [{ role: 'user' as const, parts: asked }] : []),
        ...(instruction.parts === undefined || parts.length === 0
          ? []
          : [{ role: 'system' as const, parts: instruction.parts }]),
      ];
    },
  );
}

const conversation: fc.Arbitrary<readonly Message[]> = fc
  .tuple(
    optional('parts', fc.array(text, { minLength: 1, maxLength: 2 })),
    fc.array(text, { minLength: 1, maxLength: 2 }),
    fc.array(turn, { maxLength: 3 }),
  )
  .map(([system, first, turns]) => {
    const behind = messagesOf(turns);
    return [
      ...(system.parts === undefined ? [] : [{ role: 'system' as const, parts: system.parts }]),
      { role: 'user' as const, parts: first },
      // An instruction stands before the assistant or at the end.
      ...behind.filter(({ role }, at) => role !== 'system' || behind[at + 1]?.role !== 'user'),
    ];
  });

const functionTool: fc.Arbitrary<FunctionTool> = merged(
  fc.record({
    type: fc.constant('function'),
    name,
    description: fc.option(words),
    parameters: members.map((each) => ({ ...each, type: 'object' })),
    strict: fc.constantFrom(null, true, false),
  }),
  cache,
  optional('extensions', fc.constant({ [PROTOCOL]: { defer_loading: true, input_examples: [{ a: 1 }] } })),
);
const serverTool: fc.Arbitrary<ToolDefinition> = merged(
  fc
    .constantFrom(
      ['web_search', { type: 'web_search_20250305', name: 'web_search', max_uses: 2 }],
      ['bash', { type: 'bash_20250124', name: 'bash' }],
      ['computer', { type: 'computer_toolset_20260801' }],
      ['novel_1', { type: 'novel_1', name: 'n' }],
    )
    .map(([what, value]) => ({ type: 'server', what, protocol: PROTOCOL, value })),
  cache,
);

const choice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom<ToolChoice>({ type: 'auto' }, { type: 'none' }, { type: 'required' }),
  name.map((each): ToolChoice => ({ type: 'tool', kind: 'function', name: each })),
);

const efforts = fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max');
const show = fc.constantFrom(null, 'auto', 'none');
/** Of models that take any of it. */
const reasoning: fc.Arbitrary<Reasoning> = fc.oneof(
  fc.record({ effort: fc.option(efforts), budgetTokens: fc.constant(null), isAdaptive: fc.constant(true), show }),
  fc.record({
    effort: efforts,
    budgetTokens: fc.constant(null),
    isAdaptive: fc.constant(false),
    show: fc.constant(null),
  }),
  fc.record({ effort: fc.option(efforts), budgetTokens: fc.integer({ min: 1024, max: 4000 }), show }),
  fc.constant<Reasoning>({ effort: 'none', budgetTokens: null, show: null }),
) as fc.Arbitrary<Reasoning>;

const settings: fc.Arbitrary<PromptSettings> = merged<PromptSettings>(
  fc.record({ maxOutputTokens: fc.integer({ min: 5000, max: 64_000 }) }),
  optional('temperature', fc.constantFrom(0, 0.3, 1)),
  optional('topP', fc.constantFrom(0.1, 0.95, 1)),
  optional('topK', fc.integer({ min: 1, max: 50 })),
  optional('stop', fc.array(words, { minLength: 1, maxLength: 2 })),
  optional('reasoning', reasoning),
  optional('serviceTier', fc.constantFrom('auto', 'default')),
  optional('userId', words),
  cache,
  optional(
    'responseFormat',
    fc.constant({
      type: 'json_schema',
      name: null,
      description: null,
      schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      strict: null,
    }),
  ),
).map((each) => (each.reasoning === undefined || isIdle(each.reasoning) ? each : withoutSampling(each)));

const isIdle = ({ effort, isAdaptive }: Reasoning): boolean => effort === 'none' || isAdaptive === false;

/** While a model thinks, hardly anything of it may be set. */
const withoutSampling = ({ temperature: _t, topP: _p, topK: _k, ...rest }: PromptSettings): PromptSettings => rest;

/** For a target that takes whatever Messages can say, role `system` in the conversation included. */
export const messagesPrompt: fc.Arbitrary<CanonicalPrompt> = fc
  .record({
    messages: conversation,
    tools: fc.array(fc.oneof({ weight: 2, arbitrary: functionTool }, serverTool), { maxLength: 3 }),
    settings,
    choice: optional('toolChoice', choice),
    parallel: optional('parallelToolCalls', fc.boolean()),
    extensions: optional('extensions', fc.constant({ [PROTOCOL]: { context_management: { edits: [] }, novel: [1] } })),
  })
  .map(({ messages, tools, settings: set, choice: { toolChoice }, parallel, extensions: kept }) => {
    const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool';
    const isThinking = set.reasoning !== undefined && !isIdle(set.reasoning);
    const isChosen = tools.length > 0 && toolChoice !== undefined && !(isForced && isThinking);
    return {
      messages,
      tools,
      settings: {
        ...set,
        ...(isChosen ? { toolChoice, ...(toolChoice.type === 'none' ? {} : parallel) } : {}),
      },
      ...kept,
    };
  });

const usage = fc.record({
  inputTokens: fc.integer({ min: 200, max: 9000 }),
  outputTokens: fc.integer({ min: 1, max: 9000 }),
  reasoningTokens: fc.option(fc.integer({ min: 1, max: 50 })),
  cachedTokens: fc.option(fc.integer({ min: 0, max: 50 })),
  cacheWriteTokens: fc.option(fc.integer({ min: 0, max: 50 })),
  source: fc.constant('reported' as const),
});

type Block = readonly [start: object, ...rest: readonly object[]];

const pieces = fc.array(words, { minLength: 1, maxLength: 3 });
const deltas = (texts: readonly string[]): readonly object[] => texts.map((each) => ({ type: 'delta', text: each }));
const cutInput = fc
  .tuple(input, fc.nat(12))
  .map(([json, at]) => [json.slice(0, at), json.slice(at)].filter((each) => each !== ''));

const block: fc.Arbitrary<Block> = fc.oneof(
  fc
    .tuple(pieces, fc.array(citation, { maxLength: 1 }))
    .map(
      ([texts, cited]): Block => [
        { type: 'text' },
        ...deltas(texts),
        ...cited.map((each) => ({ type: 'citation', citation: each })),
      ],
    ),
  fc
    .tuple(fc.array(words, { maxLength: 2 }), fc.constantFrom('U2ln', 'redacted_thinking:RGF0'))
    .map(
      ([texts, value]): Block => [
        { type: 'reasoning', isSummary: false },
        ...(value.startsWith('redacted') ? [] : deltas(texts)),
        { type: 'state', state: { issuer: PROTOCOL, value } },
      ],
    ),
  fc
    .tuple(name, cutInput)
    .map(
      ([tool, texts]): Block => [{ type: 'tool_call', kind: 'function', id: 'toolu_', name: tool }, ...deltas(texts)],
    ),
  members.map(
    (each): Block => [
      {
        type: 'native',
        protocol: PROTOCOL,
        what: 'server_tool_use',
        value: { type: 'server_tool_use', id: 's', name: 'web_search', input: each },
      },
    ],
  ),
  members.map(
    (each): Block => [{ type: 'native', protocol: PROTOCOL, what: 'novel', value: { ...each, type: 'novel' } }],
  ),
);

/** Answers that a stream and a JSON answer can say: blocks one after the other, none of them empty. */
export const messagesAnswer: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .record({
    blocks: fc.array(block, { maxLength: 4 }),
    usage,
    ending: fc.constantFrom(
      { reason: 'stop', raw: 'end_turn' },
      { reason: 'stop', raw: 'stop_sequence', stopSequence: 'END' },
      { reason: 'stop', raw: 'pause_turn' },
      { reason: 'length', raw: 'max_tokens' },
      { reason: 'length', raw: 'model_context_window_exceeded' },
      { reason: 'refusal', raw: 'refusal' },
      { reason: 'unknown', raw: 'novel_reason' },
    ),
    tier: optional('serviceTier', fc.constantFrom('default', 'priority', 'batch')),
  })
  .map(({ blocks, usage: counts, ending, tier }): readonly AnswerEvent[] => {
    const events = blocks.flatMap(([content, ...rest], at) => [
      {
        type: 'block_start',
        block: at,
        choice: 0,
        content: 'id' in content ? { ...content, id: `toolu_${at}` } : content,
      },
      ...rest.map((each) => ({ ...each, block: at })),
      { type: 'block_end', block: at },
    ]);
    const hasCalls = blocks.some(([content]) => 'kind' in content);
    const finish = hasCalls && ending.raw === 'end_turn' ? { reason: 'tool_calls', raw: 'tool_use' } : ending;
    return [
      { type: 'start', id: 'msg_1', model: 'm', createdAt: null, ...tier },
      ...(events as AnswerEvent[]),
      { type: 'usage', usage: counts },
      { type: 'finish', choice: 0, ...finish } as AnswerEvent,
      { type: 'end' },
    ];
  });
