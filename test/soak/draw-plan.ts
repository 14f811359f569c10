import { between, isDrawn, pickWeighted, randomOf } from './draw.ts';
import { FAULTS, type FaultName, type Form } from './faults.ts';
import { CLEAN } from './world.ts';

/** One physical send as it is known again: the request's tag, the target, and how often this target was sent it before. */
export type SendName = { readonly tag: string; readonly target: string; readonly n: number };

/** What a target does with one send. */
export type SendPlan = {
  readonly fault: FaultName | null;
  readonly words: number;
  /** Characters behind each word. */
  readonly pad: number;
  readonly hasCall: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Between two frames. */
  readonly paceMs: number;
  /** Frames go out in pieces that begin and end anywhere. */
  readonly isTorn: boolean;
  /** Where in the answer a fault strikes, 0 to 1. */
  readonly at: number;
};

export type Send = SendName & { readonly plan: SendPlan };

/** The tag of a request says by its last letter that a large answer is wanted. */
export const isLargeTag = (tag: string): boolean => tag.endsWith('L');

const CALL_SHARE = 0.25;
const TORN_SHARE = 0.25;
const LONGEST = 14;
/**
 * An answer that no buffer of a connection takes whole, so that a slow reader is felt at the provider; and whose last frame,
 * where that repeats it, stays below 4 MiB: a larger one is passed on unread, and its usage not known.
 */
const LARGE = { words: 200, pad: 6_000 };

/** Follows from the seed, the share and the name of the send alone. */
export function drawPlan(seed: number, share: number, name: SendName, form: Form, isLarge: boolean): SendPlan {
  const random = randomOf(seed, 'send', name.tag, name.target, name.n);
  const isFaulty = name.target !== CLEAN && isDrawn(random, share);
  const fault = pickWeighted(
    random,
    FAULTS.filter(({ forms }) => forms.some((each) => each === form)),
  ).name;
  const own: FaultName | null = isFaulty ? fault : null;
  return {
    fault: own,
    words: isLarge ? LARGE.words : between(random, 1, LONGEST),
    pad: isLarge ? LARGE.pad : between(random, 0, 24),
    hasCall: isDrawn(random, CALL_SHARE) || own === 'cut_behind_call',
    inputTokens: between(random, 1, 50_000),
    outputTokens: own === 'empty' ? 0 : between(random, 1, 50_000),
    paceMs: own === 'slow' ? 200 : isLarge ? 0 : between(random, 0, 25),
    isTorn: isDrawn(random, TORN_SHARE),
    at: random.next(),
  };
}

/** The words of an answer. Each one names its send and its place, in characters of several bytes. */
export function wordsOf({ tag, target, n, plan }: Send): readonly string[] {
  const filler = 'ü'.repeat(plan.pad);
  return Array.from({ length: plan.words }, (_, i) => `⟦${tag}.${target}.${n}:${i}⟧${filler} `);
}

/** An id that an answer of this send carries. */
export const idOf = ({ tag, target, n }: SendName): string => `${tag}.${target}.${n}`;

/** The arguments of the tool call. */
export const argumentsOf = (send: SendName): string => JSON.stringify({ of: idOf(send), sum: '⟦1⟧' });

export const CALL_NAME = 'look_up';
