import type { Onward } from '../failure/failure.ts';
import type { Outcome } from '../failure/outcome.ts';
import type { Candidate, Plan } from '../routing/plan.ts';
import type { AttemptRecord, RequestLedger } from './ledger.ts';
import type { StepInput } from './next-step.ts';

/**
 * The route to ask next, or null when this round is over. A route that was waited for comes first. Else plan order
 * stands, but for four rules that depend on what has happened in this request: where the model or its host failed, the
 * target's other credentials are not asked, and what may be the account's sends them behind every other target; what a
 * failure said of size or feature rules targets out; what could not be had once comes behind the others of its tier;
 * behind a connection error, targets of the same tier on another endpoint come first.
 */
export function pickCandidate(input: StepInput, last: AttemptRecord | null): Candidate | null {
  const tried = triedIn(input);
  const eligible = listEligible(input, tried);
  const awaited = eligible.find(({ route }) => route.id === input.waitedFor);
  if (awaited !== undefined) return awaited;
  const firstHand = eligible.filter((candidate) => !isDemoted(candidate, tried));
  const ranked = firstHand.length > 0 ? firstHand : eligible;
  const pool = ranked.filter((candidate) => !isOutdone(candidate, ranked, input.busy));
  const first = pool[0] ?? null;
  if (first === null || last?.outcome !== 'connect_error') return first;
  const dead = new Set(
    tried.filter((attempt) => attempt.outcome === 'connect_error').map((attempt) => attempt.endpoint),
  );
  return (
    pool.find((c) => c.use === first.use && c.target.tier === first.target.tier && !dead.has(c.route.endpoint)) ?? first
  );
}

/** With a failure of this target the round is over: its other credentials are passed over then, and no other is left. */
export const isLastTarget = (input: StepInput, target: string): boolean =>
  listEligible(input, triedIn(input)).every(({ route }) => route.target === target);

const triedIn = ({ ledger, roundStartedAt }: StepInput): readonly AttemptRecord[] =>
  ledger.attempts.filter((attempt) => attempt.startedAt >= roundStartedAt);

function listEligible(input: StepInput, tried: readonly AttemptRecord[]): readonly Candidate[] {
  return input.plan.candidates.filter(
    (candidate) =>
      candidate.use !== 'skip' &&
      !isBusy(input, candidate.route.id) &&
      tried.every((attempt) => attempt.route !== candidate.route.id) &&
      isLeft(candidate, tried, input),
  );
}

/** It could not be had, and nothing has happened since. */
export const isBusy = ({ busy, ledger }: Pick<StepInput, 'busy' | 'ledger'>, route: string): boolean =>
  busy.get(route) === ledger.attempts.length;

/** It could not be had once, and others of its tier have not been asked for yet. */
const isOutdone = ({ use, target, route }: Candidate, others: readonly Candidate[], busy: StepInput['busy']): boolean =>
  busy.has(route.id) &&
  others.some(
    (o) => isLastResort(o.use) === isLastResort(use) && o.target.tier === target.tier && !busy.has(o.route.id),
  );

const isLastResort = (use: Candidate['use']): boolean => use === 'last_resort';

/** Still worth asking, after what other attempts of this request have said. */
function isLeft(candidate: Candidate, tried: readonly AttemptRecord[], { plan, ledger, policy }: StepInput): boolean {
  const first = ledger.attempts[0];
  const isElsewhere = first !== undefined && providerOf(first.route) !== candidate.route.provider;
  if (policy.state?.bound === true && isElsewhere) return false;
  return tried.every((attempt) => {
    if (attempt.target === candidate.route.target && isTargetFailure(attempt)) return false;
    const { failure } = attempt;
    if (failure?.onward === 'next_larger_window') return isLargerWindow(candidate, attempt.target, plan);
    if (failure?.onward === 'next_capable' && failure.feature !== null) {
      return attempt.target !== candidate.route.target && !lacks(candidate, failure.feature);
    }
    return true;
  });
}

const lacks = (candidate: Candidate, feature: string): boolean =>
  (candidate.target.capabilities as Readonly<Record<string, unknown>>)[feature] === false;

/** A window that is known to be no larger than the one that was too small will not help; an unknown one may. */
function isLargerWindow(candidate: Candidate, failedTarget: string, plan: Plan): boolean {
  if (candidate.route.target === failedTarget) return false;
  const failed = plan.candidates.find(({ route }) => route.target === failedTarget)?.target.capabilities.contextWindow;
  const own = candidate.target.capabilities.contextWindow;
  return failed === undefined || own === undefined || own > failed;
}

function isDemoted(candidate: Candidate, tried: readonly AttemptRecord[]): boolean {
  return tried.some(
    (attempt) => attempt.target === candidate.route.target && attempt.failure !== null && !isCredentialFailure(attempt),
  );
}

/** Only these say nothing of the model: the target's next credential may do better at once. */
function isCredentialFailure({ failure, outcome }: AttemptRecord): boolean {
  return failure?.scope === 'credential' || failure?.onward === 'next_credential' || outcome === 'rate_limited';
}

/**
 * Failures and ways onward that are neither a credential's nor a target's with whatever credential: an account's rights,
 * its size of requests, what it stored, and what is left out for whoever comes next.
 */
const MAY_DIFFER_BY_CREDENTIAL: ReadonlySet<Outcome | Onward | null> = new Set<Outcome | Onward>([
  'permission',
  'model_not_found',
  'context_length',
  'incompatible_history',
  'same_without_stream_options',
  'same_without_parts',
]);

/** The model or its host failed, or refused what it would refuse whoever asks: its other credentials cure nothing. */
const isTargetFailure = (attempt: AttemptRecord): boolean =>
  attempt.failure !== null &&
  !isCredentialFailure(attempt) &&
  !MAY_DIFFER_BY_CREDENTIAL.has(attempt.outcome) &&
  !MAY_DIFFER_BY_CREDENTIAL.has(attempt.failure.onward);

/** Of a target's or route's id. */
export const providerOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** Of a route's id: models may hold any character, credentials no `#`. */
export const targetOf = (route: string): string => route.slice(0, route.lastIndexOf('#'));

/** Attempts of a request that count against its budget. */
export const chargedAttempts = (ledger: RequestLedger): number =>
  ledger.attempts.filter((attempt) => attempt.charged).length;
