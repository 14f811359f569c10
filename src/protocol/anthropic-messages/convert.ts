import type { CanonicalEvent, Frame } from '../../core/model/event.ts';
import {
  childrenOf,
  concatBytes,
  decodeUtf8,
  EMPTY,
  encodeUtf8,
  indexJson,
  isKey,
  type JsonIndex,
  keyStartOf,
  kindOf,
  memberOf,
  NONE,
  valueEnd,
} from '../json/index.ts';
import { createFrameReader, parseObject } from '../shared/json-object.ts';
import { bytesOf, elementsOf, oneLine, typeOf } from '../shared/nodes.ts';
import type { DecoderOptions } from '../types.ts';
import { MessageBuilder } from './assemble.ts';
import { eventBytes, eventFrame, frameOf, MESSAGE_STOP } from './emit.ts';
import { decodeResponse } from './response.ts';

/** content, block, its members, the elements of one. */
const DEPTH = 4;

/** Members of a block that a stream brings in deltas: what stands in the block's start instead, and the delta. */
const IN_DELTAS: readonly {
  readonly member: string;
  readonly start: string;
  readonly delta: string;
  readonly as: string;
  /** `raw`: as it is. `text`: the value's text, as a string. `each`: one delta for each element. */
  readonly form: 'raw' | 'text' | 'each';
}[] = [
  { member: 'thinking', start: '""', delta: 'thinking_delta', as: 'thinking', form: 'raw' },
  { member: 'signature', start: '""', delta: 'signature_delta', as: 'signature', form: 'raw' },
  { member: 'text', start: '""', delta: 'text_delta', as: 'text', form: 'raw' },
  { member: 'citations', start: '[]', delta: 'citations_delta', as: 'citation', form: 'each' },
  { member: 'input', start: '{}', delta: 'input_json_delta', as: 'partial_json', form: 'text' },
];

/** Blocks whose members come in deltas; any other stands whole in its start. */
const STREAMED: ReadonlySet<string> = new Set(['text', 'thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use']);

/**
 * A JSON answer as a stream, block by block, made of its own bytes, so that nothing of it is lost on the way.
 */
export function streamFromResponse(
  body: Uint8Array,
  options: Pick<DecoderOptions, 'usageAsked' | 'renameModel'>,
): readonly Frame[] {
  const decoded = decodeResponse(body, options);
  const index = indexJson(decoded.body, DEPTH);
  if (index === null || kindOf(index, 0) !== 'object') return [frameOf(EMPTY, decoded.events)];
  const edits = [...decoded.edits, 'converted_to_stream'] as const;
  const frame = (bytes: Uint8Array, events: readonly CanonicalEvent[]): Frame => frameOf(bytes, events, edits, 1);
  const finish = decoded.events.filter(({ type }) => type === 'finish');
  const content = decoded.events.filter(({ type }) => type !== 'finish');
  const usage: readonly CanonicalEvent[] = decoded.usage === null ? [] : [{ type: 'usage', usage: decoded.usage }];
  const frames: Frame[] = [frame(messageStart(index), [{ type: 'start' }])];
  const blocks = elementsOf(index, memberOf(index, 0, 'content')).filter((node) => kindOf(index, node) === 'object');
  for (const [position, node] of blocks.entries()) {
    const said = content[position];
    frames.push(frame(blockBytes(index, node, position), said === undefined ? [] : [said]));
    const end: readonly CanonicalEvent[] =
      typeOf(index, node) === 'tool_use' ? [{ type: 'tool_end', terminal: false }] : [{ type: 'empty_delta' }];
    frames.push(frame(eventFrame({ type: 'content_block_stop', index: position }), end));
  }
  frames.push(frame(messageDelta(index), [...usage, ...finish]));
  frames.push(frame(MESSAGE_STOP, [{ type: 'done' }]));
  return frames;
}

/** Members of an object as they were written, each on one line; `over` replaces or adds the values of some. */
function membersText(index: JsonIndex, object: number, over: Readonly<Record<string, string>>, leave = ''): string {
  const parts: string[] = [];
  const named = new Set<string>();
  for (const node of childrenOf(index, object)) {
    const name = Object.keys(over).find((each) => isKey(index, node, each));
    if (name !== undefined) named.add(name);
    else if (leave === '' || !isKey(index, node, leave)) parts.push(memberText(index, node));
  }
  parts.push(...Object.entries(over).map(([name, json]) => `${JSON.stringify(name)}:${json}`));
  return parts.join(',');
}

const memberText = (index: JsonIndex, node: number): string =>
  decodeUtf8(oneLine(index.bytes.subarray(keyStartOf(index, node), valueEnd(index, node))));

const valueText = (index: JsonIndex, node: number): string => decodeUtf8(oneLine(bytesOf(index, node)));

function messageStart(index: JsonIndex): Uint8Array {
  const message = membersText(index, 0, { content: '[]', stop_reason: 'null', stop_sequence: 'null' });
  return eventBytes('message_start', `{"type":"message_start","message":{${message}}}`);
}

function messageDelta(index: JsonIndex): Uint8Array {
  const [reason, sequence, usage] = ['stop_reason', 'stop_sequence', 'usage'].map((name) => memberOf(index, 0, name));
  const text = (node: number | undefined, none: string): string =>
    node === undefined || node === NONE ? none : valueText(index, node);
  const delta = `{"stop_reason":${text(reason, 'null')},"stop_sequence":${text(sequence, 'null')}}`;
  const count = text(usage, '{"output_tokens":0}');
  return eventBytes('message_delta', `{"type":"message_delta","delta":${delta},"usage":${count}}`);
}

/** The start of a block and its deltas. */
function blockBytes(index: JsonIndex, block: number, position: number): Uint8Array {
  const isStreamed = STREAMED.has(typeOf(index, block) ?? '');
  const rows = IN_DELTAS.map((row) => ({ ...row, node: memberOf(index, block, row.member) })).filter(
    ({ node, form }) =>
      isStreamed && node !== NONE && (form === 'raw' ? kindOf(index, node) === 'string' : isContainer(index, node)),
  );
  const start = membersText(index, block, Object.fromEntries(rows.map(({ member, start: value }) => [member, value])));
  const at = `"index":${position}`;
  const events = [eventBytes('content_block_start', `{"type":"content_block_start",${at},"content_block":{${start}}}`)];
  for (const { node, delta, as, form } of rows) {
    const values =
      form === 'each' ? elementsOf(index, node).map((each) => valueText(index, each)) : [textIn(index, node, form)];
    for (const value of values) {
      if (value === '""') continue;
      const json = `{"type":"content_block_delta",${at},"delta":{"type":"${delta}","${as}":${value}}}`;
      events.push(eventBytes('content_block_delta', json));
    }
  }
  return concatBytes(events);
}

const isContainer = (index: JsonIndex, node: number): boolean =>
  kindOf(index, node) === 'object' || kindOf(index, node) === 'array';

const textIn = (index: JsonIndex, node: number, form: 'raw' | 'text'): string =>
  form === 'raw' ? valueText(index, node) : JSON.stringify(valueText(index, node));

/** A whole stream, as the decoder gave it, as one JSON answer. */
export function responseFromStream(frames: readonly Uint8Array[]): Uint8Array {
  const builder = new MessageBuilder();
  const readFrames = createFrameReader((data) => {
    const event = parseObject(data);
    if (event !== null) builder.add(event);
  });
  for (const frame of frames) readFrames(frame);
  return encodeUtf8(builder.build());
}
