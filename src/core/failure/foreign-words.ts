import type { Protocol } from '../model/protocol.ts';
import { PROTOCOL_NAMES } from '../model/protocol-names.ts';

/** What was asked for, and in which protocol. */
export type Asked = { readonly model: string; readonly protocol: Protocol };

const MAX_NAME = 40;

/**
 * Nobody who is listed speaks the protocol of the client, and what to do about it, in at most 300 characters. `spoken`:
 * what they speak, in their order.
 */
export function foreignWords({ model, protocol }: Asked, spoken: readonly Protocol[]): string {
  const name = (each: Protocol): string => PROTOCOL_NAMES[each].full;
  const theirs = [...new Set(spoken)].map(name).join(', ');
  return (
    `The client speaks ${name(protocol)}; the targets of "${model.slice(0, MAX_NAME)}" speak ${theirs}. Add a target ` +
    `whose provider has protocol: ${protocol}, or use a client that speaks as they do: docs/clients.md.`
  );
}
