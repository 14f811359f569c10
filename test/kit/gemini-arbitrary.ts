import * as fc from 'fast-check';
import type { Extensions, Message, OpaqueState, Part } from '../../src/core/model/content.ts';
import type { JsonObject } from '../../src/core/model/json-value.ts';
import type { CanonicalPrompt, PromptSettings } from '../../src/core/model/prompt.ts';
import type { ToolChoice, ToolDefinition } from '../../src/core/model/tool.ts';

// What Gemini can say, in the form that its reader gives: no empty texts, no neighbours that it would make one.

export const words: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom('é\ud83d', '{"a":1}', '{"output":"x"}', '[1]', '\n', '__proto__'),
);
export const name: fc.Arbitrary<string> = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,8}$/);
export const base64: fc.Arbitrary<string> = fc.base64String({ maxLength: 8 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 2 }).map((value) => value + 0);
export const count: fc.Arbitrary<number> = fc.nat({ max: 100_000 });

const jsonObjects: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.constantFrom('a', 'b_c', '__proto__', 'output', 'type'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

const bigObject = fc.constant('{"n":12345678901234567890,"f":0.1000000000000000055511151231257827}');
export const input: fc.Arbitrary<string> = fc.oneof(
  jsonObjects.map((value) => JSON.stringify(value)),
  bigObject,
);

export const state: fc.Arbitrary<OpaqueState> = base64
  .filter((value) => value !== '')
  .map((value) => ({ issuer: 'gemini', value }));

const maybe = <T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | Record<string, never>> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary });

const extension = (members: fc.Arbitrary<JsonObject>): fc.Arbitrary<{ extensions?: Extensions }> =>
  maybe(members.map((gemini) => ({ extensions: { gemini } })));

const resolution = fc.constant({ mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } });

const text: fc.Arbitrary<Part> = fc
  .tuple(words, extension(fc.constant({ partMetadata: { k: 'v' } })))
  .map(([value, rest]) => ({ type: 'text', text: value, ...rest }));

const media: fc.Arbitrary<Part> = fc.oneof(
  fc
    .tuple(fc.constantFrom('image/png', 'audio/wav', 'application/pdf', 'video/mp4'), base64, extension(resolution))
    .map(([mediaType, data, rest]): Part => {
      const source = { kind: 'base64' as const, data, mediaType };
      const [kind] = mediaType.split('/');
      return { type: kind === 'image' || kind === 'audio' ? kind : 'file', source, ...rest };
    }),
  fc.constantFrom<Part>(
    { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    {
      type: 'image',
      source: { kind: 'url', url: 'https://example.com/a' },
      extensions: { gemini: { mimeType: 'image/png' } },
    },
    { type: 'file', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
    {
      type: 'audio',
      source: { kind: 'file_id', id: 'https://generativelanguage.googleapis.com/v1beta/files/x', issuer: 'gemini' },
      extensions: { gemini: { mimeType: 'audio/mpeg', 'fileData.displayName': 'n' } },
    },
  ),
);

const native: fc.Arbitrary<Part> = fc.constantFrom<Part>(
  {
    type: 'native',
    protocol: 'gemini',
    what: 'executableCode',
    value: { executableCode: { language: 'PYTHON', code: '1' } },
  },
  {
    type: 'native',
    protocol: 'gemini',
    what: 'codeExecutionResult',
    value: { codeExecutionResult: { outcome: 'OUTCOME_OK' } },
  },
  { type: 'native', protocol: 'gemini', what: 'novel', value: { thought: true, novel: [1] } },
);

const thoughts: fc.Arbitrary<Part> = fc
  .tuple(words, maybe(state.map((value) => ({ state: value }))))
  .map(([summary, rest]) => ({ type: 'reasoning', text: '', summary: [summary], ...rest }));

const hidden: fc.Arbitrary<Part> = state.map((value) => ({ type: 'reasoning', text: '', state: value }));

const user: fc.Arbitrary<Message> = fc
  .tuple(fc.array(fc.oneof(text, media), { minLength: 1, maxLength: 3 }), extension(fc.constant({ novel: 1 })))
  .map(([parts, rest]) => ({ role: 'user', parts, ...rest }));

type Call = {
  readonly name: string;
  readonly input: string;
  readonly result: string | null;
  readonly isError: boolean;
};

const calls = fc.array(fc.record({ name, input, result: fc.option(words, { nil: null }), isError: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
});

/** A turn of the model; with calls, their results behind it. */
const turn: fc.Arbitrary<(at: number) => Message[]> = fc
  .tuple(
    fc.array(fc.oneof(text, thoughts, hidden, media, native), { minLength: 1, maxLength: 4 }),
    fc.option(calls, { nil: null }),
    fc.option(state, { nil: null }),
    fc.array(media, { maxLength: 1 }),
  )
  .map(([parts, made, signature, images]) => (at: number) => {
    const said = (made ?? []).map(
      (call: Call, place): Part => ({
        type: 'tool_call',
        kind: 'function',
        id: `id_${at}_${place}`,
        name: call.name,
        input: call.input,
        ...(signature === null || place > 0 ? {} : { state: signature }),
      }),
    );
    const results = (made ?? []).map((call: Call, place): Part => {
      const content: readonly Part[] = [
        ...(call.result === null ? [] : [{ type: 'text' as const, text: call.result }]),
        ...images.filter((part) => part.type !== 'text'),
      ];
      return {
        type: 'tool_result',
        kind: 'function',
        callId: `id_${at}_${place}`,
        name: call.name,
        content: content as [],
        ...(call.isError && call.result !== null ? { isError: true } : {}),
      };
    });
    const answer: Message = { role: 'assistant', parts: [...parts, ...said] };
    return results.length === 0 ? [answer] : [answer, { role: 'tool', parts: results }];
  });

const system: fc.Arbitrary<Message[]> = fc.array(
  fc.array(text, { minLength: 1, maxLength: 2 }).map((parts): Message => ({ role: 'system', parts })),
  { maxLength: 1 },
);

const schema: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'object', properties: {} },
  {
    $schema: 's',
    type: 'object',
    properties: { a: { type: ['string', 'null'], const: 'x' } },
    additionalProperties: false,
  },
);

const tool: fc.Arbitrary<ToolDefinition> = fc.oneof(
  fc
    .tuple(
      name,
      fc.option(words, { nil: null }),
      fc.option(schema, { nil: null }),
      extension(fc.constant({ behavior: 'BLOCKING' })),
    )
    .map(([word, description, parameters, rest]): ToolDefinition => {
      return { type: 'function', name: word, description, parameters, strict: null, ...rest };
    }),
  fc.constantFrom<ToolDefinition>(
    { type: 'server', what: 'web_search', protocol: 'gemini', value: { googleSearch: { excludeDomains: ['a'] } } },
    { type: 'server', what: 'web_fetch', protocol: 'gemini', value: { urlContext: {} } },
    { type: 'server', what: 'novelTool', protocol: 'gemini', value: { novelTool: 1 } },
  ),
);

const toolChoice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom<ToolChoice>({ type: 'auto' }, { type: 'none' }, { type: 'required' }),
  name.map((word): ToolChoice => ({ type: 'tool', kind: 'function', name: word })),
  fc.tuple(name, name).map((names): ToolChoice => ({ type: 'allowed', mode: 'required', names })),
  fc.array(name, { minLength: 1, maxLength: 2 }).map((names): ToolChoice => ({ type: 'allowed', mode: 'auto', names })),
);

