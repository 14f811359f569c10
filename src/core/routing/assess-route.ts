import { NEVER_TRANSLATED } from '../failure/foreign-words.ts';
import type { SkipOutcome } from '../failure/outcome.ts';
import type { Availability, AvailabilityState } from '../health/availability.ts';
import { availability, trialSlot } from '../health/availability-of.ts';
import { knownCapabilities } from '../health/learnt-capabilities.ts';
import { scopeOf } from '../health/scope.ts';
import type { HealthState } from '../health/state.ts';
import { type Capabilities, nameOfFeature } from '../model/capability.ts';
import type { Protocol } from '../model/protocol.ts';
import type { CanonicalRequest } from '../model/request.ts';
import type { Route, Target } from './candidate.ts';
import type { Candidate, Lack } from './plan.ts';

/** Where a route stands in the order of service; earlier places are served first within a tier. */
export const PLACES = ['ready', 'slow', 'passed', 'unproved'] as const;

export type Place = (typeof PLACES)[number] | 'left' | 'last_resort' | 'out';

/** A route as a plan sees it, before it is put in order. */
export type Assessed = {
  readonly route: Route;
  readonly target: Target;
  readonly place: Place;
  readonly use: Candidate['use'];
  readonly skip: SkipOutcome | null;
  readonly availability: Availability;
  readonly slot: 'none' | 'free' | 'taken';
  /** It needs a translation, and those that need none go before it. */
  readonly isForeign: boolean;
  /** What the target lacks for this request. */
  readonly lacks: readonly Lacking[];
  readonly reason: string;
};

/** Something that a target lacks, and its name for people. */
export type Lacking = { readonly what: Lack; readonly name: string };

/** What the request holds that another protocol can't say, in words; or why the gateway can't translate it now. */
export type TranslationLacks = (to: Protocol) => readonly string[] | Untranslated;

/** The gateway itself has no translation of a request that could have one, and why: `translation (…)`. */
export type Untranslated = { readonly untranslated: string };

/** An estimate is rough: only a window that is exceeded by this factor is plainly too small. */
const PLAINLY_TOO_LONG = 1.5;

/** Whether a target can do what a request needs, and whether its route can be used now. */
export function assessRoute(
  route: Route,
  target: Target,
  request: CanonicalRequest,
  health: HealthState,
  now: number,
  translation: TranslationLacks,
): Assessed {
  const seen = availability(health, route, now);
  const slot = trialSlot(health, route, now);
  const lacks = lacksOf(request, target, knownCapabilities(health, target, now), translation);
  const isForeign = request.protocol !== target.protocol && target.settings.translate === 'last';
  const facts = { route, target, availability: seen, slot, lacks, isForeign };
  if (seen.state !== 'disabled' && lacks.length > 0) {
    const reason = `left out: it lacks ${lacks.map(({ name }) => name).join(', ')}`;
    const skip = lacks.every(({ what }) => what === 'translator') ? 'skipped_busy' : 'skipped_capability';
    return { ...facts, place: 'out', use: 'skip', skip, reason };
  }
  const isUnproved = target.catalogue !== undefined && scopeOf(health, 'route', route).provedAt === null;
  const { place, use, skip, reason } = placeOf(seen, slot, now);
  if (isUnproved && place === 'ready' && use === 'serve') return { ...facts, ...UNPROVED };
  return { ...facts, place, use, skip, reason };
}

const NO_LACKS: readonly Lacking[] = [];

function lacksOf(
  request: CanonicalRequest,
  target: Target,
  capabilities: Capabilities,
  translation: TranslationLacks,
): readonly Lacking[] {
  const features = request.needs.filter((feature) => capabilities[feature] === false);
  const { contextWindow } = capabilities;
  const isTooLong = contextWindow !== undefined && request.estimatedInputTokens > contextWindow * PLAINLY_TOO_LONG;
  const isOther = request.protocol !== target.protocol;
  if (features.length === 0 && !isTooLong && !isOther) return NO_LACKS;
  const lacks: Lacking[] = features.map((feature) => ({ what: feature, name: nameOfFeature(feature) }));
  if (isTooLong) {
    lacks.push({
      what: 'contextWindow',
      name: `a context window for about ${request.estimatedInputTokens} tokens`,
    });
  }
  if (isOther) lacks.push(...foreignLacks(target, translation));
  return lacks;
}

function foreignLacks({ protocol, settings }: Target, translation: TranslationLacks): readonly Lacking[] {
  if (settings.translate === 'never') return [{ what: 'protocol', name: NEVER_TRANSLATED }];
  const found = translation(protocol);
  if ('untranslated' in found) return [{ what: 'translator', name: found.untranslated }];
  return found.map((name) => ({ what: 'translation', name }));
}

type Placement = Pick<Assessed, 'place' | 'use' | 'skip' | 'reason'>;

/** Whether a route can be used now, and in which place, by its health alone. */
export function placeOf(seen: Availability, slot: Assessed['slot'], now: number): Placement {
  if (seen.state === 'ready') return READY;
  const place = PLACE_OF[seen.state](seen, slot, now);
  return { ...place, reason: place.reason.replace('%', () => describe(seen, now)) };
}

const skipped = (skip: SkipOutcome, reason: string): Placement => ({ place: 'out', use: 'skip', skip, reason });

const served = (place: Place, reason: string, use: Candidate['use'] = 'serve'): Placement => ({
  place,
  use,
  skip: null,
  reason,
});

const READY: Placement = served('ready', 'ready');

const UNPROVED: Placement = served(
  'unproved',
  'behind proved routes of its tier: its provider lists it, and it has not answered yet',
);

/** The order of service, row by row. `%` stands for what holds the route. */
const PLACE_OF: Readonly<
  Record<AvailabilityState, (seen: Availability, slot: Assessed['slot'], now: number) => Placement>
> = {
  ready: () => READY,
  slow: () => served('slow', 'behind ready routes of its tier: slow, %'),
  deferred: placeDeferred,
  open: () => skipped('skipped_circuit', 'circuit open: %'),
  half_open: (_seen, slot) =>
    slot === 'taken'
      ? skipped('skipped_circuit', 'circuit half-open, the trial is under way: %')
      : served('ready', 'circuit half-open, one request makes the trial: %', 'trial'),
  rejected: () => skipped('skipped_cooldown', 'rejected until its recheck: %'),
  disabled: () => skipped('skipped_disabled', 'disabled: %'),
};

function placeDeferred(seen: Availability, slot: Assessed['slot'], now: number): Placement {
  if (seen.until === null || seen.until <= now)
    return served('passed', 'its hold has passed, nothing proved it since: %');
  if (seen.told) return skipped('skipped_cooldown', 'held by the word of its server: %');
  // A claim is needed all the same where a circuit is half-open behind the hold.
  return served('last_resort', 'last resort, the hold is a guess: %', slot === 'free' ? 'trial' : 'last_resort');
}

function describe({ cause, scope, until }: Availability, now: number): string {
  const by = scope === 'route' ? '' : ` of its ${scope}`;
  const left = until !== null && until > now ? ` for ${Math.ceil((until - now) / 1000)} s` : '';
  return `${cause ?? 'unknown'}${by}${left}`;
}
