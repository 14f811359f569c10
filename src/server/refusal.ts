import { clientError } from '../core/failure/answer.ts';
import type { ClientError, ErrorCode } from '../core/failure/client-error.ts';
import type { Headers } from '../core/model/protocol.ts';

/** A request that the server itself says no to. */
export type Refusal = {
  readonly error: ClientError;
  readonly headers: Headers;
  /** The client has left: nobody to answer. */
  readonly isGone?: boolean;
};

type Fields = Partial<Omit<ClientError, 'code' | 'message'>> & { readonly headers?: Headers };

/** Of the statuses that put the fault at the client: time may mend these. */
const REPEATABLE: ReadonlySet<number> = new Set([408, 429, 499]);

/** Whatever else the server finds wrong with a request, it would find again. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && !REPEATABLE.has(status);

/**
 * `reason` tells programs what the message tells people; it defaults to the code. A refusal that the same request would
 * meet again says that a repeat is of no use, since some clients repeat every status for minutes.
 */
export function refuse(code: ErrorCode, message: string, { headers = {}, ...fields }: Fields = {}): Refusal {
  const error = clientError(code, { message, reason: code, ...fields });
  return { error: { ...error, shouldRetry: error.shouldRetry ?? (isFinal(error.status) ? false : null) }, headers };
}