const show = fc.constantFrom('auto' as const, 'none' as const, null);

const settings: fc.Arbitrary<PromptSettings> = fc.record(
  {
    maxOutputTokens: count,
    temperature: number,
    topP: number,
    topK: count,
    n: fc.integer({ min: 1, max: 8 }),
    seed: fc.integer(),
    presencePenalty: number,
    frequencyPenalty: number,
    logprobs: fc.boolean(),
    topLogprobs: fc.nat({ max: 20 }),
    stop: fc.array(words, { maxLength: 5 }),
    audio: fc.constant({ voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } }),
    modalities: fc.subarray(['text', 'image', 'audio'], { minLength: 1 }),
    store: fc.boolean(),
    serviceTier: fc.constantFrom('flex', 'priority'),
    toolChoice,
    reasoning: fc.oneof(
      fc.record({ effort: fc.constantFrom('minimal', 'low', 'medium', 'high'), budgetTokens: fc.constant(null), show }),
      fc.record({ effort: fc.constant(null), budgetTokens: fc.constantFrom(-1, 1, 8192), show }),
      fc.constant({ effort: null, budgetTokens: null, show: 'auto' as const }),
    ),
    responseFormat: fc.oneof(
      fc.constantFrom({ type: 'text' as const }, { type: 'json_object' as const }),
      schema.map((value) => ({
        type: 'json_schema' as const,
        name: null,
        description: null,
        schema: value,
        strict: null,
      })),
    ),
  },
  { requiredKeys: [] },
);

const rest = extension(
  fc.record(
    {
      safetySettings: fc.constant([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }]),
      cachedContent: fc.constant('cachedContents/x'),
      labels: fc.constant({ k: 'v' }),
      'generationConfig.mediaResolution': fc.constant('MEDIA_RESOLUTION_LOW'),
      'generationConfig.thinkingConfig.novel': fc.constant(1),
      'toolConfig.retrievalConfig': fc.constant({ languageCode: 'de' }),
    },
    { requiredKeys: ['labels'] },
  ) as fc.Arbitrary<JsonObject>,
);

/** Prompts that Gemini can say. */
export const geminiPrompts: fc.Arbitrary<CanonicalPrompt> = fc
  .record({
    system,
    first: user,
    turns: fc.array(fc.tuple(turn, fc.array(user, { minLength: 1, maxLength: 2 })), { maxLength: 3 }),
    tools: fc.array(tool, { maxLength: 4 }),
    settings,
    rest,
  })
  .map(({ system: ahead, first, turns, tools, settings: set, rest: own }) => ({
    messages: [
      ...ahead,
      first,
      ...turns.flatMap(([say, next], at) => [...say(at), ...next.map((message) => inOrder(message))]),
    ],
    tools,
    settings: set,
    ...own,
  }));

/** What stands behind results is one content with them, and has no members of its own. */
const inOrder = ({ role, parts }: Message): Message => ({ role, parts });
