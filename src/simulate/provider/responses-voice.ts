import type { ErrorEventForm } from '../scenario/scenario.ts';
import { openaiError } from '../wire/chat.ts';
import type { ErrorParts } from '../wire/frame.ts';
import { messageItem, responseOf, responsesErrorEvent, responsesEvent, textPart } from '../wire/responses.ts';
import type { Answer, ToolCall } from './answer.ts';
import { type Beat, type BeatKind, beat } from './beat.ts';
import { mixTurns } from './mix-turns.ts';
import type { ProviderVoice } from './voice.ts';

const SEAL = 'c2VhbGVk';
const NO_REASON = 'malformed_function_call';

/** The last event, the status in it, and why it is incomplete. */
const ENDS: Readonly<Record<Answer['finish'], readonly [type: string, status: string, reason?: string]>> = {
  stop: ['response.completed', 'completed'],
  length: ['response.incomplete', 'incomplete', 'max_output_tokens'],
  filter: ['response.incomplete', 'incomplete', 'content_filter'],
  error: ['response.failed', 'failed'],
  broken: ['response.incomplete', 'incomplete', NO_REASON],
};

const FAILED: ErrorParts = { code: 'server_error', message: 'The response failed.', type: null, param: null };

export const responsesVoice: ProviderVoice = {
  beats: (answer) => [...beginning(answer), ...said(answer), ending(answer)],
  json: (answer) => wholeOf(answer, answer.quirks.has('object_args')),
  ping: beat('aside', () => ': still here\n\n'),
  padding: ({ head }, sequence, text) =>
    responsesEvent('response.in_progress', sequence, {
      response: {
        ...responseOf(head, { status: 'in_progress', output: [], usage: null }),
        metadata: { padding: text },
      },
    }),
  endsWith: 'finish',
  // The text is shown once more as a whole, part by part.
  canSpare: (beats, at) => beats[at]?.kind === 'close' && beats[at - 1]?.kind === 'word',
  errorBody: openaiError,
  errorEvent,
  isWhole: ({ hasFinish }) => hasFinish,
};

function beginning({ head, quirks, usage }: Answer): readonly Beat[] {
  const early = usage !== null && quirks.has('usage_twice') ? { ...usage, output: 0 } : null;
  const response = responseOf(head, { status: 'in_progress', output: [], usage: null });
  const started = { ...response, ...(early === null ? {} : { usage: early }) };
  const queued = quirks.has('preamble') ? [['response.queued', { ...response, status: 'queued' }] as const] : [];
  return [['response.created', response] as const, ...queued, ['response.in_progress', started] as const].map(
    ([type, inner]) => beat('start', (sequence) => responsesEvent(type, sequence, { response: inner })),
  );
}

/** An item of the output, with what is said while it is open. */
type Item = {
  readonly whole: object;
  readonly opened: object;
  readonly pieces: readonly Beat[];
  readonly open: BeatKind;
  readonly close: BeatKind;
};

function said(answer: Answer): readonly Beat[] {
  const items = itemsOf(answer).map(({ opened, whole, pieces, open, close }, place) => ({
    isCall: close === 'call_end',
    beats: [
      event(open, 'response.output_item.added', { output_index: place, item: opened }),
      ...pieces,
      event(close, 'response.output_item.done', { output_index: place, item: whole }),
    ],
  }));
  const [texts, calls] = [items.filter(({ isCall }) => !isCall), items.filter(({ isCall }) => isCall)];
  return [
    ...texts.flatMap(({ beats }) => beats),
    ...mixTurns(
      calls.map(({ beats }) => beats),
      answer.isParallel,
    ),
  ];
}

const event = (kind: BeatKind, type: string, members: object, isOutput?: boolean): Beat =>
  beat(kind, (sequence) => responsesEvent(type, sequence, members), isOutput);

function itemsOf(answer: Answer): readonly Item[] {
  const { reasoning, words, tools, quirks } = answer;
  const items: Item[] = [];
  if (reasoning.length > 0 || quirks.has('sealed')) items.push(reasoningItem(answer, items.length));
  if (words.length > 0) items.push(textItem(answer, items.length));
  for (const call of tools) items.push(callItem(call, items.length));
  return items;
}

