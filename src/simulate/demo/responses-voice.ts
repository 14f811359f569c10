import { messageItem, responseOf, responsesErrorEvent, responsesEvent, textPart } from '../wire/responses.ts';
import { openaiTrouble } from './chat-voice.ts';
import { countTokens, type DemoRequest, splitWords, type Voice } from './voice.ts';

const MESSAGE_ID = 'msg_demo';
const PLACE = { item_id: MESSAGE_ID, output_index: 0, content_index: 0 };
/** Events of a stream are numbered: these come before the first word. */
const BEFORE_ITEM = 2;
const BEFORE_WORDS = BEFORE_ITEM + 2;

const headOf = ({ model }: DemoRequest) => ({ id: 'resp_demo', model });

const message = (status: string, content: readonly object[]): object => messageItem(MESSAGE_ID, status, content);

export const responsesVoice: Voice = {
  opening: (request) =>
    ['response.created', 'response.in_progress'].map((type, sequence) =>
      responsesEvent(type, sequence, {
        response: responseOf(headOf(request), { status: 'in_progress', output: [], usage: null }),
      }),
    ),
  begin: () => [
    responsesEvent('response.output_item.added', BEFORE_ITEM, { output_index: 0, item: message('in_progress', []) }),
    responsesEvent('response.content_part.added', BEFORE_ITEM + 1, { ...PLACE, part: textPart('') }),
  ],
  word: (_request, delta, index) =>
    responsesEvent('response.output_text.delta', BEFORE_WORDS + index, { ...PLACE, delta, logprobs: [] }),
  closing(request, said) {
    const text = said.join('');
    const item = message('completed', [textPart(text)]);
    const output = said.length === 0 ? [] : [item];
    const sequence = said.length === 0 ? BEFORE_ITEM : BEFORE_WORDS + said.length;
    const ends: readonly (readonly [string, object])[] = [
      ['response.output_text.done', { ...PLACE, text, logprobs: [] }],
      ['response.content_part.done', { ...PLACE, part: textPart(text) }],
      ['response.output_item.done', { output_index: 0, item }],
    ];
    const response = responseOf(headOf(request), { status: 'completed', output, usage: countTokens(said.length) });
    return [...(said.length === 0 ? [] : ends), ['response.completed', { response }] as const].map(
      ([type, members], i) => responsesEvent(type, sequence + i, members),
    );
  },
  streamError: (_trouble, message) =>
    responsesErrorEvent(BEFORE_ITEM, { code: 'server_error', message, param: null, type: null }),
  completion: (request, content) =>
    responseOf(headOf(request), {
      status: 'completed',
      output: content === '' ? [] : [message('completed', [textPart(content)])],
      usage: countTokens(splitWords(content).length),
    }),
  error: openaiTrouble,
};
