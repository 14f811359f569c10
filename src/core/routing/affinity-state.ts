import type { Protocol } from '../model/protocol.ts';
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
  /** The answer was translated: its id is the gateway's own, and its provider knows nothing of it. */
  readonly isOwnId?: true;
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

const isIssuer = (route: Route, issuer: Issuer): boolean => route.id === issuer.route;

/** Those that hold the answer and can serve, its issuer first. */
function holdersInOrder({ candidates }: Plan, issuer: Issuer): readonly Candidate[] {
  const ranked = candidates.filter(({ route, use }) => use !== 'skip' && isHolder(route, issuer));
  const isFirst = ({ route }: Candidate): boolean => isIssuer(route, issuer);
  return [...ranked.filter(isFirst), ...ranked.filter((candidate) => !isFirst(candidate))];
}

function boundToIt(candidate: Candidate, index: number, issuer: Issuer): Candidate {
  const why = isIssuer(candidate.route, issuer) ? 'gave' : 'has the account that gave';
  const reason = `${candidate.reason}; ${why} the answer that the conversation goes on from`;
  return { ...candidate, rank: index + 1, boundBy: 'issuer', reason };
}

const orderOf = (first: readonly Candidate[], { order }: Plan): readonly string[] => [
  ...new Set([...first.map(({ target }) => target.id), ...order]),
];

/**
 * A plan for a request that goes on from an earlier answer. Only the account that holds the answer can serve: its
 * issuer first, then other targets with the same credential. Others that could serve now are left out as
 * `skipped_state`: they could if they had the whole conversation. Those that are left out anyway keep their own word.
 */
export function bindToIssuer(plan: Plan, issuer: Issuer): Plan {
  const first = holdersInOrder(plan, issuer);
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
    order: orderOf(first, plan),
    candidates: [
      ...first.map((candidate, index) => boundToIt(candidate, index, issuer)),
      ...plan.candidates.filter(({ route, use }) => use === 'skip' && isHolder(route, issuer)),
      ...others,
    ],
  };
}

/**
 * The same where all of the conversation is kept: the others stand behind, since they can be given the whole. So nobody
 * has to wait for a holder that is only on trial, or a last resort.
 */
export function preferIssuer(plan: Plan, issuer: Issuer): Plan {
  const first = holdersInOrder(plan, issuer).filter(({ use }) => use === 'serve');
  const behind = plan.candidates.filter((candidate) => !first.includes(candidate));
  return {
    ...plan,
    order: orderOf(first, plan),
    candidates: [
      ...first.map((candidate, index) => boundToIt(candidate, index, issuer)),
      ...behind.map((candidate, index) =>
        candidate.rank === null ? candidate : { ...candidate, rank: first.length + index + 1 },
      ),
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

/**
 * A plan for a request that names an answer that is not known here: targets of its own protocol may know it, others never
 * do.
 */
export function bindToProtocol(plan: Plan, protocol: Protocol): Plan {
  const reason = 'left out: the conversation goes on from an answer that only its provider has';
  return {
    ...plan,
    candidates: plan.candidates.map((candidate) =>
      candidate.target.protocol === protocol ? candidate : { ...leaveOut(candidate, reason), lacksState: true },
    ),
  };
}
