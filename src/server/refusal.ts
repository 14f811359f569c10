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

/** `reason` tells programs what the message tells people; it defaults to the code. */
export function refuse(code: ErrorCode, message: string, { headers = {}, ...fields }: Fields = {}): Refusal {
  return { error: clientError(code, { message, reason: code, ...fields }), headers };
}
