import type { SkipOutcome } from '../failure/outcome.ts';
import type { Availability } from '../health/availability.ts';
import type { Feature } from '../model/capability.ts';
import type { Route, Target } from './candidate.ts';

/**
 * A feature, a window that is wide enough, the protocol that was asked in where nothing is translated, words for
 * something that the request holds, or a translator: the gateway itself could not translate the request.
 */
export type Lack = Feature | 'contextWindow' | 'protocol' | 'translation' | 'translator';

/**
 * One route of a plan. Candidates stand in the order of service; those that are left out stand behind, with the word
 * for why (`skip`).
 */
export type Candidate = {
  readonly route: Route;
  readonly target: Target;
  /** Place in the order of service, from 1; null when left out. */
  readonly rank: number | null;
  /**
   * `serve`: ordinary. `trial`: only with the half-open slot, which the sender claims first. `last_resort`: a guessed
   * rate-limit hold, behind the last tier.
   */
  readonly use: 'serve' | 'trial' | 'last_resort' | 'skip';
  readonly skip: SkipOutcome | null;
  /** The request goes on from what this route does not hold: waiting for it is of no use. */
  readonly lacksState?: true;
  /** What its target lacks for this request; absent: nothing, or nobody wrote it down. */
  readonly lacks?: readonly Lack[];
  /**
   * Why it is asked before others: the conversation's last answer came from it (`affinity`), or it has what the request
   * goes on from (`issuer`). Absent: neither.
   */
  readonly boundBy?: 'affinity' | 'issuer';
  /** What the choice saw. */
  readonly availability: Availability;
  /**
   * What of the request its target would not get, as the client spells it: of a target that needs a translation, where a
   * plan was asked for. Absent: nothing, or nobody looked.
   */
  readonly drops?: readonly string[];
  /** Why it stands here or is left out, for people. */
  readonly reason: string;
};

/**
 * Order of a round over the targets, fixed when the first attempt is planned, so that a request turns the wheel once.
 */
export type Plan = {
  readonly at: number;
  /** Target ids in the order that tiers, affinity and strategy give, whether they can serve or not. */
  readonly order: readonly string[];
  readonly candidates: readonly Candidate[];
  /** What the targets that were left out for a capability lack, named once each, for the error. */
  readonly missing: readonly string[];
};

/** Smooth weighted round-robin scores and sticky counts, per virtual model and per credential pool. */
export type RotationState = {
  readonly scores: Readonly<Record<string, number>>;
  readonly sticky: { readonly choice: string; readonly used: number } | null;
};
