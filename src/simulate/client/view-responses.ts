import {
  blame,
  completeTool,
  type Draft,
  isObject,
  type Json,
  listOf,
  noteError,
  numberOf,
  objectOf,
  parseObject,
  type ToolDraft,
  textOf,
} from './draft.ts';
import { checkName, type EventFrame } from './read-frames.ts';

type Item = { readonly type: string; readonly tool: ToolDraft | null; text: string; isOpen: boolean };

/** What a client keeps while it reads. */
type Reading = { readonly draft: Draft; readonly items: Map<number, Item>; sequence: number; isStarted: boolean };

/** The Responses API as a stream: whole with `response.completed`, or `response.incomplete` for a limit or a filter. */
export function viewResponsesStream(draft: Draft, frames: readonly EventFrame[]): void {
  const reading: Reading = { draft, items: new Map(), sequence: -1, isStarted: false };
  for (const frame of frames) {
    const event = parseObject(draft, frame.data);
    if (event === null) continue;
    const type = textOf(event['type']);
    checkName(draft, frame, type);
    if (draft.isOver) {
      draft.saysMoreBehindEnd = true;
      continue;
    }
    count(reading, event);
    const read = EVENTS[type];
    if (read !== undefined) read(reading, event);
    else if (!type.startsWith('response.')) blame(draft, 'an event that no client knows');
  }
}

/** Numbers rise: what is left out on the way leaves a gap, what comes twice is a fault. */
function count(reading: Reading, event: Json): void {
  const number = numberOf(event['sequence_number']);
  if (number === null) return;
  if (number <= reading.sequence) blame(reading.draft, 'an event number that does not rise');
  reading.sequence = number;
}

type Read = (reading: Reading, event: Json) => void;

const add =
  (member: 'text' | 'reasoning'): Read =>
  (reading, event) => {
    const item = openItem(reading, event);
    const delta = textOf(event['delta']);
    if (item !== null && member === 'text') item.text += delta;
    reading.draft[member] += delta;
  };

const EVENTS: Readonly<Record<string, Read>> = {
  'response.created': (reading) => {
    if (reading.isStarted) blame(reading.draft, 'two beginnings');
    reading.isStarted = true;
  },
  'response.output_item.added': openNew,
  'response.output_text.delta': add('text'),
  'response.refusal.delta': add('text'),
  'response.reasoning_text.delta': add('reasoning'),
  'response.reasoning_summary_text.delta': add('reasoning'),
  'response.output_text.done': (reading, event) => {
    const item = openItem(reading, event);
    if (item !== null && !item.text.endsWith(textOf(event['text'])))
      blame(reading.draft, 'a text that is not its deltas');
  },
  'response.function_call_arguments.delta': (reading, event) => {
    const tool = openItem(reading, event)?.tool ?? null;
    if (tool === null) blame(reading.draft, 'arguments of no tool call');
    else tool.args += textOf(event['delta']);
  },
  'response.function_call_arguments.done': (reading, event) => {
    const tool = openItem(reading, event)?.tool ?? null;
    if (tool !== null && tool.args !== textOf(event['arguments']))
      blame(reading.draft, 'arguments that are not their deltas');
  },
  'response.custom_tool_call_input.delta': (reading, event) => {
    const tool = openItem(reading, event)?.tool ?? null;
    if (tool?.isText !== true) blame(reading.draft, 'a text of no tool call');
    else tool.args += textOf(event['delta']);
  },
  'response.custom_tool_call_input.done': (reading, event) => {
    const tool = openItem(reading, event)?.tool ?? null;
    if (tool !== null && tool.args !== textOf(event['input']))
      blame(reading.draft, 'arguments that are not their deltas');
  },
  'response.output_item.done': closeItem,
  'response.completed': endWith(() => 'stop'),
  'response.incomplete': endWith((response) => {
    const { reason } = objectOf(response['incomplete_details']);
    return reason === 'max_output_tokens' ? 'length' : reason === 'content_filter' ? 'filter' : null;
  }),
  'response.failed': ({ draft }, event) => noteError(draft, objectOf(objectOf(event['response'])['error'])),
  error: ({ draft }, event) => noteError(draft, isObject(event['error']) ? event['error'] : event),
};

const indexOf = (event: Json): number => numberOf(event['output_index']) ?? -1;

function openItem({ draft, items }: Reading, event: Json): Item | null {
  const item = items.get(indexOf(event));
  if (item?.isOpen === true) return item;
  blame(draft, 'an event of an item that is not open');
  return null;
}

