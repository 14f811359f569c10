import type { Candidate, Plan } from './plan.ts';

/** Who gave an answer that later requests name: nobody else has it. */
export type Issuer = {
  /** Id of the route. */
  readonly route: string;
  readonly target: string;
  readonly provider: string;
  readonly credential: string;
  /** The virtual model that served it, and the name by which it was asked for. */
  readonly model: string;
  readonly asked: string;
};

/** Left out for reasons that would stand without the state too. */
const STAYS: ReadonlySet<Candidate['skip']> = new Set(['skipped_capability', 'skipped_disabled']);

/**
 * A plan for a request that goes on from an earlier answer. Only the account that holds the answer can serve: its issuer
 * first, then other targets with the same credential. All others are left out as `skipped_state`, whatever their health.
 */
export function bindToIssuer(plan: Plan, issuer: Issuer): Plan {
  const holds = ({ route }: Candidate): boolean =>
    route.provider === issuer.provider && route.credential === issuer.credential;
  const isIssuer = ({ route }: Candidate): boolean => route.id === issuer.route;
  const holders = plan.candidates.filter(holds);
  const ranked = holders.filter(({ use }) => use !== 'skip');
  const inOrder = [...ranked.filter(isIssuer), ...ranked.filter((candidate) => !isIssuer(candidate))];
  const reason = `left out: the conversation goes on from an answer of ${issuer.route}`;
  const others = plan.candidates
    .filter((candidate) => !holds(candidate))
    .map(
      (candidate): Candidate =>
        STAYS.has(candidate.skip)
          ? candidate
          : { ...candidate, rank: null, use: 'skip', skip: 'skipped_state', reason },
    );
  return {
    ...plan,
    order: [...new Set([...inOrder.map(({ target }) => target.id), ...plan.order])],
    candidates: [
      ...inOrder.map((candidate, index) => ({ ...candidate, rank: index + 1 })),
      ...holders.filter(({ use }) => use === 'skip'),
      ...others,
    ],
  };
}
