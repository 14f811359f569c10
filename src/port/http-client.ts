import type { TransportError } from '../core/failure/signal.ts';
import type { Headers } from '../core/model/protocol.ts';

export type HttpRequest = {
  /** `https://host:port` */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  /** Sent one after the other; the client adds `content-length`. */
  readonly body: readonly Uint8Array[];
  readonly connectTimeoutMs: number;
  /** Never use a pooled socket: the replay of a request whose reused socket was stale. */
  readonly freshSocket: boolean;
};

export type HttpFailure = {
  readonly error: TransportError;
  /** For the log and the record: cleaned of secrets by who shows it. */
  readonly detail: string;
  /** The socket had served another request before. */
  readonly reusedSocket: boolean;
};

/**
 * What happens to one exchange. Exactly one of `onEnd` and `onFailure` comes, last; neither comes after `abort`.
 * Bodies arrive decoded (gzip, deflate, br, zstd). A redirect is a response like any other.
 */
export interface HttpHandler {
  /** A socket is connected and the request is being written. */
  onSent(): void;
  onHead(status: number, headers: Headers): void;
  onData(chunk: Uint8Array): void;
  /** The body ended as HTTP wants it. */
  onEnd(): void;
  onFailure(failure: HttpFailure): void;
}

export interface HttpExchange {
  /** Ends it at once, whatever its phase; nothing is called any more. */
  abort(): void;
  /** Stops reading from the socket; what was read already may still arrive. */
  pause(): void;
  resume(): void;
}

/**
 * Sends requests and nothing else: no retries, no redirects, no timeouts but the connect timeout's clean-up of sockets.
 */
export interface HttpClient {
  send(request: HttpRequest, handler: HttpHandler): HttpExchange;
  close(): Promise<void>;
}
