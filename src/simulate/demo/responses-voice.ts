import { openaiError } from './chat-voice.ts';
import { countTokens, namedFrame, splitWords, type Voice } from './voice.ts';

const MESSAGE_ID = 'msg_demo';
const PLACE = { item_id: MESSAGE_ID, output_index: 0, content_index: 0 };
/** Events of a stream are numbered: these come before the first word. */
const BEFORE_ITEM = 2;
const BEFORE_WORDS = BEFORE_ITEM + 2;

const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const message = (status: string, content: readonly object[]): object => ({
  id: MESSAGE_ID,
  type: 'message',
  status,
  role: 'assistant',
  content,
});

function response(model: string, status: string, output: readonly object[], outputTokens: number | null): object {
  const tokens = countTokens(outputTokens ?? 0);
  const usage = {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens.total,
  };
  return {
    id: 'resp_demo',
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    model,
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: outputTokens === null ? null : usage,
  };
}

const event = (type: string, sequence: number, members: object): string =>
  namedFrame({ type, sequence_number: sequence, ...members });

export const responsesVoice: Voice = {
  opening: ({ model }) =>
    ['response.created', 'response.in_progress'].map((type, sequence) =>
      event(type, sequence, { response: response(model, 'in_progress', [], null) }),
    ),
  begin: () => [
    event('response.output_item.added', BEFORE_ITEM, { output_index: 0, item: message('in_progress', []) }),
    event('response.content_part.added', BEFORE_ITEM + 1, { ...PLACE, part: textPart('') }),
  ],
  word: (_request, delta, index) =>
    event('response.output_text.delta', BEFORE_WORDS + index, { ...PLACE, delta, logprobs: [] }),
  closing({ model }, said) {
    const text = said.join('');
    const item = message('completed', [textPart(text)]);
    const output = said.length === 0 ? [] : [item];
    const sequence = said.length === 0 ? BEFORE_ITEM : BEFORE_WORDS + said.length;
    const ends: readonly (readonly [string, object])[] = [
      ['response.output_text.done', { ...PLACE, text, logprobs: [] }],
      ['response.content_part.done', { ...PLACE, part: textPart(text) }],
      ['response.output_item.done', { output_index: 0, item }],
    ];
    const completed = ['response.completed', { response: response(model, 'completed', output, said.length) }] as const;
    return [...(said.length === 0 ? [] : ends), completed].map(([type, members], i) =>
      event(type, sequence + i, members),
    );
  },
  streamError: (_trouble, text) => event('error', BEFORE_ITEM, { code: 'server_error', message: text, param: null }),
  completion: ({ model }, content) =>
    response(
      model,
      'completed',
      content === '' ? [] : [message('completed', [textPart(content)])],
      splitWords(content).length,
    ),
  error: openaiError,
};
