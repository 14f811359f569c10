import type { Headers } from '../../src/core/model/protocol.ts';
import type { HttpFailure, HttpHandler } from '../../src/port/http-client.ts';

export type RecordedEvent = 'sent' | 'head' | 'data' | 'end' | 'failure';

export interface RecordingHandler extends HttpHandler {
  /** What was called, in order. */
  readonly events: readonly RecordedEvent[];
  readonly status: number | null;
  readonly headers: Headers | null;
  readonly failure: HttpFailure | null;
  readonly chunks: readonly Uint8Array[];
  /** The body so far. */
  readonly body: Buffer;
  readonly text: string;
  /** Resolves with the first of `onEnd` and `onFailure`. */
  readonly over: Promise<void>;
  /** Resolves once `isTrue` holds behind a call. */
  until(isTrue: (handler: RecordingHandler) => boolean): Promise<void>;
}

/** Notes everything; `react` is called behind each note, for tests that act in the middle of an exchange. */
export function createRecordingHandler(
  react: (event: RecordedEvent, handler: RecordingHandler) => void = () => {},
): RecordingHandler {
  const events: RecordedEvent[] = [];
  const chunks: Uint8Array[] = [];
  const waiting = new Set<() => void>();
  let status: number | null = null;
  let headers: Headers | null = null;
  let failure: HttpFailure | null = null;
  const note = (event: RecordedEvent) => {
    events.push(event);
    react(event, handler);
    for (const check of waiting) check();
  };
  const handler: RecordingHandler = {
    events,
    chunks,
    get status() {
      return status;
    },
    get headers() {
      return headers;
    },
    get failure() {
      return failure;
    },
    get body() {
      return Buffer.concat(chunks);
    },
    get text() {
      return Buffer.concat(chunks).toString();
    },
    get over() {
      return handler.until(() => events.includes('end') || events.includes('failure'));
    },
    until(isTrue) {
      return new Promise((resolve) => {
        const check = () => {
          if (!isTrue(handler)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    onSent: () => note('sent'),
    onHead(gotStatus, gotHeaders) {
      status = gotStatus;
      headers = gotHeaders;
      note('head');
    },
    onData(chunk) {
      chunks.push(chunk);
      note('data');
    },
    onEnd: () => note('end'),
    onFailure(got) {
      failure = got;
      note('failure');
    },
  };
  return handler;
}
