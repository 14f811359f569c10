import type { HealthState } from '../../core/health/state.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import { planRoute } from '../../core/routing/plan-route.ts';
import { translatorOf } from '../../protocol/translate/index.ts';
import { decodeAsk } from '../client/decode-ask.ts';
import type { RequestCase } from './index-run.ts';

/** What was planned again for a request: several invariants ask for the same. */
type Memory = {
  readonly health: HealthState;
  readonly now: number;
  readonly trials: RequestCase['trials'];
  readonly candidates: readonly Candidate[];
};

const planned = new WeakMap<RequestCase, Memory[]>();

/**
 * All routes of a request's model as they were in this health at this moment, without the trial that opens early: whether
 * each could be used, and why not. None: the model or the request is unknown.
 */
export function planAgain(
  each: RequestCase,
  health: HealthState,
  now: number,
  trials: RequestCase['trials'] = each.trials,
): readonly Candidate[] {
  const memory = planned.get(each) ?? [];
  const known = memory.find((one) => one.health === health && one.now === now && one.trials === trials);
  if (known !== undefined) return known.candidates;
  const candidates = planNow(each, health, now, trials);
  memory.push({ health, now, trials, candidates });
  planned.set(each, memory);
  return candidates;
}

function planNow(
  { model, request }: RequestCase,
  health: HealthState,
  now: number,
  trials: RequestCase['trials'],
): readonly Candidate[] {
  const decoded = decodeAsk(request.ask);
  if (model === null || !decoded.ok) return [];
  const { plan } = planRoute({
    request: decoded.request,
    model,
    health,
    rotation: {},
    affinityRoute: null,
    now,
    random: 0,
    baseOrder: [],
    trials,
    translation: (to) => translatorOf(decoded.request).lacks(to),
  });
  return plan.candidates;
}

/** Could be asked, by its health and by what the request needs. */
export const isEligible = ({ use }: Candidate): boolean => use !== 'skip';

/** Left out for what its target can't do: no time mends that. */
export const isUnable = ({ skip }: Candidate): boolean =>
  skip === 'skipped_capability' || skip === 'skipped_disabled' || skip === 'skipped_state';
