import { cleanText } from '../redact/clean-text.ts';
import { CATALOGUE } from './catalogue.ts';
import type { ErrorCode } from './client-error.ts';
import type { Component, Outcome } from './outcome.ts';

export type GatewayErrorFields = {
  readonly class?: Outcome | null;
  readonly component?: Component;
  readonly cause?: unknown;
};

/**
 * The one kind of error that may be thrown across the edges of the gateway. Its message is cleaned; the cause is for
 * the log of who may see it, never for a client.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  /** The outcome word, where there is one. */
  readonly class: Outcome | null;
  readonly component: Component;

  constructor(code: ErrorCode, message: string, fields: GatewayErrorFields = {}) {
    super(cleanText(message), fields.cause === undefined ? {} : { cause: fields.cause });
    this.code = code;
    this.class = fields.class ?? null;
    this.component = fields.component ?? CATALOGUE[code].component;
  }

  /** The only door for what was thrown by others: whatever it is, what comes out is a GatewayError. */
  static from(thrown: unknown): GatewayError {
    if (thrown instanceof GatewayError) return thrown;
    return new GatewayError('internal_error', wordsOf(thrown), { cause: thrown });
  }
}

/** Words of anything at all; getters and proxies of strangers may throw. */
function wordsOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string' && thrown !== '') return thrown;
    const message = (thrown as { readonly message?: unknown } | null | undefined)?.message;
    if (typeof message === 'string' && message !== '') return message;
  } catch {
    // No words, then.
  }
  return 'unknown error';
}
