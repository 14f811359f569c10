import type { Message, Part } from '../../src/core/model/content.ts';
import type { CanonicalPrompt, PromptSettings } from '../../src/core/model/prompt.ts';
import type { ToolDefinition } from '../../src/core/model/tool.ts';

/** One thing that a client can ask for: a prompt that holds it, and where a prompt has it. */
export type Feature = {
  readonly name: string;
  readonly prompt: CanonicalPrompt;
  /** What is compared: null where the prompt has nothing of it. */
  readonly probe: (prompt: CanonicalPrompt) => unknown;
};

const text = (words: string): Part => ({ type: 'text', text: words });
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts });
const HELLO = user(text('Hello'));

const WEATHER: ToolDefinition = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: null,
};

const prompt = (change: Partial<CanonicalPrompt>): CanonicalPrompt => ({
  messages: [HELLO],
  tools: [],
  settings: {},
  ...change,
});

/** Settings without which others mean nothing. */
const setting = <K extends keyof PromptSettings>(
  name: string,
  key: K,
  value: NonNullable<PromptSettings[K]>,
  more: Partial<CanonicalPrompt> = {},
): Feature => ({
  name,
  prompt: prompt({ ...more, settings: { ...more.settings, [key]: value } }),
  probe: ({ settings }) => settings[key] ?? null,
});

const partsOf = ({ messages }: CanonicalPrompt): readonly Part[] => messages.flatMap(({ parts }) => parts);

/** Parts of one type, wherever they stand. */
const part = (name: string, one: Part, look: (part: Part) => unknown = (found) => found): Feature => ({
  name,
  prompt: prompt({ messages: [user(text('See'), one)] }),
  probe: (seen) => {
    const found = partsOf(seen).filter(({ type }) => type === one.type);
    return found.length === 0 ? null : found.map(look);
  },
});

const CALL: Part = { type: 'tool_call', kind: 'function', id: 'call_1', name: 'weather', input: '{"city":"Oslo"}' };
const SECOND: Part = { type: 'tool_call', kind: 'function', id: 'call_2', name: 'weather', input: '{"city":"Bergen"}' };
const result = (callId: string, more: object = {}, ...content: readonly Part[]): Part =>
  ({
    type: 'tool_result',
    kind: 'function',
    callId,
    content: content.length === 0 ? [text('Rain')] : content,
    ...more,
  }) as Part;

const turn = (calls: readonly Part[], results: readonly Part[]): Message[] => [
  HELLO,
  { role: 'assistant', parts: calls },
  { role: 'tool', parts: results },
];

const calls = (name: string, messages: readonly Message[], probe: Feature['probe']): Feature => ({
  name,
  prompt: prompt({ messages, tools: [WEATHER] }),
  probe,
});

const resultsOf = (seen: CanonicalPrompt): readonly Part[] =>
  partsOf(seen).filter(({ type }) => type === 'tool_result');

const orNull = (list: readonly unknown[]): unknown => (list.length === 0 ? null : list);

const IMAGE = { kind: 'base64', data: 'iVBORw0KGgo=', mediaType: 'image/png' } as const;
const PDF = { kind: 'base64', data: 'JVBERi0xLjQK', mediaType: 'application/pdf' } as const;

const roles =
  (...wanted: readonly string[]): Feature['probe'] =>
  ({ messages }) =>
    orNull(messages.filter(({ role }) => wanted.includes(role)).map(({ role, parts }) => [role, parts]));

