import type { Protocol } from '../core/model/protocol.ts';
import { PROTOCOL_NAMES } from '../core/model/protocol-names.ts';
import type { Strategy } from '../core/routing/candidate.ts';
import { NOBODY_STANDS_IN } from './warning.ts';

/** Protocols that this version speaks, in the order in which people are told of them. */
export const SPOKEN: readonly Protocol[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

/** A short name for people: `Chat`. */
export const nameOfProtocol = (protocol: Protocol): string => PROTOCOL_NAMES[protocol].short;

/** One protocol after the other, each with what speaks it, in the order that was given. */
export function groupByProtocol<T extends { readonly protocol: Protocol }>(
  all: readonly T[],
): readonly { readonly protocol: Protocol; readonly members: readonly T[] }[] {
  const spoken = [...new Set([...SPOKEN, ...all.map(({ protocol }) => protocol)])];
  return spoken.flatMap((protocol) => {
    const members = all.filter((each) => each.protocol === protocol);
    return members.length === 0 ? [] : [{ protocol, members }];
  });
}

type Served = { readonly id: string; readonly protocol: Protocol; readonly tier: number };

/**
 * Who answers whom, one line for each protocol, since only targets of the same protocol stand in for each other:
 * `openai/gpt-5.6, then groq/llama`. Tiers follow each other; within one, targets do so only with `failover`.
 */
export function describeOrder(
  targets: readonly Served[],
  strategy: Strategy,
): readonly { readonly name: string; readonly order: string }[] {
  return groupByProtocol(targets).map(({ protocol, members }) => {
    const tiers = [...new Set(members.map(({ tier }) => tier))].sort((a, b) => a - b);
    const within = strategy === 'failover' ? ', then ' : ' or ';
    const parts = tiers.map((tier) =>
      members
        .filter((each) => each.tier === tier)
        .map(({ id }) => id)
        .join(within),
    );
    const lonely = members.length === 1 ? ` (${NOBODY_STANDS_IN})` : '';
    return { name: nameOfProtocol(protocol), order: `${parts.join(', then ')}${lonely}` };
  });
}
