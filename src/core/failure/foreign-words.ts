import type { Protocol } from '../model/protocol.ts';
import { PROTOCOL_NAMES } from '../model/protocol-names.ts';

/** What was asked for, and in which protocol. */
export type Asked = { readonly model: string; readonly protocol: Protocol };

const MAX_NAME = 40;
const MAX_MISSING = 50;

/**
 * Nobody who is listed speaks the protocol of the client, none can have the request translated, and what to do about
 * it, in at most 300 characters. `spoken`: what they speak, in their order; `missing`: what they have no words for.
 */
export function foreignWords(
  { model, protocol }: Asked,
  spoken: readonly Protocol[],
  missing: readonly string[],
): string {
  const short = (each: Protocol): string => PROTOCOL_NAMES[each].short;
  const theirs = [...new Set(spoken)].map(short).join(', ');
  const lacks = missing.join(', ').slice(0, MAX_MISSING);
  return (
    `The client speaks ${PROTOCOL_NAMES[protocol].full}; the targets of "${model.slice(0, MAX_NAME)}" speak ${theirs}, and ` +
    `this request can't be translated: no ${lacks}. Add a target whose provider has protocol: ${protocol} (docs/protocols.md).`
  );
}
