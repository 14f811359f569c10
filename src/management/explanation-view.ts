import type { RequestLedger } from '../core/attempt/ledger.ts';
import { CATALOGUE } from '../core/failure/catalogue.ts';
import type { ErrorCode } from '../core/failure/client-error.ts';
import type { Availability } from '../core/health/availability.ts';
import type { Candidate } from '../core/routing/plan.ts';
import type { CandidateView, ExplanationView } from './contract.ts';
import { formatTimeOrNull } from './time.ts';

/** Why each target was chosen, skipped or left, with the state that the choice saw. */
export function viewExplanation(ledger: RequestLedger): ExplanationView {
  const { id, started, ended, plans } = ledger;
  return {
    id,
    model: started.model === '' ? null : started.model,
    outcome: ended?.outcome ?? null,
    message: plans.length > 0 || ended === null ? null : missingPlan(ended),
    plans: plans.map(({ attempt, plan }) => ({
      attempt,
      at_ms: Math.round(plan.at - started.at),
      order: [...plan.order],
      missing: [...plan.missing],
      candidates: plan.candidates.map(viewCandidate),
    })),
  };
}

/** Why no plan is there: nobody got as far as making one, or it was not kept. */
function missingPlan({ rejected, status, reason, component }: NonNullable<RequestLedger['ended']>): string {
  if (!rejected) return 'The plans of this request were not kept: it went smoothly (store.explain).';
  const code = reason ?? 'no code';
  const told = status === null ? 'The client had no answer' : `The client was told ${status}`;
  const known = Object.hasOwn(CATALOGUE, code) ? CATALOGUE[code as ErrorCode] : null;
  const words = known === null ? '' : ` ${known.meaning} ${known.remedy}`;
  return `Rejected before any plan was made: no target was looked for. ${told}, ${code} (component ${component ?? 'unknown'}).${words}`;
}

/** A route in a plan, with its place or why it has none. */
export function viewCandidate(candidate: Candidate): CandidateView {
  const { route, target } = candidate;
  return {
    target: target.id,
    outcome: candidate.skip,
    rank: candidate.rank,
    use: candidate.use,
    lacks: [...(candidate.lacks ?? [])],
    bound_by: candidate.boundBy ?? null,
    drops: [...(candidate.drops ?? [])],
    reason: candidate.reason,
    route: route.id,
    credential: route.credential,
    endpoint: route.endpoint,
    protocol: target.protocol,
    tier: target.tier,
    weight: target.weight,
    availability: viewAvailability(candidate.availability),
  };
}

function viewAvailability(availability: Availability): CandidateView['availability'] {
  const { state, cause, reason, since, until, told, scope } = availability;
  return { state, cause, reason, since: formatTimeOrNull(since), until: formatTimeOrNull(until), told, scope };
}
