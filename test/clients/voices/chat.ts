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

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

function deltasOf(reply: Reply, id: string): readonly Json[] {
  if (reply.kind === 'text') return pieces(reply.text).map((content) => ({ content }));
  const call = { index: 0, id, type: 'function', function: { name: reply.name, arguments: '' } };
  const rest = pieces(JSON.stringify(reply.input)).map((text) => ({ index: 0, function: { arguments: text } }));
  return [call, ...rest].map((each) => ({ tool_calls: [each] }));
}

function messageOf(reply: Reply, id: string): Json {
  if (reply.kind === 'text') return { role: 'assistant', content: reply.text, refusal: null };
  const call = { id, type: 'function', function: { name: reply.name, arguments: JSON.stringify(reply.input) } };
  return { role: 'assistant', content: null, refusal: null, tool_calls: [call] };
}

function read(body: Json): Turn {
  const messages = objects(body['messages']);
  const calls = messages.flatMap((message) => words(objects(message['tool_calls']).map((call) => call['id'])));
  const results = words(messages.filter(({ role }) => role === 'tool').map((message) => message['tool_call_id']));
  const roles = messages.filter(({ role }) => !/^(system|developer|user|assistant|tool)$/.test(String(role)));
  const kinds = objects(body['tools']).filter(({ type }) => type !== 'function');
  return {
    tools: words(objects(body['tools']).map((tool) => (tool['function'] as Json | undefined)?.['name'])),
    hasResult: results.length > 0,
    isStream: body['stream'] === true,
    faults: [
      ...unmatched(calls, results),
      ...(messages.length === 0 ? ['no messages'] : []),
      ...roles.map(({ role }) => `a message of the role ${String(role)}`),
      ...kinds.map(({ type }) => `a tool of the type ${String(type)}`),
    ],
  };
}

/** Chat Completions. */
export const chatVoice: Voice = {
  protocol: 'openai-chat',
  path: /\/v1\/chat\/completions$/,
  speak(reply, model) {
    const id = freshId('call_');
    const shell = { id: freshId('chatcmpl-'), created: 1_790_000_000, model };
    const finish = reply.kind === 'text' ? 'stop' : 'tool_calls';
    const chunk = (delta: Json, finish_reason: string | null = null): string =>
      frame({ ...shell, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
    return {
      head: [chunk({ role: 'assistant', content: reply.kind === 'text' ? '' : null })],
      body: deltasOf(reply, id).map((delta) => chunk(delta)),
      end: [
        chunk({}, finish),
        frame({ ...shell, object: 'chat.completion.chunk', choices: [], usage: USAGE }),
        frame('[DONE]'),
      ],
      json: {
        ...shell,
        object: 'chat.completion',
        choices: [{ index: 0, message: messageOf(reply, id), finish_reason: finish }],
        usage: USAGE,
      },
    };
  },
  read,
  error: () => ({ error: { message: MESSAGE, type: 'server_error', param: null, code: null } }),
  errorFrame: frame({ error: { message: MESSAGE, type: 'server_error', param: null, code: null } }),
};