const argsOf = (item: Json): string => textOf(item['type'] === 'custom_tool_call' ? item['input'] : item['arguments']);

function toolOf(draft: Draft, item: Json): ToolDraft | null {
  const isText = item['type'] === 'custom_tool_call';
  if (item['type'] !== 'function_call' && !isText) return null;
  const tool: ToolDraft = {
    id: textOf(item['call_id']),
    name: textOf(item['name']),
    args: argsOf(item),
    isComplete: false,
    ...(isText ? { isText } : {}),
  };
  if (tool.id === '' || tool.name === '') blame(draft, 'a tool call without id or name');
  return tool;
}

function openNew({ draft, items }: Reading, event: Json): void {
  const index = indexOf(event);
  if (index !== items.size) blame(draft, 'an item out of order');
  const item = objectOf(event['item']);
  const tool = toolOf(draft, item);
  if (tool !== null) draft.tools.push(tool);
  items.set(index, { type: textOf(item['type']), tool, text: '', isOpen: true });
}

function closeItem(reading: Reading, event: Json): void {
  const { draft } = reading;
  const item = openItem(reading, event);
  if (item === null) return;
  const done = objectOf(event['item']);
  item.isOpen = false;
  if (textOf(done['type']) !== item.type) blame(draft, 'an item that ends as another');
  if (item.type === 'message' && textIn(done) !== item.text) blame(draft, 'a text that is not its deltas');
  if (item.tool === null) return;
  if (argsOf(done) !== item.tool.args) blame(draft, 'arguments that are not their deltas');
  completeTool(draft, item.tool);
}

const textIn = (item: Json): string =>
  listOf(item['content'])
    .map((part) => textOf(objectOf(part)['text'] ?? objectOf(part)['refusal']))
    .join('');

type Finish = Draft['finish'];

/** A terminal event with the whole response in it, which must be what was streamed. */
function endWith(finishOf: (response: Json) => Finish): Read {
  return ({ draft, items }, event) => {
    const response = objectOf(event['response']);
    const finish = finishOf(response);
    if (textOf(response['id']) === '') blame(draft, 'a response without id');
    if (finish === null) blame(draft, 'an end that no client knows');
    if (finish === 'stop' && [...items.values()].some(({ isOpen }) => isOpen))
      blame(draft, 'an end while an item is open');
    const output = listOf(response['output']).map(objectOf);
    const whole = output
      .filter(({ type }) => type === 'message')
      .map(textIn)
      .join('');
    if (finish === 'stop' && whole !== textOfItems(items)) blame(draft, 'a whole text that is not what was streamed');
    readUsage(draft, response);
    finishWith(draft, finish);
  };
}

const textOfItems = (items: ReadonlyMap<number, Item>): string =>
  [...items.values()]
    .filter(({ type }) => type === 'message')
    .map(({ text }) => text)
    .join('');

function finishWith(draft: Draft, finish: Finish): void {
  draft.finish = finish === 'stop' && draft.tools.length > 0 ? 'tool' : finish;
  draft.isOver = true;
  draft.isWhole = finish !== null;
}

function readUsage(draft: Draft, { usage }: Json): void {
  if (!isObject(usage)) return;
  draft.usage = { inputTokens: numberOf(usage['input_tokens']), outputTokens: numberOf(usage['output_tokens']) };
}

/** A whole response as JSON, or an error body. */
export function viewResponsesJson(draft: Draft, body: Json): void {
  if (isObject(body['error'])) {
    noteError(draft, body['error']);
    return;
  }
  if (body['object'] !== 'response' || !Array.isArray(body['output'])) blame(draft, 'an answer without output');
  for (const value of listOf(body['output'])) {
    const item = objectOf(value);
    const tool = toolOf(draft, item);
    if (tool !== null) {
      draft.tools.push(tool);
      completeTool(draft, tool);
    } else if (item['type'] === 'message') draft.text += textIn(item);
    else if (item['type'] === 'reasoning') draft.reasoning += reasoningIn(item);
  }
  readUsage(draft, body);
  const { reason } = objectOf(body['incomplete_details']);
  if (body['status'] === 'completed') finishWith(draft, 'stop');
  else if (body['status'] === 'incomplete')
    finishWith(draft, reason === 'max_output_tokens' ? 'length' : reason === 'content_filter' ? 'filter' : null);
  else blame(draft, 'an answer that is not over');
}

const reasoningIn = (item: Json): string =>
  [...listOf(item['summary']), ...listOf(item['content'])].map((part) => textOf(objectOf(part)['text'])).join('');
