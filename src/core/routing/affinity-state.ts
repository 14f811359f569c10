import type { Route } from './candidate.ts';
import type { Candidate, Plan } from './plan.ts';

/** Who gave an answer that later requests name: nobody else has it. */
export type Issuer = {
  /** Id of the route. */
  readonly route: string;
  readonly target: string;
  readonly provider: string;
  readonly credential: string;
  /** `Route.account`: another key or address under the same names is somebody else. Null: nobody knows. */
  readonly account: string | null;
  /** The virtual model that served it, and the name by which it was asked for. */
  readonly model: string;
  readonly asked: string;
};

/** Whether this route reaches the account that holds what the issuer gave. */
export const isHolder = (
  { provider, credential, account }: Route,
  issuer: Pick<Issuer, 'provider' | 'credential' | 'account'>,
): boolean =>
  provider === issuer.provider &&
  credential === issuer.credential &&
  account !== undefined &&
  account === issuer.account;

const leaveOut = (candidate: Candidate, reason: string): Candidate => ({
  ...candidate,
  rank: null,
  use: 'skip',
  skip: 'skipped_state',
  reason,
});

/**
 * A plan for a request that goes on from an earlier answer. Only the account that holds the answer can serve: its
 * issuer first, then other targets with the same credential. Others that could serve now are left out as
 * `skipped_state`: they could if they had the whole conversation. Those that are left out anyway keep their own word.
 */
export function bindToIssuer(plan: Plan, issuer: Issuer): Plan {
  const isIssuer = ({ route }: Candidate): boolean => route.id === issuer.route;
  const holders = plan.candidates.filter(({ route }) => isHolder(route, issuer));
  const ranked = holders.filter(({ use }) => use !== 'skip');
  const inOrder = [...ranked.filter(isIssuer), ...ranked.filter((candidate) => !isIssuer(candidate))];
  const reason = `left out: the conversation goes on from an answer of ${issuer.route}`;
  const others = plan.candidates
    .filter(({ route }) => !isHolder(route, issuer))
    .map(
      (candidate): Candidate => ({
        ...(candidate.use === 'skip' ? candidate : leaveOut(candidate, reason)),
        lacksState: true,
      }),
    );
  return {
    ...plan,
    order: [...new Set([...inOrder.map(({ target }) => target.id), ...plan.order])],
    candidates: [
      ...inOrder.map((candidate, index): Candidate => {
        const why = isIssuer(candidate) ? 'gave' : 'has the account that gave';
        const words = `${candidate.reason}; ${why} the answer that the conversation goes on from`;
        return { ...candidate, rank: index + 1, boundBy: 'issuer', reason: words };
      }),
      ...holders.filter(({ use }) => use === 'skip'),
      ...others,
    ],
  };
}

/**
 * A plan for a request that goes on from what its client was not given: nobody may serve it, now or later, whatever
 * their health is.
 */
export function bindToNobody(plan: Plan): Plan {
  const reason = 'left out: the conversation goes on from an answer that this client key was not given';
  return {
    ...plan,
    candidates: plan.candidates.map((candidate) => ({ ...leaveOut(candidate, reason), lacksState: true })),
  };
}
