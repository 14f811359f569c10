import * as fc from 'fast-check';
import type { Citation, Extensions, Message, Part } from '../../src/core/model/content.ts';
import type { JsonObject, JsonValue } from '../../src/core/model/json-value.ts';
import { type CanonicalPrompt, REASONING_EFFORTS } from '../../src/core/model/prompt.ts';
import type { ToolDefinition } from '../../src/core/model/tool.ts';

// Prompts as the Responses API can say them, in the form in which they are read back.

export const PROTOCOL = 'openai-responses';

export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('\ud800', ' ', '{"a":1}', '日本'),
);
export const word = fc.stringMatching(/^[a-z]{1,6}$/);
export const name = fc.stringMatching(/^[a-z][\w-]{0,7}$/);

export const json: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'binary' })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
export const object = fc.dictionary(fc.oneof(word, fc.constant('__proto__')), json, {
  maxKeys: 3,
}) as fc.Arbitrary<JsonObject>;
const nonNull = json.filter((value) => value !== null);

/** Members without a word of their own: `x_` begins no member of the protocol. */
const riders = fc.dictionary(
  word.map((part) => `x_${part}`),
  nonNull,
  { maxKeys: 2 },
) as fc.Arbitrary<JsonObject>;

const extensionsOf = (members: JsonObject): { extensions?: Extensions } =>
  Object.keys(members).length === 0 ? {} : { extensions: { [PROTOCOL]: members } };
const ridden = riders.map(extensionsOf);

export const optional = <T, K extends string>(key: K, value: fc.Arbitrary<T>): fc.Arbitrary<{ [P in K]?: T }> =>
  fc.oneof(
    fc.constant({}),
    value.map((it) => ({ [key]: it }) as { [P in K]?: T }),
  );

export const merge = <T extends object>(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<T> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as T);

export const citation: fc.Arbitrary<Citation> = fc
  .record({ url: fc.webUrl(), title: text, start_index: fc.nat(9), end_index: fc.nat(9) })
  .map((it) => ({
    url: it.url,
    title: it.title,
    citedText: null,
    start: it.start_index,
    end: it.end_index,
    source: { protocol: PROTOCOL, value: { type: 'url_citation', ...it } },
  }));

const cache = optional('cache', fc.constant({ ttl: null }));
const citations = optional('citations', fc.array(citation, { minLength: 1, maxLength: 2 }));
const media = (types: string[]): fc.Arbitrary<object> =>
  fc.oneof(
    fc.webUrl().map((url) => ({ kind: 'url', url })),
    fc.record({ kind: fc.constant('base64'), data: fc.base64String(), mediaType: fc.constantFrom(...types) }),
    name.map((id) => ({ kind: 'file_id', id, issuer: PROTOCOL })),
  );

const plainText = merge<Part>(fc.record({ type: fc.constant('text'), text }), cache, ridden);
const spoken = merge<Part>(fc.record({ type: fc.constant('text'), text }), citations, cache, ridden);
const refusal = merge<Part>(fc.record({ type: fc.constant('refusal'), text }), ridden);
const image = merge<Part>(
  fc.record({ type: fc.constant('image'), source: media(['image/png', 'image/jpeg']) }),
  optional('detail', fc.constantFrom('auto', 'low', 'high', 'original')),
  cache,
  ridden,
);
const file = merge<Part>(
  fc.record({ type: fc.constant('file'), source: media(['application/pdf', 'text/plain']) }),
  optional('name', name),
  cache,
  ridden,
);
const audio = merge<Part>(
  fc.record({
    type: fc.constant('audio'),
    source: fc.record({
      kind: fc.constant('base64'),
      data: fc.base64String(),
      mediaType: fc.constantFrom('audio/wav', 'audio/mpeg', 'audio/flac'),
    }),
  }),
  ridden,
);

const native = (what: fc.Arbitrary<string>, members: fc.Arbitrary<object>): fc.Arbitrary<Part> =>
  fc.tuple(what, members, object).map(([type, rest, more]) => ({
    type: 'native',
    protocol: PROTOCOL,
    what: type,
    value: { ...more, ...rest, type } as JsonObject,
  }));

const message = (role: 'system' | 'developer' | 'user'): fc.Arbitrary<Message> =>
  merge<Message>(
    fc.record({
      role: fc.constant(role),
      parts: fc.array(fc.oneof(plainText, image, file, audio, native(fc.constant('input_odd'), fc.constant({}))), {
        maxLength: 3,
      }),
    }),
    fc
      .tuple(riders, optional('id', word), optional('status', fc.constant('incomplete')))
      .map((all) => extensionsOf(Object.assign({}, ...all) as JsonObject)),
  );

