import { matchesGlob } from '../../config/glob.ts';
import type { AccountRow, Behaviour } from '../scenario/scenario.ts';
import { createHistory, type History } from './history.ts';
import type { RouteView } from './providers.ts';

export type AccountView = RouteView;

export type Ticket = {
  /** Null: the send may go on to its provider. */
  readonly refusal: Behaviour | null;
  /** The send is over; calls behind the first change nothing. */
  leave(at: number): void;
};

/** The limits that providers keep for accounts. Moments are milliseconds from the beginning of the world. */
export type Accounts = {
  enter(route: AccountView, at: number): Ticket;
  /** What one more send would meet at a moment that may be past. Nothing is taken. */
  peek(route: AccountView, at: number): Behaviour | null;
};

/** What is left of an account at a moment. */
type Budget = {
  readonly at: number;
  readonly tokens: number;
  readonly running: number;
  readonly taken: number;
};

type Account = { readonly row: AccountRow; readonly budget: History<Budget> };

/** Of a refusal for want of a place nobody knows how long it lasts. */
const BUSY_MS = 1000;

/** A send has to pass all rows that name its account, and takes from all of them or from none. */
export function createAccounts(rows: readonly AccountRow[]): Accounts {
  const budgets = new Map<string, History<Budget>>();
  const accountsOf = ({ provider, model, credential }: AccountView): readonly Account[] =>
    rows.flatMap((row, index) => {
      if (!matchesGlob(row.account, `${provider}/${credential}`)) return [];
      const id = `${index} ${provider}/${credential} ${row.perModel ? model : ''}`;
      const budget = budgets.get(id) ?? createHistory({ at: 0, tokens: row.burst, running: 0, taken: 0 });
      budgets.set(id, budget);
      return [{ row, budget }];
    });
  return {
    enter(route, at) {
      const accounts = accountsOf(route);
      const refusal = firstRefusal(accounts.map(({ row, budget }) => refusalOf(row, refill(row, budget.now(), at))));
      if (refusal !== null) return { refusal, leave: () => {} };
      for (const { row, budget } of accounts) budget.set(at, take(refill(row, budget.now(), at)));
      return { refusal: null, leave: once((until) => releaseAll(accounts, until)) };
    },
    peek: (route, at) =>
      firstRefusal(accountsOf(route).map(({ row, budget }) => refusalOf(row, refill(row, budget.at(at), at)))),
  };
}

const firstRefusal = (refusals: readonly (Behaviour | null)[]): Behaviour | null =>
  refusals.find((refusal) => refusal !== null) ?? null;

const perMs = ({ perMinute }: AccountRow): number => (perMinute ?? 0) / 60_000;

const refill = (row: AccountRow, budget: Budget, at: number): Budget => ({
  ...budget,
  at,
  tokens: Math.min(row.burst, budget.tokens + (at - budget.at) * perMs(row)),
});

const take = (budget: Budget): Budget => ({
  ...budget,
  tokens: budget.tokens - 1,
  running: budget.running + 1,
  taken: budget.taken + 1,
});

function releaseAll(accounts: readonly Account[], at: number): void {
  for (const { row, budget } of accounts) {
    const before = refill(row, budget.now(), at);
    budget.set(at, { ...before, running: before.running - 1 });
  }
}

function once(run: (at: number) => void): (at: number) => void {
  let isDone = false;
  return (at) => {
    if (isDone) return;
    isDone = true;
    run(at);
  };
}

/** A hair's breadth of a token, which sums of fractions may miss. */
const NEARLY = 1e-9;

function refusalOf(row: AccountRow, { tokens, running, taken }: Budget): Behaviour | null {
  if (row.total !== null && taken >= row.total) return SPENT;
  if (row.concurrency !== null && running >= row.concurrency)
    return limited(row, BUSY_MS, 'Too many requests at once.');
  if (row.perMinute === null || tokens >= 1 - NEARLY) return null;
  return limited(row, Math.max(1, Math.ceil((1 - tokens) / perMs(row))), 'Too many requests.');
}

const SPENT: Behaviour = {
  status: 402,
  error: { code: 'insufficient_quota', type: 'insufficient_quota', message: 'This account has no credit left.' },
};

const limited = ({ tells }: AccountRow, ms: number, message: string): Behaviour => ({
  status: 429,
  ...(tells && Number.isFinite(ms) ? { retryAfterMs: ms } : {}),
  error: { code: 'rate_limit_exceeded', type: 'rate_limit_error', message },
});
