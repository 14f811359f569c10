import * as fc from 'fast-check';
import type { Message, Part, ToolCallPart } from '../../src/core/model/content.ts';
import type { JsonObject } from '../../src/core/model/json-value.ts';
import type { CanonicalPrompt, PromptSettings } from '../../src/core/model/prompt.ts';
import type { ToolChoice, ToolDefinition } from '../../src/core/model/tool.ts';
import { parseExact } from '../../src/protocol/json/index.ts';

// Prompts as Chat Completions can say them.

type Optional<T> = { [K in keyof T]: fc.Arbitrary<T[K]> };

const some = <T extends object>(members: Optional<T>): fc.Arbitrary<Partial<T>> =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

export const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }) },
  fc.constantFrom('\ud800', '{"a":1}', '__proto__', 'data: x\n\n', '\u2028'),
);
export const name: fc.Arbitrary<string> = fc.constantFrom('read_file', 'run', 'constructor', 'a-b');
const id = fc.stringMatching(/^[a-z0-9]{6}$/);
export const base64: fc.Arbitrary<string> = fc.constantFrom('AAAA', 'iVBORw0KGgo=', 'Zm9v');

/** JSON as it stands in a request: members of any name, numbers of any size. */
const odd = fc.constantFrom<JsonObject>(
  { x_one: 1 },
  { x_list: [1, null, { deep: true }], x_text: '' },
  parseExact('{"__proto__":{"x":1},"x_big":12345678901234567890}') as JsonObject,
);
const extensions = fc.option(
  odd.map((rest) => ({ extensions: { 'openai-chat': rest } })),
  { nil: {}, freq: 2 },
);
const cache = fc.option(
  fc.constantFrom(null, '5m', '1h').map((ttl) => ({ cache: { ttl } })),
  { nil: {}, freq: 3 },
);
const hung = fc.tuple(cache, extensions).map(([a, b]) => ({ ...a, ...b }));
const with_ = <T extends object>(part: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.tuple(part, hung).map(([a, b]) => ({ ...a, ...b }));

const textPart = with_(words.map((text) => ({ type: 'text' as const, text })));
const imageSource = fc.oneof(
  fc.record({
    kind: fc.constant('url' as const),
    url: fc.constantFrom('https://a/b.png', 'data:image/svg+xml,<svg/>'),
  }),
  fc.record({ kind: fc.constant('base64' as const), data: base64, mediaType: fc.constantFrom('image/png', '') }),
);
const imagePart = with_(
  fc
    .tuple(imageSource, some({ detail: fc.constantFrom('auto', 'low', 'high', 'original') }))
    .map(([source, detail]) => ({ type: 'image', source, ...detail }) as const),
);
const audioPart = with_(
  fc
    .tuple(base64, fc.constantFrom('audio/wav', 'audio/mpeg', 'audio/flac'))
    .map(([data, mediaType]) => ({ type: 'audio', source: { kind: 'base64', data, mediaType } }) as const),
);
const filePart = with_(
  fc
    .tuple(
      fc.oneof(
        base64.map((data) => ({ kind: 'base64', data, mediaType: 'application/pdf' }) as const),
        id.map((file) => ({ kind: 'file_id', id: file, issuer: 'openai-chat' }) as const),
      ),
      some({ name: fc.constantFrom('a.pdf', '') }),
    )
    .map(([source, file]) => ({ type: 'file', source, ...file }) as const),
);
const nativePart = fc.constant({
  type: 'native',
  protocol: 'openai-chat',
  what: 'video_url',
  value: { type: 'video_url', video_url: { url: 'https://a/v' } },
} as const);
const userParts = fc.array(fc.oneof(textPart, textPart, imagePart, audioPart, filePart, nativePart), { maxLength: 3 });

const named = some({ name: fc.constantFrom('ann', 'bob') });
const plain = (
  role: 'system' | 'developer' | 'user',
  parts: fc.Arbitrary<readonly Part[]>,
): fc.Arbitrary<readonly Message[]> =>
  fc.tuple(parts, named, extensions).map(([list, who, ext]) => [{ role, parts: list, ...who, ...ext }]);

const thoughts = fc.oneof(
  fc
    .tuple(words, fc.constantFrom('reasoning_content', 'reasoning'))
    .map(([text, member]) => ({ text, value: `{"${member}":null}` })),
  fc.constantFrom(
    { text: 'thought', value: 'token-of-another' },
    { text: '', value: 'token-of-another' },
    {
      text: 'x',
      value: '{"reasoning":null,"reasoning_details":[{"type":"reasoning.text","text":"x","signature":"s"}]}',
    },
  ),
);
const reasoning = fc
  .option(thoughts, { freq: 2 })
  .map((told) =>
    told === null
      ? []
      : [{ type: 'reasoning', text: told.text, state: { issuer: 'openai-chat', value: told.value } } as const],
  );
const callState = fc.option(
  fc.constantFrom('sig', '{"extra_content":{"google":{"x":1}}}').map((value) => ({
    state: { issuer: 'openai-chat', value } as const,
  })),
  { nil: {}, freq: 3 },
);
const call: fc.Arbitrary<Omit<ToolCallPart, 'id'>> = fc
  .tuple(
    fc.oneof(
      fc.record({
        kind: fc.constant('function' as const),
        name,
        input: fc.constantFrom('{}', '{"a":"\\ud800"}', '{"n":12345678901234567890}', 'broken {'),
      }),
      fc.record({ kind: fc.constant('custom' as const), name, input: fc.oneof(words, fc.constant('')) }),
    ),
    callState,
    hung,
  )
  .map(([told, state, rest]) => ({ type: 'tool_call', ...told, ...state, ...rest }));

const spoken = fc
  .tuple(
    reasoning,
    fc.array(textPart, { maxLength: 2 }),
    some({ refusal: words }),
    fc.array(imagePart, { maxLength: 1 }),
    fc.option(id, { freq: 4 }),
    named,
    extensions,
  )
  .map(([thought, texts, { refusal }, images, audio, who, ext]): Message => {
    const parts: Part[] = [...thought, ...texts];
    if (refusal !== undefined) parts.push({ type: 'refusal', text: refusal });
    parts.push(...images);
    if (audio !== null) parts.push({ type: 'audio', source: { kind: 'file_id', id: audio, issuer: 'openai-chat' } });
    return { role: 'assistant', parts, ...who, ...ext };
  });
const result = fc.tuple(fc.array(textPart, { maxLength: 2 }), hung);
const turn = fc
  .tuple(spoken, fc.array(fc.tuple(call, result), { maxLength: 3 }))
  .map(([message, calls]): readonly Message[] => {
    if (calls.length === 0) return [message];
    const made = calls.map(([each], at): ToolCallPart => ({ ...each, id: String(at) }));
    const results = calls.map(([each, [content, rest]], at) => ({
      type: 'tool_result' as const,
      kind: each.kind,
      callId: String(at),
      name: each.name,
      content,
      ...rest,
    }));
    return [
      { ...message, parts: [...message.parts, ...made] },
      { role: 'tool', parts: results },
    ];
  });

/** Each turn has ids of its own. */
const numbered = (part: Part, at: number): Part => {
  if (part.type === 'tool_call') return { ...part, id: `call_${at}_${part.id}` };
  return part.type === 'tool_result' ? { ...part, callId: `call_${at}_${part.callId}` } : part;
};

const texts = fc.array(textPart, { maxLength: 2 });
const messages = fc
  .array(fc.oneof(plain('system', texts), plain('developer', texts), plain('user', userParts), turn), {
    minLength: 1,
    maxLength: 5,
  })
  .map((turns) =>
    turns.flatMap((each, at) =>
      each.map((message) => ({ ...message, parts: message.parts.map((part) => numbered(part, at)) })),
    ),
  );

const schema = fc.constantFrom<JsonObject>(
  { type: 'object', properties: {} },
  parseExact('{"type":"object","maximum":12345678901234567890,"properties":{"__proto__":{}}}') as JsonObject,
);
const description = fc.option(words);
const tool: fc.Arbitrary<ToolDefinition> = fc.oneof(
  with_(
    fc.record({
      type: fc.constant('function' as const),
      name,
      description,
      parameters: fc.option(schema),
      strict: fc.option(fc.boolean()),
    }),
  ),
  with_(
    fc.record({
      type: fc.constant('custom' as const),
      name,
      description,
      grammar: fc.option(fc.record({ syntax: fc.constantFrom('lark', 'regex'), definition: words })),
    }),
  ),
  fc.constantFrom(
    { type: 'server', what: 'web_search', protocol: 'openai-chat', value: { type: 'web_search', x: 1 } } as const,
    { type: 'server', what: 'odd', protocol: 'openai-chat', value: { type: 'odd' } } as const,
  ),
);
const toolChoice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom<ToolChoice>({ type: 'auto' }, { type: 'none' }, { type: 'required' }),
  fc.record({ type: fc.constant('tool'), kind: fc.constantFrom('function', 'custom'), name }),
  fc.record({
    type: fc.constant('allowed'),
    mode: fc.constantFrom('auto', 'required'),
    names: fc.array(name, { minLength: 1, maxLength: 2 }),
  }),
  fc.constant<ToolChoice>({ type: 'native', protocol: 'openai-chat', value: { type: 'odd' } }),
);

