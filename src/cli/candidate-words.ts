import type { CandidateView } from '../management/contract.ts';

/** Why a route stands where it does; "ready" under "ready" says nothing. */
export function whyOf(candidate: CandidateView): string {
  const drops = candidate.drops ?? [];
  return drops.length === 0 ? placeOf(candidate) : `${placeOf(candidate)}; translated without ${drops.join(', ')}`;
}

function placeOf({ reason, rank, outcome, availability }: CandidateView): string {
  if (reason === availability.state) return rank === 1 ? 'first: it is ready' : 'if those before it fail';
  return outcome === null ? reason : `${outcome}: ${reason}`;
}
