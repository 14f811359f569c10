import type { Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { markOf, PROTOCOL, riders } from './members.ts';
import { contentOf, writePart } from './part-write.ts';
import { openState } from './reasoning-state.ts';
import { dropForeign, type WriteContext } from './write-context.ts';

/**
 * A message item. One with an id is an output of the model as its provider keeps it: those have a status, and parts.
 */
function messageItem(role: Message['role'], parts: readonly JsonObject[], members: JsonObject): JsonObject {
  const isKept = 'id' in members;
  const status = isKept && role === 'assistant' ? { status: 'completed' } : {};
  return { type: 'message', role, content: isKept ? parts : contentOf(parts), ...status, ...members };
}

/**
 * What earlier turns thought: only their issuer's seal makes it worth anything, and only together with the seal an id
 * that a provider does not keep.
 */
function reasoningItem(part: ReasoningPart, { isOwn, dropped }: WriteContext): JsonObject | null {
  const state = part.state?.issuer === PROTOCOL ? openState(part.state) : null;
  if (!isOwn && (state === null || state.encrypted === null)) {
    dropped.add('reasoning');
    return null;
  }
  const isTold = isOwn && part.text !== '';
  if (!isOwn && part.text !== '') dropped.add('reasoning');
  return {
    type: 'reasoning',
    ...given({ id: state?.id ?? null }),
    summary: (part.summary ?? []).map((text) => ({ type: 'summary_text', text })),
    ...(isTold ? { content: [{ type: 'reasoning_text', text: part.text }] } : {}),
    ...given({ encrypted_content: state?.encrypted ?? null }),
    ...riders(part),
  };
}

function callItem(part: ToolCallPart): JsonObject {
  const [type, name] = part.kind === 'custom' ? ['custom_tool_call', 'input'] : ['function_call', 'arguments'];
  return {
    type,
    call_id: part.id,
    name: part.name,
    ...given({ namespace: part.namespace }),
    [name]: part.input,
    ...riders(part),
  };
}

function resultItem(part: ToolResultPart, context: WriteContext): JsonObject {
  if (part.isError === true) context.dropped.add('isError');
  const content = part.content.flatMap((inner) => {
    const kept = markOf(inner, '$part');
    const written = context.isOwn && isJsonObject(kept) ? kept : writePart(inner, 'user', context);
    return written === null ? [] : [written];
  });
  const type = part.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output';
  // A tool that said nothing said an empty text: not every server takes a list of nothing.
  const output = content.length === 0 && !context.isOwn ? '' : contentOf(content);
  return { type, call_id: part.callId, output, ...riders(part) };
}

/** An item of its own; null: none, and that is named where it is a loss. */
function itemOf(part: Part, context: WriteContext): JsonObject | null {
  dropForeign(part, context);
  if (part.cache !== undefined) context.dropped.add('cache');
  switch (part.type) {
    case 'reasoning':
      return reasoningItem(part, context);
    case 'tool_call':
      return callItem(part);
    case 'tool_result':
      return resultItem(part, context);
    case 'native':
      if (part.protocol === PROTOCOL && isJsonObject(part.value)) return part.value;
      context.dropped.add(part.what);
      return null;
    default:
      context.dropped.add(part.type);
      return null;
  }
}

const isSpoken = (part: Part): boolean =>
  part.type === 'text' ||
  part.type === 'refusal' ||
  part.type === 'image' ||
  part.type === 'audio' ||
  part.type === 'file' ||
  markOf(part, '$content') !== undefined;

/** An assistant's turn: words that follow each other are one message, everything else is an item. */
function assistantItems(message: Message, context: WriteContext): readonly JsonObject[] {
  const items: JsonObject[] = [];
  let open: { readonly parts: JsonObject[]; readonly members: JsonObject } | null = null;
  const close = (): void => {
    if (open !== null && open.parts.length > 0) items.push(messageItem('assistant', open.parts, open.members));
    open = null;
  };
  for (const part of message.parts) {
    if (!isSpoken(part)) {
      const item = itemOf(part, context);
      close();
      if (item !== null) items.push(item);
      continue;
    }
    const mark = markOf(part, '$message');
    if (mark !== undefined) close();
    const written = writePart(part, 'assistant', context);
    open ??= { parts: [], members: isJsonObject(mark) ? mark : {} };
    if (written !== null) open.parts.push(written);
  }
  close();
  return items;
}

const written = (message: Message, context: WriteContext): JsonObject[] =>
  message.parts.map((part) => writePart(part, message.role, context)).filter((part) => part !== null);

/** The items of a message. */
export function writeMessage(message: Message, context: WriteContext): readonly JsonObject[] {
  dropForeign(message, context);
  if (message.name !== undefined) context.dropped.add('name');
  if (message.role === 'assistant') return assistantItems(message, context);
  if (message.role === 'tool') {
    return message.parts.map((part) => itemOf(part, context)).filter((item) => item !== null);
  }
  const isRenamed = message.role === 'developer' && context.capabilities.developerRole === false;
  const parts = written(message, context);
  if (parts.length === 0 && !context.isOwn) return [];
  return [messageItem(isRenamed ? 'system' : message.role, parts, riders(message))];
}