export const stateValue = fc
  .tuple(
    optional(
      'id',
      word.map((id) => `rs_${id}`),
    ),
    optional('encrypted_content', word),
  )
  .map(([id, sealed]) => ({ ...id, ...sealed }))
  .filter((value) => Object.keys(value).length > 0)
  .map((value) => JSON.stringify(value));

const reasoning = merge<Part>(
  fc.record({ type: fc.constant('reasoning'), text }),
  optional('summary', fc.array(text, { minLength: 1, maxLength: 2 })),
  optional(
    'state',
    stateValue.map((value) => ({ issuer: PROTOCOL, value })),
  ),
  ridden,
);

const call = merge<Part>(
  fc.record({
    type: fc.constant('tool_call'),
    kind: fc.constantFrom('function', 'custom'),
    id: fc.constantFrom('call_1', 'call_2'),
    name,
    input: text,
  }),
  optional('namespace', name),
  ridden,
);

/** Message items in an assistant's turn: every one but the first of a run is marked. */
const said = fc
  .array(
    fc.record({
      parts: fc.array(fc.oneof(spoken, refusal), { minLength: 1, maxLength: 2 }),
      members: fc.oneof(
        fc.constant({}),
        fc.constant({ phase: 'commentary' }),
        word.map((id) => ({ id: `msg_${id}` })),
      ),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((items) =>
    items.flatMap(({ parts, members }, at) => {
      const [first, ...others] = parts as [Part, ...Part[]];
      const isMarked = at > 0 || Object.keys(members).length > 0;
      const own = first.extensions?.[PROTOCOL] ?? {};
      return [isMarked ? { ...first, ...extensionsOf({ ...own, $message: members }) } : first, ...others];
    }),
  );

const assistant: fc.Arbitrary<Message> = fc
  .array(
    fc.oneof(
      said,
      fc
        .oneof(
          reasoning,
          call,
          native(
            fc.constantFrom('web_search_call', 'mcp_call', 'item_reference', 'compaction'),
            fc.record({ id: word }),
          ),
        )
        .map((part) => [part]),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((runs) => {
    // Two runs of words in a row would be one.
    const isWords = (run: Part[] | undefined): boolean => run?.[0]?.type === 'text' || run?.[0]?.type === 'refusal';
    return { role: 'assistant', parts: runs.filter((run, at) => !(isWords(run) && isWords(runs[at - 1]))).flat() };
  });

const result = merge<Part>(
  fc.record({
    type: fc.constant('tool_result'),
    kind: fc.constantFrom('function', 'custom'),
    callId: fc.constantFrom('call_1', 'call_2', 'call_3'),
    content: fc.array(fc.oneof(plainText, image, file), { maxLength: 2 }),
  }),
  ridden,
);
const tool: fc.Arbitrary<Message> = fc
  .array(fc.oneof(result, native(fc.constant('shell_call_output'), fc.constant({ call_id: 'c' }))), {
    minLength: 1,
    maxLength: 2,
  })
  .map((parts) => ({ role: 'tool', parts }));

/** Results know the names of the calls before them. */
function named(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((it) => ({
    ...it,
    parts: it.parts.map((part) => {
      if (part.type === 'tool_call') names.set(part.id, part.name);
      const known = part.type === 'tool_result' ? names.get(part.callId) : undefined;
      return known === undefined ? part : ({ ...part, name: known } as Part);
    }),
  }));
}

const apart = (messages: readonly Message[]): Message[] =>
  messages.filter((it, at) => (it.role !== 'assistant' && it.role !== 'tool') || messages[at - 1]?.role !== it.role);

const member: fc.Arbitrary<Message> = fc
  .oneof(
    fc.constant(['conversation', 'conv_1'] as const),
    object.map((value) => ['prompt', { ...value, id: 'pmpt_1' }] as const),
  )
  .map(([what, value]) => ({
    role: 'system',
    parts: [{ type: 'native', protocol: PROTOCOL, what, value }],
    extensions: { [PROTOCOL]: { $member: what } },
  }));

const messages = fc
  .tuple(
    fc.array(
      text.map((it): Message => ({ role: 'system', parts: [{ type: 'text', text: it }] })),
      { maxLength: 1 },
    ),
    fc.array(member, { maxLength: 1 }),
    fc
      .array(fc.oneof(message('user'), message('system'), message('developer'), assistant, tool), { maxLength: 5 })
      .map(apart),
  )
  .map(([first, members, others]) => named([...first, ...members, ...others]));

const common = { name, description: fc.option(text) };
const functionTool = merge<ToolDefinition>(
  fc.record({
    type: fc.constant('function'),
    ...common,
    parameters: fc.option(object),
    strict: fc.option(fc.boolean()),
  }),
  ridden,
);
const customTool = merge<ToolDefinition>(
  fc.record({
    type: fc.constant('custom'),
    ...common,
    grammar: fc.option(fc.record({ syntax: fc.constantFrom('lark', 'regex'), definition: text })),
  }),
  ridden,
);
const SERVER = {
  web_search: 'web_search',
  web_search_preview: 'web_search',
  mcp: 'mcp',
  code_interpreter: 'code_execution',
  local_shell: 'local_shell',
} as const;
const serverTool: fc.Arbitrary<ToolDefinition> = fc
  .tuple(fc.constantFrom(...Object.keys(SERVER)), object)
  .map(([type, more]) => ({
    type: 'server',
    what: SERVER[type as keyof typeof SERVER],
    protocol: PROTOCOL,
    value: { ...more, type },
  }));
const namespaced = fc
  .tuple(
    name,
    fc.oneof(
      fc.constant({}),
      text.map((description) => ({ description })),
    ),
    fc.array(fc.oneof(functionTool, customTool), { minLength: 1, maxLength: 2 }),
  )
  .map(([namespace, rest, list]) =>
    list.map(
      (it, at): ToolDefinition => ({
        ...it,
        ...(it.type === 'server' ? {} : { namespace }),
        ...(at === 0 ? extensionsOf({ ...it.extensions?.[PROTOCOL], $namespace: rest }) : {}),
      }),
    ),
  );
const toolList = fc
  .array(
    fc.oneof(
      fc.oneof(functionTool, customTool, serverTool).map((it) => [it]),
      namespaced,
    ),
    { maxLength: 3 },
  )
  .map((list) => list.flat());
const tools = fc.tuple(toolList, fc.option(toolList), riders).map(([plain, added, rest]) => [
  ...plain,
  ...(added ?? []).map((it) => ({
    ...it,
    ...extensionsOf({ ...it.extensions?.[PROTOCOL], $additional_tools: { at: 0, ...rest } }),
  })),
]);

const format = fc.oneof(
  fc.constantFrom({ type: 'text' }, { type: 'json_object' }),
  fc.record({
    type: fc.constant('json_schema'),
    name,
    description: fc.option(text),
    schema: object,
    strict: fc.option(fc.boolean()),
  }),
);
const choice = fc.oneof(
  fc.constantFrom('auto', 'none', 'required').map((type) => ({ type })),
  fc.record({ type: fc.constant('tool'), kind: fc.constantFrom('function', 'custom'), name }),
  fc.record({
    type: fc.constant('allowed'),
    mode: fc.constantFrom('auto', 'required'),
    names: fc.array(name, { maxLength: 2 }),
  }),
  fc.constant({ type: 'native', protocol: PROTOCOL, value: { type: 'file_search' } }),
);
const reasoningSetting = fc
  .record({
    effort: fc.option(fc.constantFrom(...REASONING_EFFORTS)),
    budgetTokens: fc.constant(null),
    show: fc.option(fc.constantFrom('auto', 'concise', 'detailed')),
  })
  .filter(({ effort, show }) => effort !== null || show !== null);
const settings = fc.record(
  {
    maxOutputTokens: fc.nat(),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((it) => (it === 0 ? 0 : it)),
    topP: fc.constantFrom(0, 0.5, 1),
    topLogprobs: fc.nat(20),
    parallelToolCalls: fc.boolean(),
    serviceTier: word,
    promptCacheKey: text,
    promptCacheRetention: fc.constantFrom('24h', 'in_memory'),
    metadata: object,
    userId: text,
    safetyId: text,
    store: fc.boolean(),
    logprobs: fc.constant(true),
    verbosity: word,
    responseFormat: format,
    toolChoice: choice,
    reasoning: reasoningSetting,
  },
  { requiredKeys: [] },
);
const nested = fc.record(
  {
    include: fc.constant(['reasoning.encrypted_content']),
    reasoning: fc.constant({ context: 'all_turns' }),
    text: fc.constant({ x_odd: 1 }),
    truncation: fc.constant('auto'),
    background: fc.boolean(),
    client_metadata: object,
  },
  { requiredKeys: [] },
);

/** Prompts of clients that speak this protocol, in normal form. */
export const responsesPrompt = fc
  .record({ messages, tools, settings, rest: fc.tuple(nested, riders) })
  .map(
    ({ rest: [known, odd], ...prompt }) =>
      ({ ...prompt, extensions: { [PROTOCOL]: { ...known, ...odd } } }) as object as CanonicalPrompt,
  );
