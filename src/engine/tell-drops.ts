import type { Candidate, Plan } from '../core/routing/plan.ts';
import { translatorOf } from '../protocol/translate/index.ts';
import type { Call } from './types.ts';

/** A plan that says what each translation would lose. For those who ask for plans: it writes the request once for each. */
export function tellDrops(plan: Plan, { request }: Pick<Call, 'request'>): Plan {
  const tell = (candidate: Candidate): Candidate => {
    const { target, route, rank } = candidate;
    if (rank === null || target.protocol === request.protocol) return candidate;
    const { capabilities, settings } = target;
    const askUsage = settings.usage === 'ask' && request.stream;
    const egress = { model: route.model, capabilities, defaults: settings.defaults, askUsage };
    const drops = translatorOf(request).drops(target.protocol, egress);
    return drops.length === 0 ? candidate : { ...candidate, drops };
  };
  return { ...plan, candidates: plan.candidates.map(tell) };
}
