import type { Run } from '../world/run.ts';
import { booksBalance } from './books-balance.ts';
import { bounds } from './bounds.ts';
import { budgetsKept } from './budgets-kept.ts';
import { deadlines } from './deadlines.ts';
import { honestEnd } from './honest-end.ts';
import type { Invariant, Violation } from './invariant.ts';
import { noAnswerMissed } from './no-answer-missed.ts';
import { oneAnswer } from './one-answer.ts';
import { oneTrial } from './one-trial.ts';
import { orderKept } from './order-kept.ts';
import { probedOnce } from './probed-once.ts';
import { quiet } from './quiet.ts';
import { recoversSoon } from './recovers-soon.ts';
import { reportAddsUp } from './report-adds-up.ts';
import { secrets } from './secrets.ts';
import { toldClients } from './told-clients.ts';
import { toldHolds } from './told-holds.ts';
import { toolsOnce } from './tools-once.ts';
import { trialsFree } from './trials-free.ts';
import { usageConserves } from './usage-conserves.ts';

export type { Invariant, InvariantId, Violation } from './invariant.ts';

/** What must hold in every world, whatever happens in it. */
export const INVARIANTS: readonly Invariant[] = [
  oneAnswer,
  booksBalance,
  noAnswerMissed,
  deadlines,
  orderKept,
  secrets,
  bounds,
  honestEnd,
  oneTrial,
  quiet,
  usageConserves,
  toldClients,
  toolsOnce,
  toldHolds,
  budgetsKept,
  reportAddsUp,
  probedOnce,
  recoversSoon,
  trialsFree,
];

/** Everything that broke in a run, in the order of the invariants. */
export const checkRun = (run: Run): readonly Violation[] => INVARIANTS.flatMap((invariant) => invariant.check(run));
