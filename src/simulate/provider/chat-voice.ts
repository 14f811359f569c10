import type { ErrorEventForm } from '../scenario/scenario.ts';
import { CHAT_DONE, chatChunk, chatCompletion, chatUsage, openaiError } from '../wire/chat.ts';
import { dataFrame, type ErrorParts } from '../wire/frame.ts';
import type { Answer, ToolCall } from './answer.ts';
import { type Beat, beat } from './beat.ts';
import { mixTurns } from './mix-turns.ts';
import type { ProviderVoice } from './voice.ts';

const FINISH: Readonly<Record<Answer['finish'], string>> = {
  stop: 'stop',
  length: 'length',
  filter: 'content_filter',
  error: 'error',
  broken: 'malformed_function_call',
};

const finishOf = ({ finish, tools }: Answer): string =>
  finish === 'stop' && tools.length > 0 ? 'tool_calls' : FINISH[finish];

export const chatVoice: ProviderVoice = {
  beats: (answer) => [...beginning(answer), ...said(answer), ...ending(answer)],
  json(answer) {
    const { words, reasoning, tools, quirks, head, usage } = answer;
    const message = {
      content: words.length === 0 && tools.length > 0 ? null : words.join(''),
      ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.join('') }),
      ...(tools.length === 0 ? {} : { tool_calls: tools.map((call) => wholeCall(call, quirks.has('object_args'))) }),
    };
    return chatCompletion(head, message, quirks.has('no_finish') ? null : finishOf(answer), usage);
  },
  ping: beat('aside', () => ': still here\n\n'),
  padding: ({ head }, _sequence, text) => dataFrame({ ...chatChunk(head, {}), padding: text }),
  endsWith: 'mark',
  // What is left of the mark is no JSON object: noise, behind an answer that has said how it ended.
  canSpare: (beats, at) => beats[at]?.kind === 'mark',
  errorBody: openaiError,
  errorEvent,
  isWhole({ isBegun, hasFinish, hasMark, hasTools, isClean }) {
    if (hasMark) return hasFinish || isBegun;
    return hasFinish && (isClean || !hasTools);
  },
};

const wholeCall = ({ id, name, args }: ToolCall, isObject: boolean): object => ({
  id,
  type: 'function',
  function: { name, arguments: isObject ? JSON.parse(args) : args },
});

/** A chunk; a finish reason that is not due yet is null, or an empty text. */
const chunkOf = ({ head, quirks }: Answer, delta: object, finish: string | null = null) =>
  chatChunk(head, delta, finish ?? (quirks.has('empty_finish') ? '' : null));

function beginning(answer: Answer): readonly Beat[] {
  const role = beat('start', () => dataFrame(chunkOf(answer, { role: 'assistant', content: '' })));
  if (!answer.quirks.has('preamble')) return [role];
  const filter = {
    id: '',
    object: '',
    created: 0,
    model: '',
    choices: [],
    prompt_filter_results: [{ prompt_index: 0 }],
  };
  return [beat('aside', () => dataFrame(filter)), role];
}

function said(answer: Answer): readonly Beat[] {
  const say = (delta: object) => (): string => dataFrame(chunkOf(answer, delta));
  const last = isMerged(answer) ? -1 : answer.words.length;
  return [
    ...answer.reasoning.map((text) => beat('reasoning', say({ reasoning_content: text }))),
    ...answer.words.slice(0, last).map((content) => beat('word', say({ content }), answer.isVisible)),
    ...mixTurns(
      answer.tools.map((call, index) => callBeats(answer, call, index, say)),
      answer.isParallel,
    ),
  ];
}

/** The last word and the finish share a frame. */
const isMerged = ({ quirks, words, tools }: Answer): boolean =>
  quirks.has('finish_with_word') && !quirks.has('no_finish') && words.length > 0 && tools.length === 0;

function callBeats(
  { quirks, isParallel }: Answer,
  { id, name, pieces }: ToolCall,
  index: number,
  say: (delta: object) => () => string,
): readonly Beat[] {
  const place = quirks.has('no_index') && !isParallel ? {} : { index };
  const repeated = quirks.has('blank_ids') ? { id: '', type: 'function' } : {};
  const named = quirks.has('blank_ids') ? { name: '' } : {};
  const open = { ...place, id, type: 'function', function: { name, arguments: '' } };
  return [
    beat('call', say({ tool_calls: [open] })),
    ...pieces.map((piece) =>
      beat('args', say({ tool_calls: [{ ...place, ...repeated, function: { ...named, arguments: piece } }] })),
    ),
  ];
}

function ending(answer: Answer): readonly Beat[] {
  const { quirks, head, usage, words, isVisible } = answer;
  const told = usage === null ? null : chatUsage(usage);
  const isEarly = told !== null && quirks.has('usage_in_finish');
  const hasFinish = !quirks.has('no_finish');
  const first = usage !== null && quirks.has('usage_twice') ? chatUsage({ ...usage, output: usage.output + 1 }) : null;
  const inFinish = isEarly ? told : first;
  const delta = isMerged(answer) ? { content: words.at(-1) } : {};
  const finish = (): string =>
    dataFrame({ ...chunkOf(answer, delta, finishOf(answer)), ...(inFinish === null ? {} : { usage: inFinish }) });
  const { choices: _, ...bare } = chatChunk(head, {});
  const alone = { ...bare, ...(quirks.has('usage_bare') ? {} : { choices: [] }), usage: told };
  return [
    ...(hasFinish ? [beat('finish', finish, isMerged(answer) && isVisible)] : []),
    ...(told === null || (isEarly && hasFinish) ? [] : [beat('usage', () => dataFrame(alone))]),
    beat('mark', () => CHAT_DONE),
  ];
}

const ERROR_EVENTS: Readonly<Record<ErrorEventForm, (body: object, parts: ErrorParts) => string>> = {
  own: (body) => dataFrame(body),
  failed: (body) => dataFrame(body),
  twice: (body) => `${dataFrame(body)}${CHAT_DONE}`,
  joined: (body) => `event: error\n${dataFrame(body).trimEnd()}\n${CHAT_DONE}`,
  text: (_body, { message }) => `event: error\ndata: ${message}\n\n`,
  field: (_body, { message, type, code }) => `error: ${JSON.stringify({ code, message, type })}\n\n${CHAT_DONE}`,
};

function errorEvent(parts: ErrorParts, form: ErrorEventForm): string {
  return ERROR_EVENTS[form](openaiError(parts), parts);
}
