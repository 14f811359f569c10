import type { OpaqueState } from '../../core/model/content.ts';
import { PROTOCOL } from './members.ts';

/**
 * In front of the data of a `redacted_thinking` block, so that its state is told from a signature (base64, without a
 * colon) wherever it has been: a thought whose display is omitted has an empty text, too.
 */
const REDACTED = 'redacted_thinking:';

export const signatureState = (signature: string): OpaqueState => ({ issuer: PROTOCOL, value: signature });

export const redactedState = (data: string): OpaqueState => ({ issuer: PROTOCOL, value: REDACTED + data });

export type Seal = { readonly signature: string } | { readonly data: string };

/** What a state stands for on the wire; null: only another issuer could read it. */
export function sealOf(state: OpaqueState | undefined): Seal | null {
  if (state?.issuer !== PROTOCOL || state.value === '') return null;
  return state.value.startsWith(REDACTED) ? { data: state.value.slice(REDACTED.length) } : { signature: state.value };
}