/** All that the page has a row for. */
export const FEATURES: readonly Feature[] = [
  { name: 'text', prompt: prompt({}), probe: (seen) => orNull(partsOf(seen)) },
  {
    name: 'system message',
    prompt: prompt({ messages: [{ role: 'system', parts: [text('Be brief.')] }, HELLO] }),
    probe: roles('system', 'developer'),
  },
  {
    name: 'developer message',
    prompt: prompt({ messages: [{ role: 'developer', parts: [text('Be brief.')] }, HELLO] }),
    probe: roles('system', 'developer'),
  },
  {
    name: 'system message in mid-conversation',
    prompt: prompt({ messages: [HELLO, { role: 'system', parts: [text('Be brief.')] }, user(text('Go on'))] }),
    probe: roles('system', 'developer'),
  },
  {
    name: 'assistant prefill',
    prompt: prompt({ messages: [HELLO, { role: 'assistant', parts: [text('Once upon')] }] }),
    probe: ({ messages }) => (messages.at(-1)?.role === 'assistant' ? messages.at(-1)?.parts : null),
  },
  part('image, base64', { type: 'image', source: IMAGE }),
  part('image, URL', { type: 'image', source: { kind: 'url', url: 'https://example.test/a.png' } }),
  part('audio input', { type: 'audio', source: { kind: 'base64', data: 'UklGRg==', mediaType: 'audio/wav' } }),
  part('PDF, base64', { type: 'file', source: PDF, name: 'a.pdf' }, (found) =>
    'source' in found ? found.source : null,
  ),
  part('file, URL', { type: 'file', source: { kind: 'url', url: 'https://example.test/a.pdf' } }, (found) =>
    'source' in found ? found.source : null,
  ),
  {
    name: 'cache marks',
    prompt: prompt({ messages: [user({ type: 'text', text: 'Long', cache: { ttl: '1h' } })] }),
    probe: (seen) => orNull(partsOf(seen).flatMap(({ cache }) => (cache === undefined ? [] : [cache]))),
  },
  {
    name: 'function tools',
    prompt: prompt({ tools: [WEATHER] }),
    probe: ({ tools }) => orNull(tools.filter(({ type }) => type === 'function')),
  },
  {
    name: 'strict functions',
    prompt: prompt({ tools: [{ ...WEATHER, strict: true }] }),
    probe: ({ tools }) => tools.find((tool) => tool.type === 'function' && tool.strict === true) ?? null,
  },
  {
    name: 'custom tools (text of any form)',
    prompt: prompt({ tools: [{ type: 'custom', name: 'apply_patch', description: 'Edits.', grammar: null }] }),
    probe: ({ tools }) => tools[0] ?? null,
  },
  {
    name: 'grammars of custom tools',
    prompt: prompt({
      tools: [
        {
          type: 'custom',
          name: 'apply_patch',
          description: null,
          grammar: { syntax: 'lark', definition: 'start: "a"' },
        },
      ],
    }),
    probe: ({ tools }) => (tools[0]?.type === 'custom' ? tools[0].grammar : (tools[0] ?? null)),
  },
  {
    name: 'groups of tools (namespace)',
    prompt: prompt({ tools: [{ ...WEATHER, namespace: 'home' }] }),
    probe: ({ tools }) => tools[0] ?? null,
  },
  {
    name: 'web search of the provider',
    prompt: prompt({
      tools: [{ type: 'server', what: 'web_search', protocol: 'openai-responses', value: { type: 'web_search' } }],
    }),
    probe: ({ tools }) => tools[0] ?? null,
  },
  setting(
    'tool choice: one tool',
    'toolChoice',
    { type: 'tool', kind: 'function', name: 'weather' },
    { tools: [WEATHER] },
  ),
  setting('tool choice: required', 'toolChoice', { type: 'required' }, { tools: [WEATHER] }),
  setting(
    'tool choice: some tools',
    'toolChoice',
    { type: 'allowed', mode: 'auto', names: ['weather'] },
    { tools: [WEATHER] },
  ),
  setting('no parallel calls', 'parallelToolCalls', false, { tools: [WEATHER] }),
  calls('tool calls', turn([CALL], [result('call_1')]), (seen) =>
    orNull(
      partsOf(seen)
        .filter(({ type }) => type === 'tool_call')
        .map((found) => ({ ...found, id: '' })),
    ),
  ),
  calls('parallel tool calls', turn([CALL, SECOND], [result('call_1'), result('call_2')]), (seen) =>
    orNull(resultsOf(seen).map((found) => ('content' in found ? found.content : null))),
  ),
  calls(
    'tool results with images',
    turn([CALL], [result('call_1', {}, text('See'), { type: 'image', source: IMAGE })]),
    (seen) => {
      const inside = resultsOf(seen).flatMap((found) => ('content' in found ? found.content : []));
      const images = [...inside, ...partsOf(seen)].filter(({ type }) => type === 'image');
      return images.length === 0 ? null : { isInside: inside.some(({ type }) => type === 'image') };
    },
  ),
  calls('tool results that failed', turn([CALL], [result('call_1', { isError: true })]), (seen) =>
    resultsOf(seen).some((found) => 'isError' in found && found.isError) ? true : null,
  ),
  {
    name: 'reasoning of earlier turns, as text',
    prompt: prompt({
      messages: [
        HELLO,
        { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }, text('Hi')] },
        user(text('Go on')),
      ],
    }),
    probe: (seen) => orNull(partsOf(seen).filter(({ type }) => type === 'reasoning')),
  },
  setting('max tokens', 'maxOutputTokens', 500),
  setting('temperature', 'temperature', 0.5),
  setting('top_p', 'topP', 0.9),
  setting('top_k', 'topK', 40),
  setting('stop sequences', 'stop', ['END']),
  setting('several choices (n)', 'n', 2),
  setting('seed', 'seed', 7),
  setting('penalties', 'frequencyPenalty', 0.5),
  setting('logit bias', 'logitBias', { '50256': -100 }),
  setting('log probabilities', 'logprobs', true),
  setting('JSON of any form', 'responseFormat', { type: 'json_object' }),
  setting('JSON by a schema', 'responseFormat', {
    type: 'json_schema',
    name: 'answer',
    description: null,
    schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
    strict: true,
  }),
  setting('reasoning effort', 'reasoning', { effort: 'high', budgetTokens: null, show: null }),
  setting(
    'thinking budget',
    'reasoning',
    { effort: null, budgetTokens: 4096, show: null },
    { settings: { maxOutputTokens: 16_000 } },
  ),
  setting('verbosity', 'verbosity', 'low'),
  setting('service tier', 'serviceTier', 'flex'),
  setting('prompt cache key', 'promptCacheKey', 'k1'),
  setting('metadata', 'metadata', { job: 'nightly' }),
  setting('user id', 'userId', 'u-1'),
  setting('spoken output', 'modalities', ['text', 'audio'], { settings: { audio: { voice: 'alloy', format: 'wav' } } }),
  setting('pictures as output', 'modalities', ['text', 'image']),
];
