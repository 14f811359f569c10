import { createParser } from 'eventsource-parser';
import type { Spoken } from '../kit/wire-scripts.ts';
import { type Answer, emptyAnswer, type SeenCall } from './seen.ts';

/** Whatever an event holds: each member is looked at before it is believed. */
interface Json {
  readonly [member: string]: Json;
}
type Reader = (answer: Answer, event: Json) => void;

const str = (value: unknown): string => (typeof value === 'string' ? value : '');
const num = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/**
 * Reads a stream as a client library does: strictly, event by event, to the end or as far as it came. `isOver`: more will
 * not come, by the word of the gateway.
 */
export function readStream(body: string, protocol: Spoken, isOver: boolean): Answer {
  const answer = emptyAnswer();
  const parser = createParser({
    onEvent({ data, event }) {
      if (answer.error !== null || (answer.isWhole && data !== '[DONE]'))
        answer.oddities.push(`behind the end: ${data}`);
      if (data === '[DONE]') takeMark(answer, protocol);
      else READERS[protocol](answer, parse(answer, data), event);
    },
    onError: (error) => void answer.oddities.push(`no event stream: ${error.message}`),
  });
  parser.feed(body);
  if (isOver && body !== '' && !body.endsWith('\n\n')) answer.oddities.push('half a frame at the end');
  return answer;
}

function parse(answer: Answer, data: string): Json {
  try {
    return JSON.parse(data) as Json;
  } catch {
    answer.oddities.push(`no JSON: ${data.slice(0, 200)}`);
    return {};
  }
}

function takeMark(answer: Answer, protocol: Spoken): void {
  const isDue = protocol === 'openai-chat' && finished.has(answer) && !answer.isWhole;
  if (!isDue) answer.oddities.push('an end mark that is not due');
  answer.isWhole = isDue && answer.error === null;
}

/** Chat answers that have their finish reason, and wait for the end mark. */
const finished = new WeakSet<Answer>();

const readChat: Reader = (answer, event) => {
  if (event['error'] != null) {
    answer.error = { code: str(event['error']['code']) };
    return;
  }
  answer.marks.add(str(event['id'])).add(str(event['model']));
  const usage = event['usage'];
  if (usage != null) answer.usage = { input: num(usage['prompt_tokens']), output: num(usage['completion_tokens']) };
  for (const choice of list(event['choices'])) {
    const delta = choice['delta'];
    const isLate = finished.has(answer);
    if (delta !== undefined && (str(delta['content']) !== '' || delta['tool_calls'] != null) && isLate) {
      answer.oddities.push('output behind the finish reason');
    }
    answer.text += str(delta?.['content']);
    for (const call of list(delta?.['tool_calls']))
      addCall(answer, num(call['index']), str(call['id']), call['function']);
    if (choice['finish_reason'] == null) continue;
    if (isLate) answer.oddities.push('a second finish reason');
    finished.add(answer);
    for (const call of answer.calls) call.isWhole = true;
  }
};

function addCall(answer: Answer, index: number, id: string, part: Json | undefined): void {
  const known = answer.calls[index];
  if (known === undefined) {
    answer.calls[index] = { id, name: str(part?.['name']), args: str(part?.['arguments']), isWhole: false };
  } else known.args += str(part?.['arguments']);
}

type Response = Json | undefined;

function noteResponse(answer: Answer, response: Response): void {
  answer.marks.add(str(response?.['id'])).add(str(response?.['model']));
  const usage = response?.['usage'];
  if (usage != null) answer.usage = { input: num(usage['input_tokens']), output: num(usage['output_tokens']) };
}

/** The text and the calls of a response that is whole. */
export function outputOf(response: Response): Pick<Answer, 'text' | 'calls'> {
  const items = list(response?.['output']);
  const text = items.flatMap((item) => list(item['content']).map((part) => str(part['text']))).join('');
  const calls = items.filter((item) => str(item['type']) === 'function_call').map(callOf);
  return { text, calls };
}

const callOf = (item: Json): SeenCall => ({
  id: str(item['call_id']),
  name: str(item['name']),
  args: str(item['arguments']),
  isWhole: true,
});

const RESPONSES: Readonly<Record<string, Reader>> = {
  'response.created': (answer, event) => noteResponse(answer, event['response']),
  'response.in_progress': (answer, event) => noteResponse(answer, event['response']),
  'response.output_text.delta': (answer, event) => {
    answer.text += str(event['delta']);
  },
  'response.output_text.done': (answer, event) => {
    if (str(event['text']) !== answer.text) answer.oddities.push('the text is not the sum of its deltas');
  },
  'response.output_item.added': (answer, event) => {
    const item = event['item'];
    if (str(item?.['type']) === 'function_call') answer.calls.push({ ...callOf(item ?? {}), isWhole: false });
  },
  'response.function_call_arguments.delta': (answer, event) => {
    const call = answer.calls.at(-1);
    if (call !== undefined) call.args += str(event['delta']);
  },
  'response.output_item.done': (answer, event) => {
    const call = answer.calls.at(-1);
    if (str(event['item']?.['type']) === 'function_call' && call !== undefined) call.isWhole = true;
  },
  'response.completed': (answer, event) => {
    noteResponse(answer, event['response']);
    const whole = outputOf(event['response']);
    if (whole.text !== answer.text || JSON.stringify(whole.calls) !== JSON.stringify(answer.calls)) {
      answer.oddities.push('the response is not what its events have said');
    }
    answer.isWhole = true;
  },
  'response.failed': (answer, event) => {
    answer.error = { code: str(event['response']?.['error']?.['code']) };
  },
  error: (answer, event) => {
    answer.error = { code: str(event['code']) };
  },
};

const readResponses: Reader = (answer, event) => RESPONSES[str(event['type'])]?.(answer, event);

const MESSAGES: Readonly<Record<string, Reader>> = {
  message_start: (answer, event) => {
    if (answer.usage !== null) answer.oddities.push('a second message');
    const message = event['message'];
    answer.marks.add(str(message?.['id'])).add(str(message?.['model']));
    const usage = message?.['usage'];
    answer.usage = { input: num(usage?.['input_tokens']), output: num(usage?.['output_tokens']) };
  },
  content_block_start: (answer, event) => {
    const block = event['content_block'];
    if (str(block?.['type']) !== 'tool_use') return;
    answer.calls.push({ id: str(block?.['id']), name: str(block?.['name']), args: '', isWhole: false });
  },
  content_block_delta: (answer, event) => {
    const delta = event['delta'];
    answer.text += str(delta?.['text']);
    const call = answer.calls.at(-1);
    if (call !== undefined) call.args += str(delta?.['partial_json']);
  },
  content_block_stop: (answer) => {
    const call = answer.calls.at(-1);
    if (call !== undefined) call.isWhole = true;
  },
  message_delta: (answer, event) => {
    const output = num(event['usage']?.['output_tokens']);
    if (answer.usage !== null) answer.usage = { ...answer.usage, output };
  },
  message_stop: (answer) => {
    answer.isWhole = true;
  },
  error: (answer, event) => {
    answer.error = { code: str(event['error']?.['type']) };
  },
};

const readMessages: Reader = (answer, event) => MESSAGES[str(event['type'])]?.(answer, event);

const READERS: Readonly<Record<Spoken, (answer: Answer, event: Json, name: string | undefined) => void>> = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readMessages,
};
