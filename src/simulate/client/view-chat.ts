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
  textOf,
  wordOf,
} from './draft.ts';
import type { EventFrame } from './read-frames.ts';
import type { ClientView } from './view.ts';

const FINISHES: Readonly<Record<string, ClientView['finish']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'filter',
  tool_calls: 'tool',
  function_call: 'tool',
};

/** Chat Completions as a stream: it is whole with a finish reason and `[DONE]`. */
export function viewChatStream(draft: Draft, frames: readonly EventFrame[]): void {
  for (const { data } of frames) {
    if (draft.isOver) draft.saysMoreBehindEnd = true;
    else if (data === '[DONE]') {
      draft.isOver = true;
      draft.isWhole = draft.finish !== null;
      if (!draft.isWhole) blame(draft, 'an end mark without a finish reason');
    } else readChunk(draft, data);
  }
}

function readChunk(draft: Draft, data: string): void {
  const chunk = parseObject(draft, data);
  if (chunk === null) return;
  if (isObject(chunk['error'])) {
    noteError(draft, chunk['error']);
    return;
  }
  if (!Array.isArray(chunk['choices'])) blame(draft, 'a chunk without choices');
  readUsage(draft, chunk);
  for (const value of listOf(chunk['choices'])) {
    const choice = objectOf(value);
    if (choice['index'] !== 0) blame(draft, 'a choice that nobody asked for');
    readDelta(draft, objectOf(choice['delta']));
    readFinish(draft, choice);
  }
}

function readDelta(draft: Draft, delta: Json): void {
  const text = textOf(delta['content']);
  const calls = listOf(delta['tool_calls']);
  if (draft.finish !== null && (text !== '' || calls.length > 0)) blame(draft, 'output behind the finish reason');
  draft.text += text;
  draft.reasoning += textOf(delta['reasoning_content'] ?? delta['reasoning']);
  for (const call of calls) readCall(draft, objectOf(call));
}

function readCall(draft: Draft, call: Json): void {
  const index = numberOf(call['index']);
  const { name, arguments: args } = objectOf(call['function']);
  const known = index === null ? undefined : draft.tools[index];
  if (known !== undefined) {
    if (wordOf(call['id'] || known.id) !== known.id) blame(draft, 'a tool call that changes its id');
    known.args += textOf(args);
    return;
  }
  if (index !== draft.tools.length) blame(draft, 'a tool call out of order');
  if (textOf(call['id']) === '' || textOf(name) === '') blame(draft, 'a tool call without id or name');
  draft.tools.push({ id: textOf(call['id']), name: textOf(name), args: textOf(args), isComplete: false });
}

function readFinish(draft: Draft, choice: Json): void {
  // Until it is due some providers send an empty text, which clients take for none.
  const reason = choice['finish_reason'] || null;
  if (reason === null) return;
  const finish = FINISHES[textOf(reason)] ?? null;
  if (finish === null) blame(draft, 'a finish reason that no client knows');
  if (draft.finish !== null && draft.finish !== finish) blame(draft, 'two finish reasons');
  draft.finish = finish;
  if (finish !== 'tool') {
    if (draft.tools.length > 0 && finish === 'stop') blame(draft, 'a finish reason that denies a tool call');
    return;
  }
  for (const tool of draft.tools) completeTool(draft, tool);
}

function readUsage(draft: Draft, answer: Json): void {
  const { usage } = answer;
  if (!isObject(usage)) return;
  draft.usage = { inputTokens: numberOf(usage['prompt_tokens']), outputTokens: numberOf(usage['completion_tokens']) };
}

/** A whole answer as JSON. */
export function viewChatJson(draft: Draft, body: Json): void {
  if (isObject(body['error'])) {
    noteError(draft, body['error']);
    return;
  }
  const [first, ...others] = listOf(body['choices']);
  const choice = objectOf(first);
  if (!isObject(choice['message'])) blame(draft, 'an answer without a message');
  if (others.length > 0) blame(draft, 'a choice that nobody asked for');
  const message = objectOf(choice['message']);
  draft.text = textOf(message['content']);
  draft.reasoning = textOf(message['reasoning_content'] ?? message['reasoning']);
  for (const [index, call] of listOf(message['tool_calls']).entries()) readCall(draft, { index, ...objectOf(call) });
  readUsage(draft, body);
  readFinish(draft, choice);
  draft.isWhole = draft.finish !== null;
}
