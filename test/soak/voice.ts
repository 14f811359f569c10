import type { Spoken } from '../kit/wire-scripts.ts';
import { argumentsOf, CALL_NAME, idOf, type Send, wordsOf } from './draw-plan.ts';

/**
 * A frame of a stream: `quiet` says nothing that a client waits for, `word` and `call` are output, `call_end` makes a tool
 * call whole, `end` the answer.
 */
export type VoiceFrame = { readonly kind: 'quiet' | 'word' | 'call' | 'call_end' | 'end'; readonly text: string };

/** How one protocol says an answer. */
export type Voice = {
  readonly path: string;
  /** The whole stream. `isSilent`: whole as well, but without output. */
  stream(send: Send, options: { readonly isSilent: boolean; readonly isUsageAsked: boolean }): readonly VoiceFrame[];
  json(send: Send, isSilent: boolean): unknown;
  /** An error of the server within a stream. */
  readonly failure: string;
  readonly error: (type: string, message: string) => unknown;
};

const frame = (kind: VoiceFrame['kind'], text: string): VoiceFrame => ({ kind, text });
const named = (event: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const chatUsage = ({ plan }: Send): object => ({
  prompt_tokens: plan.inputTokens,
  completion_tokens: plan.outputTokens,
  total_tokens: plan.inputTokens + plan.outputTokens,
});

const chat: Voice = {
  path: '/v1/chat/completions',
  stream(send, { isSilent, isUsageAsked }) {
    const head = {
      id: `chatcmpl-${idOf(send)}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: `m@${send.target}`,
    };
    const chunk = (choices: readonly object[], rest: object = {}): string =>
      `data: ${JSON.stringify({ ...head, choices, ...rest })}\n\n`;
    const delta = (value: object, finish: string | null = null): string =>
      chunk([{ index: 0, delta: value, finish_reason: finish }]);
    const call = (rest: object): string => delta({ tool_calls: [{ index: 0, ...rest }] });
    const args = argumentsOf(send);
    const hasCall = send.plan.hasCall && !isSilent;
    return [
      frame('quiet', delta({ role: 'assistant', content: '' })),
      ...(isSilent ? [] : wordsOf(send)).map((content) => frame('word', delta({ content }))),
      ...(hasCall
        ? [
            call({ id: `call_${idOf(send)}`, type: 'function', function: { name: CALL_NAME, arguments: '' } }),
            call({ function: { arguments: args.slice(0, 5) } }),
            call({ function: { arguments: args.slice(5) } }),
          ].map((text) => frame('call', text))
        : []),
      frame(hasCall ? 'call_end' : 'end', delta({}, hasCall ? 'tool_calls' : 'stop')),
      ...(isUsageAsked ? [frame('end', chunk([], { usage: chatUsage(send) }))] : []),
      frame('end', 'data: [DONE]\n\n'),
    ];
  },
  json(send, isSilent) {
    const call = {
      id: `call_${idOf(send)}`,
      type: 'function',
      function: { name: CALL_NAME, arguments: argumentsOf(send) },
    };
    const hasCall = send.plan.hasCall && !isSilent;
    const message = {
      role: 'assistant',
      content: isSilent ? '' : wordsOf(send).join(''),
      ...(hasCall ? { tool_calls: [call] } : {}),
    };
    const choices = [{ index: 0, message, finish_reason: hasCall ? 'tool_calls' : 'stop' }];
    const head = { id: `chatcmpl-${idOf(send)}`, object: 'chat.completion', created: 1, model: `m@${send.target}` };
    return { ...head, choices, usage: chatUsage(send) };
  },
  failure: 'data: {"error":{"message":"the upstream is gone","type":"server_error","code":502}}\n\n',
  error: (type, message) => ({ error: { message, type, param: null, code: null } }),
};

function responseOf(send: Send, status: string, output: readonly object[]): object {
  const { inputTokens, outputTokens } = send.plan;
  const usage = { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
  return {
    id: `resp_${idOf(send)}`,
    object: 'response',
    created_at: 1,
    status,
    error: null,
    model: `m@${send.target}`,
    output,
    usage: status === 'completed' ? usage : null,
  };
}

const messageItem = (send: Send, status: string, content: readonly object[]): object => ({
  id: `msg_${idOf(send)}`,
  type: 'message',
  role: 'assistant',
  status,
  content,
});

const callItem = (send: Send, status: string, args: string): object => ({
  id: `fc_${idOf(send)}`,
  type: 'function_call',
  call_id: `call_${idOf(send)}`,
  name: CALL_NAME,
  arguments: args,
  status,
});

const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [] });

function outputOf(send: Send): readonly object[] {
  const message = messageItem(send, 'completed', [textPart(wordsOf(send).join(''))]);
  return [message, ...(send.plan.hasCall ? [callItem(send, 'completed', argumentsOf(send))] : [])];
}

const responses: Voice = {
  path: '/v1/responses',
  stream(send, { isSilent }) {
    let sequence = 0;
    const event = (kind: VoiceFrame['kind'], type: string, members: object): VoiceFrame =>
      frame(kind, named({ type, sequence_number: sequence++, ...members }));
    const opening = ['response.created', 'response.in_progress'].map((type) =>
      event('quiet', type, { response: responseOf(send, 'in_progress', []) }),
    );
    if (isSilent)
      return [...opening, event('end', 'response.completed', { response: responseOf(send, 'completed', []) })];
    const words = wordsOf(send);
    const text = words.join('');
    const [message, call] = outputOf(send);
    const place = { item_id: `msg_${idOf(send)}`, output_index: 0, content_index: 0 };
    const item = { output_index: 1, item_id: `fc_${idOf(send)}` };
    const args = argumentsOf(send);
    return [
      ...opening,
      event('quiet', 'response.output_item.added', { output_index: 0, item: messageItem(send, 'in_progress', []) }),
      event('quiet', 'response.content_part.added', { ...place, part: textPart('') }),
      ...words.map((delta) => event('word', 'response.output_text.delta', { ...place, delta })),
      event('quiet', 'response.output_text.done', { ...place, text }),
      event('quiet', 'response.content_part.done', { ...place, part: textPart(text) }),
      event('quiet', 'response.output_item.done', { output_index: 0, item: message }),
      ...(call === undefined
        ? []
        : [
            event('call', 'response.output_item.added', { output_index: 1, item: callItem(send, 'in_progress', '') }),
            event('call', 'response.function_call_arguments.delta', { ...item, delta: args.slice(0, 5) }),
            event('call', 'response.function_call_arguments.delta', { ...item, delta: args.slice(5) }),
            event('call', 'response.function_call_arguments.done', { ...item, arguments: args }),
            event('call_end', 'response.output_item.done', { output_index: 1, item: call }),
          ]),
      event('end', 'response.completed', { response: responseOf(send, 'completed', outputOf(send)) }),
    ];
  },
  json: (send, isSilent) => responseOf(send, 'completed', isSilent ? [] : outputOf(send)),
  failure: named({ type: 'error', code: 'server_error', message: 'the upstream is gone', param: null }),
  error: chat.error,
};

const messageOf = (send: Send, content: readonly object[], stop: string | null, outputTokens: number): object => ({
  id: `msg_${idOf(send)}`,
  type: 'message',
  role: 'assistant',
  model: `m@${send.target}`,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: send.plan.inputTokens, output_tokens: outputTokens },
});

const messages: Voice = {
  path: '/v1/messages',
  stream(send, { isSilent }) {
    const event = (kind: VoiceFrame['kind'], type: string, members: object = {}): VoiceFrame =>
      frame(kind, named({ type, ...members }));
    const delta = (kind: VoiceFrame['kind'], index: number, value: object): VoiceFrame =>
      event(kind, 'content_block_delta', { index, delta: value });
    const args = argumentsOf(send);
    const block = { type: 'tool_use', id: `toolu_${idOf(send)}`, name: CALL_NAME, input: {} };
    const hasCall = send.plan.hasCall && !isSilent;
    const said = [
      event('quiet', 'content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...wordsOf(send).map((text) => delta('word', 0, { type: 'text_delta', text })),
      event('quiet', 'content_block_stop', { index: 0 }),
    ];
    const called = [
      event('call', 'content_block_start', { index: 1, content_block: block }),
      delta('call', 1, { type: 'input_json_delta', partial_json: args.slice(0, 5) }),
      delta('call', 1, { type: 'input_json_delta', partial_json: args.slice(5) }),
      event('call_end', 'content_block_stop', { index: 1 }),
    ];
    return [
      event('quiet', 'message_start', { message: messageOf(send, [], null, Math.min(1, send.plan.outputTokens)) }),
      event('quiet', 'ping'),
      ...(isSilent ? [] : said),
      ...(hasCall ? called : []),
      event('end', 'message_delta', {
        delta: { stop_reason: hasCall ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: send.plan.outputTokens },
      }),
      event('end', 'message_stop'),
    ];
  },
  json(send, isSilent) {
    const hasCall = send.plan.hasCall && !isSilent;
    const text = { type: 'text', text: wordsOf(send).join('') };
    const call = { type: 'tool_use', id: `toolu_${idOf(send)}`, name: CALL_NAME, input: JSON.parse(argumentsOf(send)) };
    const content = isSilent ? [] : [text, ...(hasCall ? [call] : [])];
    return messageOf(send, content, hasCall ? 'tool_use' : 'end_turn', send.plan.outputTokens);
  },
  failure: named({ type: 'error', error: { type: 'api_error', message: 'the upstream is gone' } }),
  error: (type, message) => ({ type: 'error', error: { type, message } }),
};

export const VOICES: Readonly<Record<Spoken, Voice>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
};
