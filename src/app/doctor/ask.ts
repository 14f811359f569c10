import type { TransportError } from '../../core/failure/signal.ts';
import type { Headers } from '../../core/model/protocol.ts';
import type { HttpClient } from '../../port/http-client.ts';

export type Asked =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      readonly body: Uint8Array;
      /** Epoch ms around the moment at which the answer's head was written. */
      readonly sentAt: number;
      readonly headAt: number;
    }
  | { readonly kind: 'failure'; readonly error: TransportError; readonly detail: string }
  /** `phase`: what was being waited for. */
  | { readonly kind: 'timeout'; readonly phase: 'connect' | 'answer' };

export type Question = { readonly origin: string; readonly path: string; readonly headers: Headers };

export type AskRules = { readonly limitMs: number; readonly maxBytes: number; readonly now: () => number };

/** One GET, read whole within `limitMs`; a body beyond `maxBytes` is left at that. */
export function ask(http: HttpClient, question: Question, { limitMs, maxBytes, now }: AskRules): Promise<Asked> {
  return new Promise((resolve) => {
    let sentAt: number | null = null;
    let head: { readonly status: number; readonly headers: Headers; readonly at: number } | null = null;
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (asked: Asked): void => {
      clearTimeout(timer);
      resolve(asked);
    };
    const answer = (): void => {
      if (head === null) return;
      const { status, headers, at } = head;
      finish({ kind: 'answer', status, headers, body: Buffer.concat(chunks), sentAt: sentAt ?? at, headAt: at });
    };
    const exchange = http.send(
      { ...question, method: 'GET', body: [], connectTimeoutMs: limitMs, freshSocket: true },
      {
        onSent() {
          sentAt = now();
        },
        onHead(status, headers) {
          head = { status, headers, at: now() };
        },
        onData(chunk) {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= maxBytes) return;
          exchange.abort();
          answer();
        },
        onEnd: answer,
        onFailure: ({ error, detail }) => (head === null ? finish({ kind: 'failure', error, detail }) : answer()),
      },
    );
    const timer = setTimeout(() => {
      exchange.abort();
      if (head === null) finish({ kind: 'timeout', phase: sentAt === null ? 'connect' : 'answer' });
      else answer();
    }, limitMs);
  });
}
