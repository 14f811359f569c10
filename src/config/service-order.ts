import type { Protocol } from '../core/model/protocol.ts';
import type { Strategy } from '../core/routing/candidate.ts';

/** Protocols in the order in which people are told of them, with their short names and some clients of each. */
export const PROTOCOL_WORDS: Readonly<Partial<Record<Protocol, { readonly name: string; readonly clients: string }>>> =
  {
    'openai-chat': { name: 'Chat', clients: 'most SDKs, opencode' },
    'openai-responses': { name: 'Responses', clients: 'Codex' },
    'anthropic-messages': { name: 'Messages', clients: 'Claude Code' },
  };

const ORDER = Object.keys(PROTOCOL_WORDS) as readonly Protocol[];

/** A short name for people: `Chat`. */
export const nameOfProtocol = (protocol: Protocol): string => PROTOCOL_WORDS[protocol]?.name ?? protocol;

/** One protocol after the other, each with what speaks it, in the order that was given. */
export function groupByProtocol<T extends { readonly protocol: Protocol }>(
  all: readonly T[],
): readonly { readonly protocol: Protocol; readonly members: readonly T[] }[] {
  const spoken = [...new Set([...ORDER, ...all.map(({ protocol }) => protocol)])];
  return spoken.flatMap((protocol) => {
    const members = all.filter((each) => each.protocol === protocol);
    return members.length === 0 ? [] : [{ protocol, members }];
  });
}

type Served = { readonly id: string; readonly protocol: Protocol; readonly tier: number };

/** How warnings and orders say that a protocol has one target only. */
export const NOBODY_STANDS_IN = 'nobody can stand in';

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
