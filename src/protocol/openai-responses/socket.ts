import {
  appendMembers,
  applyEdits,
  concatBytes,
  encodeUtf8,
  indexJson,
  isKey,
  type JsonIndex,
  keyStartOf,
  kindOf,
  memberOf,
  NONE,
  parseNode,
  removeMembers,
  stringOf,
  valueEnd,
} from '../json/index.ts';
import { bytesOf } from '../shared/nodes.ts';
import { blockStart, createFrameSplitter, readBlock, trimSpan } from '../sse/index.ts';
import type { RequestProblem } from '../types.ts';

/**
 * What a client sends over a WebSocket: a request of this protocol, as one frame. `body` is what it would send over HTTP.
 * `streamId` comes back in every event of its answer. `generate` false: nothing is to be said yet, only to be gone on from.
 */
export type ClientFrame = {
  readonly body: Uint8Array;
  readonly generate: boolean;
  readonly streamId: string | null;
};

export type ReadFrame =
  | { readonly ok: true; readonly frame: ClientFrame }
  | { readonly ok: false; readonly problem: RequestProblem; readonly streamId: string | null };

const CREATE = 'response.create';
const MAX_STREAM_ID = 256;

/** Members of the frame that are no part of a request. A stream is what every answer is here. */
const OF_FRAME: readonly string[] = ['type', 'generate', 'stream_id', 'stream'];

/** Reads one frame. What else is wrong with the request in it, `decodeRequest` finds. */
export function readClientFrame(bytes: Uint8Array): ReadFrame {
  const index = indexJson(bytes, 1);
  if (index === null || kindOf(index, 0) !== 'object') return no('A frame must be a JSON object.', null, null);
  const streamNode = memberOf(index, 0, 'stream_id');
  const streamId = streamNode === NONE ? null : stringOf(index, streamNode);
  const lane = streamId !== null && streamId.length <= MAX_STREAM_ID ? streamId : null;
  if (streamNode !== NONE && (lane === null || lane === '')) {
    return no(`"stream_id" must be a text of at most ${MAX_STREAM_ID} characters.`, 'stream_id', null);
  }
  const type = memberOf(index, 0, 'type');
  if (type === NONE || stringOf(index, type) !== CREATE) {
    return no(`This connection takes frames of the type "${CREATE}" alone.`, 'type', lane);
  }
  const generate = parseFlag(index, 'generate');
  if (generate === null) return no('"generate" must be true or false.', 'generate', lane);
  return { ok: true, frame: { body: bodyOf(index, type), generate, streamId: lane } };
}

const no = (message: string, param: string | null, streamId: string | null): ReadFrame => ({
  ok: false,
  problem: { message, param },
  streamId,
});

/** Null: it is neither. */
function parseFlag(index: JsonIndex, name: string): boolean | null {
  const node = memberOf(index, 0, name);
  if (node === NONE || kindOf(index, node) === 'null') return true;
  return kindOf(index, node) === 'boolean' ? parseNode(index, node) === true : null;
}

/** The type makes room for what HTTP would say in its place, so that no comma is one too many. */
function bodyOf(index: JsonIndex, type: number): Uint8Array {
  const isGone = (node: number): boolean => node !== type && OF_FRAME.some((name) => isKey(index, node, name));
  const stream = { start: keyStartOf(index, type), end: valueEnd(index, type), text: encodeUtf8('"stream":true') };
  return concatBytes(applyEdits(index.bytes, [stream, ...removeMembers(index, 0, isGone)]));
}

/** Larger events were handed on unread, and can't be made a message. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

export type MessageWriter = {
  /**
   * The messages for whole frames of an event stream: one for each event, comments and end marks have none. Null: an event
   * is too large for one.
   */
  push(bytes: Uint8Array): readonly Uint8Array[] | null;
};

/** Makes messages of an event stream, each named with the client's `stream_id` where it gave one. */
export function createMessageWriter(streamId: string | null): MessageWriter {
  const splitter = createFrameSplitter(MAX_EVENT_BYTES);
  return {
    push(bytes) {
      const messages: Uint8Array[] = [];
      let isTooLarge = false;
      splitter.push(bytes, (piece, start, end, kind) => {
        if (kind === 'large' || kind === 'rest') isTooLarge = true;
        if (kind !== 'frame') return;
        const json = messageIn(piece, blockStart(piece, start, end), end);
        if (json !== null) messages.push(withStreamId(json, streamId));
      });
      return isTooLarge ? null : messages;
    },
  };
}

const BRACE = 0x7b;
const TYPED = encodeUtf8('{"type":');
const NEWLINE = encodeUtf8('\n');

function messageIn(bytes: Uint8Array, start: number, end: number): Uint8Array | null {
  const { data, event } = readBlock(bytes, start, end);
  const lines = data.map((span) => trimSpan(bytes, span)).map((span) => bytes.subarray(span.start, span.end));
  const json = concatBytes(lines.flatMap((line, place) => (place === 0 ? [line] : [NEWLINE, line])));
  if (json[0] !== BRACE) return null;
  if (event === '' || TYPED.every((byte, i) => json[i] === byte)) return json;
  // Over HTTP the event's name may stand beside the data alone.
  const index = indexJson(json, 1);
  if (index === null || memberOf(index, 0, 'type') !== NONE) return json;
  return concatBytes(applyEdits(json, [appendMembers(index, 0, `"type":${JSON.stringify(event)}`)]));
}

function withStreamId(json: Uint8Array, streamId: string | null): Uint8Array {
  if (streamId === null) return json;
  const member = encodeUtf8(`{"stream_id":${JSON.stringify(streamId)},`);
  return concatBytes([member, json.subarray(1)]);
}

export type TellingHead = { readonly status: number; readonly headers: { readonly [name: string]: string } };

/**
 * An error that HTTP would have told with a status. Clients wait for ever without one, and wait as long as the headers say.
 * `body` is that of HTTP.
 */
export function errorMessage({ status, headers }: TellingHead, body: Uint8Array, streamId: string | null): Uint8Array {
  const index = indexJson(body, 1);
  const node = index === null ? NONE : memberOf(index, 0, 'error');
  const error = index === null || node === NONE ? encodeUtf8('{}') : bytesOf(index, node);
  const { 'content-type': _type, ...told } = headers;
  const head = encodeUtf8(`{"type":"error","status":${status},"error":`);
  const tail = encodeUtf8(`,"headers":${JSON.stringify(told)}}`);
  return withStreamId(concatBytes([head, error, tail]), streamId);
}

/** What a request that asks for no answer is answered with: a response that is over before it has said anything. */
export function emptyAnswer(id: string, model: string, at: number, streamId: string | null): readonly Uint8Array[] {
  const response = (status: string, usage: object | null): object => ({
    id,
    object: 'response',
    created_at: Math.floor(at / 1000),
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage,
  });
  const event = (type: string, number: number, members: object): Uint8Array =>
    withStreamId(encodeUtf8(JSON.stringify({ type, sequence_number: number, response: members })), streamId);
  return [
    event('response.created', 0, response('in_progress', null)),
    event('response.completed', 1, response('completed', NO_USAGE)),
  ];
}

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

/** What a client offers of this very manner is nothing for a provider that is asked over HTTP. */
export function withoutSocketFlag(flags: string): string {
  const kept = flags.split(',').filter((flag) => !flag.trim().toLowerCase().startsWith('responses_websockets='));
  return kept.join(',').trim();
}