const responseFormat = fc.oneof(
  fc.constantFrom({ type: 'text' } as const, { type: 'json_object' } as const),
  fc.record({
    type: fc.constant('json_schema' as const),
    name,
    description,
    schema,
    strict: fc.option(fc.boolean()),
  }),
);
const settings = some<PromptSettings>({
  maxOutputTokens: fc.nat(9999),
  temperature: fc.constantFrom(0, 0.7, 2),
  topP: fc.constantFrom(0.1, 1),
  stop: fc.array(words, { minLength: 1, maxLength: 4 }),
  n: fc.constantFrom(1, 3),
  seed: fc.constantFrom(1, -5, parseExact('12345678901234567890') as number),
  frequencyPenalty: fc.constantFrom(-1, 0.5),
  presencePenalty: fc.constantFrom(-1, 0.5),
  logitBias: fc.constant({ '50256': -100 }),
  logprobs: fc.boolean(),
  topLogprobs: fc.constantFrom(0, 5),
  responseFormat,
  reasoning: fc.constantFrom('none', 'low', 'xhigh').map((effort) => ({ effort, budgetTokens: null, show: null })),
  verbosity: fc.constantFrom('low', 'high'),
  serviceTier: fc.constantFrom('auto', 'flex'),
  promptCacheKey: words,
  promptCacheRetention: fc.constant('24h'),
  cache: fc.constantFrom({ ttl: null }, { ttl: '1h' }),
  userId: words,
  safetyId: words,
  prediction: fc.constant({ type: 'content', content: 'x' }),
  modalities: fc.constantFrom(['text'], ['text', 'audio']),
  audio: fc.constant({ voice: 'alloy', format: 'wav' }),
});
const stored = fc.constantFrom<PromptSettings>({}, { store: true, metadata: { a: 'b' } }, { store: false });

/** Prompts in the form in which `readPrompt` gives them. */
export const chatPrompt: fc.Arbitrary<CanonicalPrompt> = fc
  .tuple(
    messages,
    fc.array(tool, { maxLength: 3 }),
    settings,
    stored,
    some<PromptSettings>({ toolChoice, parallelToolCalls: fc.boolean() }),
    extensions,
  )
  .map(([list, tools, set, kept, ofTools, ext]) => ({
    messages: list,
    tools,
    settings: { ...set, ...kept, ...(tools.some(({ type }) => type !== 'server') ? ofTools : {}) },
    ...ext,
  }));