function reasoningItem({ head, reasoning, quirks }: Answer, place: number): Item {
  const id = `rs_${head.id}`;
  const at = { item_id: id, output_index: place, summary_index: 0 };
  const text = reasoning.join('');
  const part = (said: string): object => ({ type: 'summary_text', text: said });
  const sealed = quirks.has('sealed') ? { encrypted_content: SEAL } : {};
  const stem = 'response.reasoning_summary';
  return {
    opened: { id, type: 'reasoning', summary: [] },
    whole: { id, type: 'reasoning', summary: reasoning.length === 0 ? [] : [part(text)], ...sealed },
    pieces:
      reasoning.length === 0
        ? []
        : [
            event('open', `${stem}_part.added`, { ...at, part: part('') }),
            ...reasoning.map((delta) => event('reasoning', `${stem}_text.delta`, { ...at, delta })),
            event('close', `${stem}_text.done`, { ...at, text }),
            event('close', `${stem}_part.done`, { ...at, part: part(text) }),
          ],
    open: 'open',
    close: 'close',
  };
}

function textItem({ head, words, isVisible }: Answer, place: number): Item {
  const id = `msg_${head.id}`;
  const at = { item_id: id, output_index: place, content_index: 0 };
  const text = words.join('');
  return {
    opened: messageItem(id, 'in_progress', []),
    whole: messageItem(id, 'completed', [textPart(text)]),
    pieces: [
      event('open', 'response.content_part.added', { ...at, part: textPart('') }),
      ...words.map((delta) => event('word', 'response.output_text.delta', { ...at, delta, logprobs: [] }, isVisible)),
      event('close', 'response.output_text.done', { ...at, text, logprobs: [] }),
      event('close', 'response.content_part.done', { ...at, part: textPart(text) }),
    ],
    open: 'open',
    close: 'close',
  };
}

function callItem({ id, name, args, pieces }: ToolCall, place: number): Item {
  const at = { item_id: `fc_${id}`, output_index: place };
  const item = (status: string, said: string): object => ({
    id: at.item_id,
    type: 'function_call',
    status,
    call_id: id,
    name,
    arguments: said,
  });
  const stem = 'response.function_call_arguments';
  return {
    opened: item('in_progress', ''),
    whole: item('completed', args),
    pieces: [
      ...pieces.map((delta) => event('args', `${stem}.delta`, { ...at, delta })),
      event('close', `${stem}.done`, { ...at, arguments: args }),
    ],
    open: 'call',
    close: 'call_end',
  };
}

function wholeOf(answer: Answer, isObject = false) {
  const { head, usage, finish, tools } = answer;
  const [, status, reason] = ENDS[finish];
  const output = itemsOf(answer).map(({ whole }) => whole);
  const args = new Map(tools.map((tool) => [tool.id, tool.args]));
  const mended = output.map((item) => {
    const text = 'call_id' in item ? args.get(String(item.call_id)) : undefined;
    return isObject && text !== undefined ? { ...item, arguments: JSON.parse(text) } : item;
  });
  return responseOf(head, {
    status,
    output: mended,
    usage,
    ...(reason === undefined ? {} : { reason }),
    ...(status === 'failed' ? { error: FAILED } : {}),
  });
}

const ending = (answer: Answer): Beat =>
  beat('finish', (sequence) => responsesEvent(ENDS[answer.finish][0], sequence, { response: wholeOf(answer) }));

function errorEvent(parts: ErrorParts, form: ErrorEventForm, { head }: Answer, sequence: number): string {
  const failed = (number: number): string =>
    responsesEvent('response.failed', number, {
      response: responseOf(head, { status: 'failed', output: [], usage: null, error: parts }),
    });
  const own = responsesErrorEvent(sequence, parts);
  if (form === 'failed') return failed(sequence);
  if (form === 'twice') return `${own}${failed(sequence + 1)}`;
  if (form === 'text') return `event: error\ndata: ${parts.message}\n\n`;
  return form === 'field' ? `error: ${JSON.stringify({ code: parts.code, message: parts.message })}\n\n` : own;
}
