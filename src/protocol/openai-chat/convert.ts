import type { CanonicalEvent, Frame } from '../../core/model/event.ts';
import {
  applyEdits,
  childrenOf,
  concatBytes,
  type Edit,
  encodeUtf8,
  indexJson,
  isJson,
  isSet,
  type JsonIndex,
  kindOf,
  memberAt,
  memberOf,
  NONE,
  parseNode,
  setMembers,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { createFrameReader, parseObject } from '../shared/json-object.ts';
import { bytesOf, oneLine } from '../shared/nodes.ts';
import type { DecoderOptions } from '../types.ts';
import { AnswerBuilder } from './assemble.ts';
import { DONE_BYTES, dataFrame, frameOf } from './emit.ts';
import { decodeResponse } from './response.ts';

/** Depth of `index` of a tool call: choices, choice, message, tool_calls, call, index. */
const DEPTH = 6;

/**
 * A JSON answer as a stream: each message whole in one chunk (its own bytes, so that nothing of it is lost), then the
 * finish reasons, the usage if the client asked for it, and the end mark.
 */
export function streamFromResponse(
  body: Uint8Array,
  options: Pick<DecoderOptions, 'usageAsked' | 'renameModel'>,
): readonly Frame[] {
  const decoded = decodeResponse(body, { renameModel: options.renameModel, choices: 1 });
  const index = decoded.events.some(({ type }) => type === 'malformed') ? null : indexJson(decoded.body, DEPTH);
  if (index === null || kindOf(index, 0) !== 'object') return [frameOf(new Uint8Array(0), decoded.events)];
  const head = headOf(index);
  const edits = [...decoded.edits, 'converted_to_stream'] as const;
  const choices = memberOf(index, 0, 'choices');
  const nodes = choices === NONE || kindOf(index, choices) !== 'array' ? [] : childrenOf(index, choices);
  const first = decoded.events.filter(({ type }) => type !== 'finish');
  const last = decoded.events.filter(({ type }) => type === 'finish');
  const frames: Frame[] = [];
  for (const [position, node] of nodes.entries()) {
    frames.push(frameOf(messageChunk(index, node, position, head), frames.length === 0 ? first : [], edits));
  }
  const hasCalls = first.some(({ type }) => type === 'tool_call');
  const finish: readonly CanonicalEvent[] = hasCalls ? [{ type: 'tool_end', terminal: true }, ...last] : last;
  const ends = nodes.map((node, position) => ({
    index: indexOf(index, node, position),
    delta: {},
    finish_reason: parseNode(index, memberOf(index, node, 'finish_reason')) ?? null,
  }));
  frames.push(frameOf(dataFrame({ ...head, choices: ends }), finish, edits));
  const usage = memberOf(index, 0, 'usage');
  if (decoded.usage !== null) {
    const bytes = options.usageAsked
      ? dataFrame({ ...head, choices: [], usage: parseNode(index, usage) })
      : new Uint8Array(0);
    frames.push(frameOf(bytes, [{ type: 'usage', usage: decoded.usage }], edits));
  }
  frames.push(frameOf(DONE_BYTES, [{ type: 'done' }], edits));
  return frames;
}

type Head = { readonly [name: string]: unknown };

/** Members that every chunk repeats. */
function headOf(index: JsonIndex): Head {
  const head: Record<string, unknown> = { id: '', object: 'chat.completion.chunk', created: 0, model: '' };
  for (const name of ['id', 'created', 'model', 'system_fingerprint', 'service_tier']) {
    const node = memberOf(index, 0, name);
    if (isSet(index, node)) head[name] = parseNode(index, node);
  }
  return head;
}

const indexOf = (index: JsonIndex, choice: number, position: number): unknown =>
  parseNode(index, memberOf(index, choice, 'index')) ?? position;

/** A message is a delta but for the indices of its tool calls. */
function messageChunk(index: JsonIndex, choice: number, position: number, head: Head): Uint8Array {
  const message = memberOf(index, choice, 'message');
  const logprobs = memberOf(index, choice, 'logprobs');
  const pieces = [
    `data: ${JSON.stringify(head).slice(0, -1)},"choices":[{"index":${JSON.stringify(indexOf(index, choice, position))},"delta":`,
    message === NONE || kindOf(index, message) !== 'object' ? '{}' : oneLine(concatBytes(withIndices(index, message))),
    isSet(index, logprobs) ? ',"logprobs":' : '',
    isSet(index, logprobs) ? oneLine(bytesOf(index, logprobs)) : '',
    ',"finish_reason":null}]}\n\n',
  ];
  return concatBytes(pieces.map((piece) => (typeof piece === 'string' ? encodeUtf8(piece) : piece)));
}

function withIndices(index: JsonIndex, message: number): readonly Uint8Array[] {
  const calls = memberAt(index, message, 'tool_calls');
  const edits: Edit[] = [];
  if (calls !== NONE && kindOf(index, calls) === 'array') {
    for (const [position, call] of childrenOf(index, calls).entries()) {
      if (kindOf(index, call) !== 'object') continue;
      for (const edit of setMembers(index, call, [['index', String(position)]])) edits.push(edit);
    }
  }
  return applyEdits(index.bytes, edits, valueStart(index, message), valueEnd(index, message));
}

/** A whole stream, as the decoder gave it, as one JSON answer. */
export function responseFromStream(frames: readonly Uint8Array[]): Uint8Array {
  const builder = new AnswerBuilder();
  const readFrames = createFrameReader((data) => {
    // Nothing for what is nested more deeply than anything here walks.
    const chunk = isJson(encodeUtf8(data)) ? parseObject(data) : null;
    if (chunk !== null) builder.add(chunk);
  });
  for (const frame of frames) readFrames(frame);
  return encodeUtf8(JSON.stringify(builder.build()));
}
