import {
  frame,
  freshId,
  type Json,
  MESSAGE,
  objects,
  pieces,
  type Reply,
  type Turn,
  type Voice,
  words,
} from './types.ts';

const USAGE = { input_tokens: 11, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const blockOf = (reply: Reply): Json =>
  reply.kind === 'text'
    ? { type: 'text', text: reply.text }
    : { type: 'tool_use', id: freshId('toolu_'), name: reply.name, input: reply.input };

const deltasOf = (reply: Reply): readonly Json[] =>
  reply.kind === 'text'
    ? pieces(reply.text).map((text) => ({ type: 'text_delta', text }))
    : pieces(JSON.stringify(reply.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));

const idsOf = (message: Json | undefined, type: string, member: string): readonly string[] =>
  words(objects(message?.['content']).flatMap((block) => (block['type'] === type ? [block[member]] : [])));

/** Results stand in the very next turn of the user, and nowhere else. */
function findLoose(messages: readonly Json[]): readonly string[] {
  const turns = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const faults = turns.flatMap((turn, n) => {
    const before = idsOf(turns[n - 1], 'tool_use', 'id');
    const after = idsOf(turns[n + 1], 'tool_result', 'tool_use_id');
    const calls = idsOf(turn, 'tool_use', 'id').filter((id) => !after.includes(id));
    const results = idsOf(turn, 'tool_result', 'tool_use_id').filter((id) => !before.includes(id));
    return [
      ...calls.map((id) => `no result in the next turn for the call ${id}`),
      ...results.map((id) => `a result for ${id}, which the turn before did not call`),
    ];
  });
  return faults;
}

function read(body: Json): Turn {
  const messages = objects(body['messages']);
  return {
    tools: words(objects(body['tools']).map((tool) => tool['name'])),
    hasResult: messages.some((message) => idsOf(message, 'tool_result', 'tool_use_id').length > 0),
    isStream: body['stream'] === true,
    faults: [
      ...findLoose(messages),
      ...(messages.length === 0 ? ['no messages'] : []),
      ...(Number.isInteger(body['max_tokens']) ? [] : ['no max_tokens']),
      ...(messages[0]?.['role'] === 'assistant' ? ['the assistant begins'] : []),
    ],
  };
}

/** Messages. */
export const messagesVoice: Voice = {
  protocol: 'anthropic-messages',
  path: /\/v1\/messages$/,
  speak(reply, model) {
    const block = blockOf(reply);
    const stop_reason = reply.kind === 'text' ? 'end_turn' : 'tool_use';
    const shell = { id: freshId('msg_'), type: 'message', role: 'assistant', model, stop_sequence: null };
    const spell = (type: string, members: Json = {}): string => frame({ type, ...members }, type);
    const content_block = reply.kind === 'text' ? { ...block, text: '' } : { ...block, input: {} };
    const message = { ...shell, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } };
    return {
      head: [spell('message_start', { message })],
      body: [
        spell('content_block_start', { index: 0, content_block }),
        ...deltasOf(reply).map((delta) => spell('content_block_delta', { index: 0, delta })),
      ],
      end: [
        spell('content_block_stop', { index: 0 }),
        spell('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } }),
        spell('message_stop'),
      ],
      json: { ...shell, content: [block], stop_reason, usage: { ...USAGE, output_tokens: 7 } },
    };
  },
  read,
  error: () => ({ type: 'error', error: { type: 'api_error', message: MESSAGE }, request_id: 'req_failed' }),
  errorFrame: frame({ type: 'error', error: { type: 'overloaded_error', message: MESSAGE } }, 'error'),
};
