import type { RequestLedger } from '../core/attempt/ledger.ts';
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
    plans: plans.map(({ attempt, plan }) => ({
      attempt,
      at_ms: Math.round(plan.at - started.at),
      order: [...plan.order],
      missing: [...plan.missing],
      candidates: plan.candidates.map(viewCandidate),
    })),
  };
}

/** A route in a plan, with its place or why it has none. */
export function viewCandidate(candidate: Candidate): CandidateView {
  const { route, target } = candidate;
  return {
    target: target.id,
    outcome: candidate.skip,
    rank: candidate.rank,
    use: candidate.use,
    reason: candidate.reason,
    route: route.id,
    credential: route.credential,
    endpoint: route.endpoint,
    tier: target.tier,
    weight: target.weight,
    availability: viewAvailability(candidate.availability),
  };
}

function viewAvailability(availability: Availability): CandidateView['availability'] {
  const { state, cause, reason, since, until, told, scope } = availability;
  return { state, cause, reason, since: formatTimeOrNull(since), until: formatTimeOrNull(until), told, scope };
}
