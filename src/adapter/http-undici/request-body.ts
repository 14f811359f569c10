import type { Dispatcher } from 'undici';
import type { HttpRequest } from '../../port/http-client.ts';

/** Bodies up to this size are copied into one buffer and leave with the head in one write. */
const JOIN_UP_TO = 64 * 1024;

/** These belong to the connection or are made here. */
const OWN_HEADERS: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

type Written = Omit<Dispatcher.DispatchOptions, 'origin'>;

export function writeRequest(request: HttpRequest): Written {
  const length = request.body.reduce((sum, part) => sum + part.byteLength, 0);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!OWN_HEADERS.includes(name.toLowerCase())) headers[name] = value;
  }
  const { method, path } = request;
  if (length === 0) return { method, path, headers };
  headers['content-length'] = String(length);
  const body = length <= JOIN_UP_TO ? Buffer.concat(request.body, length) : handOver(request.body);
  return { method, path, headers, body: body as NonNullable<Written['body']> };
}

/**
 * undici keeps a request's body until the answer has ended, which for a stream may be an hour. Parts are therefore let
 * go as they are written.
 */
function handOver(parts: readonly Uint8Array[]): Iterable<Uint8Array> {
  let waiting = [...parts];
  return {
    *[Symbol.iterator]() {
      const taken = waiting;
      waiting = [];
      for (let part = taken.shift(); part !== undefined; part = taken.shift()) yield part;
    },
  };
}
