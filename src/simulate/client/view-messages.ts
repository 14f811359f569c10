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
  wordOf,
} from './draft.ts';
import { checkName, type EventFrame } from './read-frames.ts';
import type { ClientView } from './view.ts';

const FINISHES: Readonly<Record<string, ClientView['finish']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  refusal: 'filter',
  tool_use: 'tool',
};

type Block = { readonly type: string; readonly tool: ToolDraft | null; isOpen: boolean };

/** What a client keeps while it reads. */
type Reading = { readonly draft: Draft; isStarted: boolean; readonly blocks: Block[] };

/** Messages as a stream: whole with `message_stop`. */
export function viewMessagesStream(draft: Draft, frames: readonly EventFrame[]): void {
  const reading: Reading = { draft, isStarted: false, blocks: [] };
  for (const frame of frames) {
    const event = parseObject(draft, frame.data);
    if (event === null) continue;
    const type = textOf(event['type']);
    checkName(draft, frame, type);
    if (type === 'ping' && !draft.isOver) continue;
    if (draft.isOver) {
      draft.saysMoreBehindEnd = true;
      continue;
    }
    if (!reading.isStarted && type !== 'message_start' && type !== 'error')
      blame(draft, 'an event before message_start');
    const read = EVENTS[type];
    if (read === undefined) blame(draft, 'an event that no client knows');
    else read(reading, event);
  }
}

const EVENTS: Readonly<Record<string, (reading: Reading, event: Json) => void>> = {
  message_start(reading, event) {
    if (reading.isStarted) blame(reading.draft, 'two beginnings');
    reading.isStarted = true;
    readUsage(reading.draft, objectOf(event['message']));
  },
  content_block_start: openBlock,
  content_block_delta: readDelta,
  content_block_stop(reading, event) {
    const block = openBlockOf(reading, event);
    if (block === null) return;
    block.isOpen = false;
    if (block.tool !== null) completeTool(reading.draft, block.tool);
  },
  message_delta(reading, event) {
    const { draft, blocks } = reading;
    if (blocks.some(({ isOpen }) => isOpen)) blame(draft, 'an end while a block is open');
    readStop(draft, objectOf(event['delta']));
    readUsage(draft, event);
  },
  message_stop({ draft }) {
    draft.isOver = true;
    draft.isWhole = draft.finish !== null;
    if (!draft.isWhole) blame(draft, 'an end without a stop reason');
  },
  error({ draft }, event) {
    readError(draft, event);
  },
};

function openBlock({ draft, blocks }: Reading, event: Json): void {
  if (event['index'] !== blocks.length) blame(draft, 'a block out of order');
  if (draft.finish !== null) blame(draft, 'output behind the stop reason');
  if (blocks.some(({ isOpen }) => isOpen)) blame(draft, 'a block while another is open');
  const block = objectOf(event['content_block']);
  const type = textOf(block['type']);
  const tool: ToolDraft | null =
    type === 'tool_use' ? { id: textOf(block['id']), name: textOf(block['name']), args: '', isComplete: false } : null;
  if (tool !== null) {
    if (tool.id === '' || tool.name === '') blame(draft, 'a tool call without id or name');
    draft.tools.push(tool);
  }
  draft.text += type === 'text' ? textOf(block['text']) : '';
  draft.reasoning += type === 'thinking' ? textOf(block['thinking']) : '';
  blocks.push({ type, tool, isOpen: true });
}

function openBlockOf({ draft, blocks }: Reading, event: Json): Block | null {
  const block = blocks[numberOf(event['index']) ?? -1];
  if (block?.isOpen === true) return block;
  blame(draft, 'an event of a block that is not open');
  return null;
}

/** What each delta adds, and to blocks of which type. */
const DELTAS: Readonly<
  Record<string, readonly [block: string, add: (draft: Draft, delta: Json, block: Block) => void]>
> = {
  text_delta: [
    'text',
    (draft, delta) => {
      draft.text += textOf(delta['text']);
    },
  ],
  thinking_delta: [
    'thinking',
    (draft, delta) => {
      draft.reasoning += textOf(delta['thinking']);
    },
  ],
  signature_delta: ['thinking', () => {}],
  citations_delta: ['text', () => {}],
  input_json_delta: [
    'tool_use',
    (_draft, delta, { tool }) => {
      if (tool !== null) tool.args += textOf(delta['partial_json']);
    },
  ],
};

function readDelta(reading: Reading, event: Json): void {
  const block = openBlockOf(reading, event);
  if (block === null) return;
  const delta = objectOf(event['delta']);
  const [type, add] = DELTAS[textOf(delta['type'])] ?? [];
  if (add === undefined || type !== block.type) blame(reading.draft, 'a delta that does not fit its block');
  else add(reading.draft, delta, block);
}

function readStop(draft: Draft, delta: Json): void {
  // Until it is due some providers send an empty text, which clients take for none.
  const reason = delta['stop_reason'] || null;
  if (reason === null) return;
  draft.finish = FINISHES[textOf(reason)] ?? null;
  if (draft.finish === null) blame(draft, 'a stop reason that no client knows');
}

/** Later words stand above earlier ones, member by member. */
function readUsage(draft: Draft, { usage }: Json): void {
  if (!isObject(usage)) return;
  draft.usage = {
    inputTokens: numberOf(usage['input_tokens']) ?? draft.usage?.inputTokens ?? null,
    outputTokens: numberOf(usage['output_tokens']) ?? draft.usage?.outputTokens ?? null,
  };
}

function readError(draft: Draft, body: Json): void {
  const error = objectOf(body['error']);
  if (wordOf(error['type']) === null) blame(draft, 'an error without a type');
  noteError(draft, error, objectOf(error['details'])['error_code'] ?? error['code']);
}

/** A whole message as JSON, or an error body. */
export function viewMessagesJson(draft: Draft, body: Json): void {
  if (body['type'] === 'error') {
    readError(draft, body);
    return;
  }
  if (body['type'] !== 'message' || !Array.isArray(body['content'])) blame(draft, 'an answer without a message');
  for (const value of listOf(body['content'])) {
    const block = objectOf(value);
    const type = textOf(block['type']);
    if (type === 'text') draft.text += textOf(block['text']);
    else if (type === 'thinking') draft.reasoning += textOf(block['thinking']);
    else if (type === 'tool_use') {
      const args = JSON.stringify(block['input'] ?? {});
      draft.tools.push({ id: textOf(block['id']), name: textOf(block['name']), args, isComplete: true });
    } else if (type !== 'redacted_thinking') blame(draft, 'a block that no client knows');
  }
  readUsage(draft, body);
  readStop(draft, body);
  draft.isWhole = draft.finish !== null;
}
