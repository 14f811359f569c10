import type { ErrorEventForm } from '../scenario/scenario.ts';
import { type ErrorParts, namedFrame } from '../wire/frame.ts';
import {
  blockDelta,
  blockStart,
  blockStop,
  messageDelta,
  messageOf,
  messagesError,
  messagesEvent,
} from '../wire/messages.ts';
import type { Answer, ToolCall } from './answer.ts';
import { type Beat, beat } from './beat.ts';
import type { ProviderVoice } from './voice.ts';

const STOPS: Readonly<Record<Answer['finish'], string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  filter: 'refusal',
  error: 'error',
  broken: 'malformed_tool_use',
};

const stopOf = ({ finish, tools }: Answer): string =>
  finish === 'stop' && tools.length > 0 ? 'tool_use' : STOPS[finish];

const SEAL = 'c2VhbGVk';
const STRAY_BLOCK = 97;

export const messagesVoice: ProviderVoice = {
  beats: (answer) => [...beginning(answer), ...said(answer), ...ending(answer)],
  json(answer) {
    const { words, reasoning, tools, quirks, head, usage } = answer;
    const content = [
      ...(reasoning.length === 0 ? [] : [{ type: 'thinking', thinking: reasoning.join(''), signature: SEAL }]),
      ...(quirks.has('sealed') ? [{ type: 'redacted_thinking', data: SEAL }] : []),
      ...(words.length === 0 ? [] : [{ type: 'text', text: words.join('') }]),
      ...tools.map(({ id, name, args }) => ({
        type: 'tool_use',
        id,
        name,
        input: quirks.has('object_args') ? args : JSON.parse(args),
      })),
    ];
    return messageOf(head, content, quirks.has('no_finish') ? null : stopOf(answer), usage);
  },
  ping: beat('aside', () => messagesEvent('ping')),
  padding: (_answer, _sequence, text) => messagesEvent('ping', { padding: text }),
  endsWith: 'mark',
  canSpare: () => false,
  errorBody: messagesError,
  errorEvent,
  isWhole: ({ isBegun, hasFinish, hasMark }) => hasFinish || (hasMark && isBegun),
};

function beginning({ head, usage, quirks }: Answer): readonly Beat[] {
  // The number of output tokens is a placeholder here.
  const input = usage === null ? 0 : usage.input + (quirks.has('usage_twice') ? 1 : 0);
  const told = usage === null ? null : { input, output: 1 };
  const start = beat('start', () => messagesEvent('message_start', { message: messageOf(head, [], null, told) }));
  return quirks.has('preamble') ? [beat('aside', () => messagesEvent('ping')), start] : [start];
}

type Block = {
  readonly block: object;
  readonly pieces: readonly Beat[];
  readonly open: 'open' | 'call';
  readonly close: 'close' | 'call_end';
};

function said(answer: Answer): readonly Beat[] {
  return blocksOf(answer).flatMap(({ block, pieces, open, close }, index) => [
    beat(open, () => blockStart(index, block)),
    // A piece's number is that of its block.
    ...pieces.map((piece) => ({ ...piece, say: () => piece.say(index) })),
    beat(close, () => blockStop(index)),
  ]);
}

function blocksOf({ reasoning, words, isVisible, tools, quirks }: Answer): readonly Block[] {
  const delta = (members: object) => (index: number) => blockDelta(index, members);
  const thinking: Block = {
    block: { type: 'thinking', thinking: '', signature: '' },
    pieces: [
      ...reasoning.map((text) => beat('reasoning', delta({ type: 'thinking_delta', thinking: text }))),
      beat('close', delta({ type: 'signature_delta', signature: SEAL })),
    ],
    open: 'open',
    close: 'close',
  };
  const text: Block = {
    block: { type: 'text', text: '' },
    pieces: words.map((word) => beat('word', delta({ type: 'text_delta', text: word }), isVisible)),
    open: 'open',
    close: 'close',
  };
  return [
    ...(reasoning.length === 0 ? [] : [thinking]),
    ...(quirks.has('sealed') ? [SEALED] : []),
    ...(words.length === 0 ? [] : [text]),
    ...tools.map(toolBlock),
  ];
}

const SEALED: Block = { block: { type: 'redacted_thinking', data: SEAL }, pieces: [], open: 'open', close: 'close' };

const toolBlock = ({ id, name, pieces }: ToolCall): Block => ({
  block: { type: 'tool_use', id, name, input: {} },
  pieces: pieces.map((piece) =>
    beat('args', (index) => blockDelta(index, { type: 'input_json_delta', partial_json: piece })),
  ),
  open: 'call',
  close: 'call_end',
});

function ending(answer: Answer): readonly Beat[] {
  const { usage, quirks } = answer;
  const input = quirks.has('usage_twice') ? { input_tokens: usage?.input } : {};
  const told = usage === null ? null : { ...input, output_tokens: usage.output };
  const stop = quirks.has('no_finish') ? null : stopOf(answer);
  return [
    ...(quirks.has('stray_stop') ? [beat('close', () => blockStop(STRAY_BLOCK))] : []),
    ...(quirks.has('empty_finish') ? [beat('usage', () => messageDelta('', null))] : []),
    beat(stop === null ? 'usage' : 'finish', () => messageDelta(stop, told)),
    beat('mark', () => messagesEvent('message_stop')),
  ];
}

const ERROR_EVENTS: Readonly<Partial<Record<ErrorEventForm, (parts: ErrorParts) => string>>> = {
  twice: (parts) => `${namedFrame(messagesError(parts))}${messagesEvent('message_stop')}`,
  text: ({ message }) => `event: error\ndata: ${message}\n\n`,
  field: (parts) => `error: ${JSON.stringify(messagesError(parts).error)}\n\n`,
};

function errorEvent(parts: ErrorParts, form: ErrorEventForm): string {
  return ERROR_EVENTS[form]?.(parts) ?? namedFrame(messagesError(parts));
}
