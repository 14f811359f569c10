import type { Failure } from '../../src/core/failure/failure.ts';
import { innermostError } from '../../src/core/failure/innermost.ts';
import type { FailureSignal } from '../../src/core/failure/signal.ts';

/** Short ways to write the signals of failures, as the engine would gather them. */

const AT = Date.UTC(2026, 10, 29, 10, 0, 0);

const BASE: FailureSignal = {
  cause: { kind: 'status' },
  provider: 'p',
  protocol: 'openai-chat',
  translated: false,
  status: 200,
  headers: {},
  error: null,
  body: 'none',
  anyByte: true,
  anyEvent: false,
  anyItem: false,
  committed: false,
  at: AT,
};

/** A signal of which only the named part matters. */
export const signal = (more: Partial<FailureSignal>): FailureSignal => ({ ...BASE, ...more });

export const http = (status: number, body: unknown = null, more: Partial<FailureSignal> = {}): FailureSignal => ({
  ...BASE,
  status,
  error: innermostError(body, status),
  body: body === null ? 'empty' : 'json',
  ...more,
});

export const event = (body: unknown, more: Partial<FailureSignal> = {}): FailureSignal => ({
  ...BASE,
  cause: { kind: 'error_event' },
  error: innermostError(body),
  anyEvent: true,
  ...more,
});

export const body200 = (body: unknown): FailureSignal => ({
  ...BASE,
  cause: { kind: 'error_body' },
  error: innermostError(body, 200),
  body: 'json',
});

export const html = (status: number) => http(status, null, { body: 'html' });
export const cause = (of: FailureSignal['cause'], more: Partial<FailureSignal> = {}): FailureSignal => ({
  ...BASE,
  cause: of,
  ...more,
});
export const transport = (error: string, more: Partial<FailureSignal> = {}) =>
  cause({ kind: 'transport', error: error as never, detail: '' }, { status: null, anyByte: false, ...more });
export const clock = (name: string) => cause({ kind: 'clock', clock: name as never, limitMs: 300 }, { status: null });
export const fault = (name: string) => cause({ kind: 'fault', fault: name as never });
export const finish = (reason: string) => cause({ kind: 'finish', reason });
export const err = (message: string, more: object = {}) => ({
  error: { message, type: null, param: null, code: null, ...more },
});
export const invalid = (message: string, more: object = {}) => err(message, { type: 'invalid_request_error', ...more });

export type Sample = readonly [name: string, signal: FailureSignal, row: string, expected?: Partial<Failure>];
