import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { ClientError } from '../core/failure/client-error.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import { CODECS } from '../protocol/index.ts';
import { errorHeaders } from '../protocol/shared/client-error.ts';
import type { EncodedError, ProtocolCodec } from '../protocol/types.ts';
import { shapeError } from './error-shapes.ts';
import type { Exchange } from './exchange.ts';
import { ownHeaders } from './own-headers.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const PROBLEM_TYPE = { 'content-type': 'application/problem+json; charset=utf-8' };
const encoder = new TextEncoder();

/** The codec of a protocol, undefined for those that this version does not speak. */
export const codecOf = (protocol: Protocol): ProtocolCodec | undefined => CODECS.get(protocol);

/** An error of the server as its client reads it. Protocols without a form of their own get OpenAI's. */
export function encodeServerError(protocol: Protocol, error: ClientError, requestId: string): EncodedError {
  const own = codecOf(protocol);
  if (own) return own.encodeError(error, { requestId });
  const shape = shapeError(protocol, error, requestId);
  if (shape === null) return encodeServerError('openai-chat', error, requestId);
  return { status: shape.status, headers: errorHeaders(error), body: encoder.encode(JSON.stringify(shape.body)) };
}

export type Addressee = Pick<Exchange, 'id' | 'headers' | 'config' | 'method'> & { readonly res: ServerResponse };

/** The head of an answer. */
export function answerHead(exchange: Addressee, status: number, headers: Headers, isLast: boolean): void {
  const last = isLast ? { connection: 'close' } : {};
  exchange.res.writeHead(status, { ...headers, ...ownHeaders(exchange), ...last });
}

/** One whole answer. HEAD gets the same head and no body. */
export function answer(exchange: Addressee, status: number, headers: Headers, body: Uint8Array, isLast: boolean): void {
  const { res } = exchange;
  if (res.headersSent || res.destroyed) return;
  const hasBody = status !== 204;
  const length = hasBody ? { 'content-length': String(body.length) } : {};
  answerHead(exchange, status, { ...headers, ...length }, isLast);
  if (exchange.method === 'HEAD' || !hasBody) res.end();
  else res.end(body);
}

export function answerJson(
  exchange: Addressee,
  status: number,
  value: unknown,
  options: { readonly isLast: boolean; readonly headers?: Headers },
): void {
  const headers = { ...JSON_TYPE, 'cache-control': 'no-store', ...options.headers };
  answer(exchange, status, headers, encoder.encode(JSON.stringify(value)), options.isLast);
}

/** An error of the management API: problem details (RFC 9457). */
export function answerProblem(
  exchange: Addressee,
  problem: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly problems?: readonly unknown[] | undefined;
  },
  headers: Headers,
  isLast: boolean,
): void {
  const { status, code, message, problems } = problem;
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message, code };
  answerJson(
    exchange,
    status,
    { ...body, request_id: exchange.id, ...(problems === undefined ? {} : { problems }) },
    { isLast, headers: { ...PROBLEM_TYPE, ...headers } },
  );
}
