import { namedFrame } from '../wire/frame.ts';
import {
  blockDelta,
  blockStart,
  blockStop,
  messageDelta,
  messageOf,
  messagesError,
  messagesEvent,
} from '../wire/messages.ts';
import { countTokens, type DemoRequest, splitWords, type Trouble, type Voice } from './voice.ts';

const ERRORS: Readonly<Record<Trouble, string>> = {
  overloaded: 'overloaded_error',
  rate_limited: 'rate_limit_error',
  broken: 'api_error',
  retired: 'not_found_error',
  unknown_model: 'not_found_error',
};

const headOf = ({ model }: DemoRequest) => ({ id: 'msg_demo', model });

const error = (trouble: Trouble, message: string) =>
  messagesError({ message, type: ERRORS[trouble], code: null, param: null });

export const messagesVoice: Voice = {
  opening: (request) => [
    messagesEvent('message_start', { message: messageOf(headOf(request), [], null, countTokens(1)) }),
    messagesEvent('ping'),
  ],
  begin: () => [blockStart(0, { type: 'text', text: '' })],
  word: (_request, text) => blockDelta(0, { type: 'text_delta', text }),
  closing: (_request, said) => [
    ...(said.length === 0 ? [] : [blockStop(0)]),
    messageDelta('end_turn', { output_tokens: said.length }),
    messagesEvent('message_stop'),
  ],
  streamError: (trouble, text) => namedFrame(error(trouble, text)),
  completion: (request, content) =>
    messageOf(
      headOf(request),
      content === '' ? [] : [{ type: 'text', text: content }],
      'end_turn',
      countTokens(splitWords(content).length),
    ),
  error,
};
