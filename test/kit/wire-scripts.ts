import type { Protocol } from '../../src/core/model/protocol.ts';
import * as chat from './chat-stream.ts';
import * as messages from './messages-stream.ts';
import * as responses from './responses-stream.ts';

/** The protocols that this version relays. */
export type Spoken = Extract<Protocol, 'openai-chat' | 'openai-responses' | 'anthropic-messages'>;

/** What a client asks and a provider says in one protocol, as text on the wire. */
export type WireScript = {
  /** Where a client asks, of the gateway as of a provider. */
  readonly path: string;
  readonly body: (model: string, stream: boolean) => string;
  /** Events before any output. */
  readonly preamble: string;
  readonly word: (text: string) => string;
  /** The ends of everything that is open, behind exactly these words. */
  readonly end: (words: readonly string[]) => string;
  /** An error of the server, as an event. */
  readonly failure: string;
};

const asked = (model: string, stream: boolean, rest: object): string => JSON.stringify({ model, stream, ...rest });
const USER = [{ role: 'user', content: 'hi' }];

export const WIRE: Readonly<Record<Spoken, WireScript>> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    body: (model, stream) => asked(model, stream, { messages: USER }),
    preamble: chat.delta({ role: 'assistant', content: '' }),
    word: (text) => chat.delta({ content: text }),
    end: () => chat.STOP + chat.DONE,
    failure: 'data: {"error":{"message":"the upstream is gone","type":"server_error","code":502}}\n\n',
  },
  'openai-responses': {
    path: '/v1/responses',
    body: (model, stream) => asked(model, stream, { input: 'hi' }),
    preamble: responses.CREATED + responses.OPENED,
    word: (text) => responses.delta(text),
    end(words) {
      const whole = responses.message(words.join(''));
      return responses.textDone(words.join('')) + responses.done(whole) + responses.completed([whole]);
    },
    failure: responses.failed({ code: 'server_error', message: 'the upstream is gone' }),
  },
  'anthropic-messages': {
    path: '/v1/messages',
    body: (model, stream) => asked(model, stream, { max_tokens: 100, messages: USER }),
    preamble: messages.start() + messages.open(messages.TEXT),
    word: (text) => messages.text(text),
    end: () => messages.close() + messages.stop() + messages.STOP,
    failure: messages.event('error', { error: { type: 'api_error', message: 'the upstream is gone' } }),
  },
};

export const SPOKEN = Object.keys(WIRE) as readonly Spoken[];
