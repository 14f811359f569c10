import {
  frame,
  freshId,
  type Json,
  MESSAGE,
  objects,
  pieces,
  type Reply,
  type Turn,
  unmatched,
  type Voice,
  words,
} from './types.ts';

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
};

type Event = readonly [type: string, members: Json];

function itemOf(reply: Reply): Json {
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }];
    return { id: freshId('msg_'), type: 'message', status: 'completed', role: 'assistant', content };
  }
  const shell = { id: freshId('fc_'), type: 'function_call', status: 'completed', call_id: freshId('call_') };
  return { ...shell, name: reply.name, arguments: JSON.stringify(reply.input) };
}

/** What opens an item, its deltas, and what closes it. */
function eventsOf(reply: Reply, item: Json): { readonly open: readonly Event[]; readonly close: readonly Event[] } {
  const at = { item_id: item['id'], output_index: 0 };
  const added = (members: Json): Event => [
    'response.output_item.added',
    { output_index: 0, item: { ...item, status: 'in_progress', ...members } },
  ];
  const done: Event = ['response.output_item.done', { output_index: 0, item }];
  if (reply.kind === 'call') {
    const text = JSON.stringify(reply.input);
    const deltas = pieces(text).map((delta): Event => ['response.function_call_arguments.delta', { ...at, delta }]);
    const whole: Event = ['response.function_call_arguments.done', { ...at, name: reply.name, arguments: text }];
    return { open: [added({ arguments: '' }), ...deltas], close: [whole, done] };
  }
  const inner = { ...at, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const deltas = pieces(reply.text).map(
    (delta): Event => ['response.output_text.delta', { ...inner, delta, logprobs: [] }],
  );
  return {
    open: [added({ content: [] }), ['response.content_part.added', { ...inner, part }], ...deltas],
    close: [
      ['response.output_text.done', { ...inner, text: reply.text, logprobs: [] }],
      ['response.content_part.done', { ...inner, part: { ...part, text: reply.text } }],
      done,
    ],
  };
}

function read(body: Json): Turn {
  const items = objects(body['input']);
  const more = items.filter(({ type }) => type === 'additional_tools').flatMap((item) => objects(item['tools']));
  const tools = [...objects(body['tools']), ...more];
  const nested = tools.filter(({ type }) => type === 'namespace').flatMap((tool) => objects(tool['tools']));
  const idsOf = (kind: RegExp): readonly string[] =>
    words(items.filter(({ type }) => kind.test(String(type))).map((item) => item['call_id']));
  const results = idsOf(/^(function|custom_tool)_call_output$/);
  return {
    tools: words([...tools, ...nested].map((tool) => tool['name'])),
    hasResult: results.length > 0,
    isStream: body['stream'] === true,
    faults: [
      ...unmatched(idsOf(/^(function|custom_tool)_call$/), results),
      ...(items.length === 0 && typeof body['input'] !== 'string' ? ['no input'] : []),
      ...tools
        .filter(({ type }) => typeof type !== 'string')
        .map((tool) => `a tool without a type: ${String(tool['name'])}`),
    ],
  };
}

const FAILED = { code: 'server_error', message: MESSAGE };

/** Responses. */
export const responsesVoice: Voice = {
  protocol: 'openai-responses',
  path: /\/v1\/responses$/,
  speak(reply, model) {
    const item = itemOf(reply);
    const shell = { id: freshId('resp_'), object: 'response', created_at: 1_790_000_000, model, error: null };
    const started = { ...shell, status: 'in_progress', output: [], usage: null };
    const ended = { ...shell, status: 'completed', output: [item], usage: USAGE, incomplete_details: null };
    let sequence_number = 0;
    const spell = ([type, members]: Event): string =>
      frame({ type, sequence_number: sequence_number++, ...members }, type);
    const { open, close } = eventsOf(reply, item);
    return {
      head: (['response.created', 'response.in_progress'] as const).map((type) => spell([type, { response: started }])),
      body: open.map(spell),
      end: [...close, ['response.completed', { response: ended }] as const].map(spell),
      json: ended,
    };
  },
  read,
  error: () => ({ error: { ...FAILED, type: 'server_error', param: null } }),
  errorFrame: frame(
    {
      type: 'response.failed',
      sequence_number: 2,
      response: { id: 'resp_failed', object: 'response', status: 'failed', output: [], error: FAILED },
    },
    'response.failed',
  ),
};
