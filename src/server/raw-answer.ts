import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { encodeServerError } from './answer.ts';
import type { ServerContext } from './context.ts';
import { type Refusal, refuse } from './refusal.ts';
import { createRequestId } from './request-id.ts';

const bad = (message: string, status = 400): Refusal => refuse('invalid_request_error', message, { status });

/** What is said to a peer whose bytes never became a request, by Node's word for what is wrong with them. */
const REFUSALS: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: () => bad('The headers are larger than server.maxHeaderSize.', 431),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => bad('The chunk extensions are too large.', 413),
  ERR_HTTP_REQUEST_TIMEOUT: () => bad('The head of the request did not arrive within server.headersTimeout.', 408),
  CONNECT: () => refuse('method_not_allowed', 'This is no forward proxy: CONNECT is not served.'),
};

export const rawRefusal = (code: string | undefined): Refusal =>
  REFUSALS[code ?? '']?.() ?? bad('This is no well-formed HTTP/1.1 request.');

/** Bytes of a whole answer, written past node:http, which has no response object for these. Then the socket ends. */
export function answerRaw(socket: Socket, { error }: Refusal, context: ServerContext): void {
  // The peer may be gone by now, or go while it is told.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const id = createRequestId(context.clock.now(), context.random);
  const { status, headers, body } = encodeServerError('openai-chat', error, id);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${id}`,
    `request-id: ${id}`,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}
