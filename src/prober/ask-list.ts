import type { FailureSignal } from '../core/failure/signal.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { Clock } from '../port/clock.ts';
import type { HttpClient, HttpExchange, HttpRequest } from '../port/http-client.ts';

/** A body that was read whole, or why there is none. */
export type ListAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly body: Uint8Array }
  /** More than it may be: nobody reads on. */
  | { readonly kind: 'too_large' }
  | { readonly kind: 'broken'; readonly cause: FailureSignal['cause'] };

/** Errors are short; what is longer is none that anybody could read. */
const MAX_ERROR_BYTES = 64 * 1024;

export type ListQuestion = Pick<HttpRequest, 'origin' | 'path' | 'headers' | 'connectTimeoutMs'>;

export type ListLimits = {
  /** Epoch ms. */
  readonly until: number;
  readonly maxBytes: number;
};

type Ports = { readonly http: Pick<HttpClient, 'send'>; readonly clock: Clock };

/**
 * One GET, read whole by a moment, on a socket of its own: nothing of it is sent again. Resolves once, never rejects; a
 * redirect is an answer like any other.
 */
export function askList(question: ListQuestion, { until, maxBytes }: ListLimits, ports: Ports): Promise<ListAnswer> {
  return new Promise((resolve) => {
    const { clock, http } = ports;
    const chunks: Uint8Array[] = [];
    const limitMs = Math.max(0, until - clock.now());
    let length = 0;
    let isSent = false;
    let head: { readonly status: number; readonly headers: Headers } | null = null;
    let exchange: HttpExchange | null = null;
    let isOver = false;
    const finish = (answer: ListAnswer): void => {
      if (isOver) return;
      isOver = true;
      timer.cancel();
      if (answer.kind !== 'answer') exchange?.abort();
      resolve(answer);
    };
    const timer = clock.setTimer(limitMs, () => {
      const late = head !== null ? 'whole' : isSent ? 'headers' : 'connect';
      finish({ kind: 'broken', cause: { kind: 'clock', clock: late, limitMs } });
    });
    const whole = (): void => {
      if (head === null) finish({ kind: 'broken', cause: { kind: 'fault', fault: 'incomplete' } });
      else finish({ kind: 'answer', ...head, body: join(chunks, length) });
    };
    exchange = http.send(
      { ...question, method: 'GET', body: [], freshSocket: true },
      {
        onSent() {
          isSent = true;
        },
        onHead(status, headers) {
          head = { status, headers };
        },
        onData(chunk) {
          const isFine = head !== null && head.status < 300;
          length += chunk.length;
          if (length <= (isFine ? maxBytes : MAX_ERROR_BYTES)) chunks.push(chunk);
          else if (isFine) finish({ kind: 'too_large' });
          else {
            exchange?.abort();
            length -= chunk.length;
            whole();
          }
        },
        onEnd: whole,
        onFailure: ({ error }) => finish({ kind: 'broken', cause: { kind: 'transport', error, detail: '' } }),
      },
    );
  });
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
