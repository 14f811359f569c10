import { nameOfFeature } from '../core/model/capability.ts';
import type { Protocol } from '../core/model/protocol.ts';
import { PROTOCOL_NAMES } from '../core/model/protocol-names.ts';
import type { ModelSettings } from '../core/model/settings.ts';
import type { Strategy } from '../core/routing/candidate.ts';
import { NOBODY_STANDS_IN } from './warning.ts';

/** Protocols that this version speaks, in the order in which people are told of them. */
export const SPOKEN: readonly Protocol[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];

/** A short name for people: `Chat`. */
export const nameOfProtocol = (protocol: Protocol): string => PROTOCOL_NAMES[protocol].short;

/** What a request needs of a target, in words for people. */
export const nameOfNeed = (feature: string): string => nameOfFeature(feature);

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

type Translate = ModelSettings['translate'];

/** What may stand beside the targets that are named. */
type Beside = {
  /** More come out of lists. */
  readonly hasLists?: boolean;
};

/**
 * Who answers whom: `openai/gpt-5.6, then groq/llama`. One line for each protocol of which targets speak to its own
 * clients first, one for all where they are asked as they stand. Tiers follow each other, and within one those that need
 * no translation go first; one after the other only with `failover`. Who may get company out of a list is not called alone.
 */
export function describeOrder(
  targets: readonly Served[],
  strategy: Strategy,
  translate: Translate,
  { hasLists = false }: Beside = {},
): readonly { readonly name: string; readonly order: string }[] {
  const groups = groupByProtocol(targets);
  if (translate === 'in-order' && groups.length > 1) {
    return [{ name: 'All', order: joinParts(targets, strategy, (tier) => [tier]) }];
  }
  return groups.map(({ protocol, members }) => ({
    name: nameOfProtocol(protocol),
    order:
      translate === 'last' && groups.length > 1
        ? orderWithOthers(targets, members, strategy)
        : `${joinParts(members, strategy, (tier) => [tier])}${members.length === 1 && !hasLists ? ` (${NOBODY_STANDS_IN})` : ''}`,
  }));
}

/** Others are named one by one where they come before one of its own. */
function orderWithOthers(targets: readonly Served[], own: readonly Served[], strategy: Strategy): string {
  const last = Math.max(...own.map(({ tier }) => tier));
  const before = targets.filter((each) => own.includes(each) || each.tier < last);
  const marked = before.map((each) => (own.includes(each) ? each : { ...each, id: `${each.id} (translated)` }));
  const order = joinParts(marked, strategy, (tier) => [
    tier.filter((each) => own.includes(each)),
    tier.filter((each) => !own.includes(each)),
  ]);
  return before.length === targets.length ? order : `${order}; then the others, translated`;
}

function joinParts(
  targets: readonly Served[],
  strategy: Strategy,
  split: (tier: readonly Served[]) => readonly (readonly Served[])[],
): string {
  const tiers = [...new Set(targets.map(({ tier }) => tier))].sort((a, b) => a - b);
  const within = strategy === 'failover' ? ', then ' : ' or ';
  return tiers
    .flatMap((tier) => split(targets.filter((each) => each.tier === tier)))
    .filter((part) => part.length > 0)
    .map((part) => part.map(({ id }) => id).join(within))
    .join(', then ');
}
