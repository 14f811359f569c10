import type { Outcome } from '../../core/failure/outcome.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Behaviour } from '../scenario/scenario.ts';
import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { type AnyCase, type AttemptCase, HAIR_MS, indexRun, millis } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isStoppedOutcome } from './world-words.ts';

/** (n) */
export const toldHolds: Invariant = {
  id: 'n',
  promise: 'what a server asked to be left alone is left alone',
  check: (run) => collect('n', (blame) => checkRun(run, blame)),
};

type Hold = {
  /** When the attempt that was told so began. */
  readonly since: number;
  /** From here on it is known. */
  readonly from: number;
  readonly until: number;
  /** Told where it may be read or not: it judges nobody, but others may have come too late for it. */
  readonly isVague: boolean;
  readonly request: string;
  readonly attempt: number;
};

/** Holds of one scope, in the order in which they became known. */
type Scope = {
  holds: Hold[];
  /** Ids whose reset lifts them. */
  readonly lifts: ReadonlySet<string>;
  /** How far the first of them, up to each, reach at most: most sends need to look no further. */
  readonly reach: number[];
};

function checkRun(run: Run, blame: Blame): void {
  const { all } = indexRun(run);
  const scopes = new Map<string, Scope>();
  for (const each of all) for (const attempt of each.attempts) noteHold(run, each, attempt, scopes);
  if (scopes.size === 0) return;
  for (const scope of scopes.values()) {
    const holds = scope.holds.toSorted((a, b) => a.from - b.from);
    scope.holds = holds.filter((hold, place) => !hold.isVague && !isLate(holds, hold, place));
    for (const { until } of scope.holds) scope.reach.push(Math.max(scope.reach.at(-1) ?? 0, until));
  }
  for (const each of all) {
    for (const attempt of each.attempts) {
      const route = attempt.send?.route;
      for (const id of route === undefined ? [] : [route.id, credentialOf(route)]) {
        const scope = scopes.get(id);
        if (scope !== undefined) checkSend(run, each, attempt, scope, blame);
      }
    }
  }
}

/** What an attempt was told that began before another hold which is still on does not extend that. */
function isLate(holds: readonly Hold[], { since, from, until }: Hold, place: number): boolean {
  for (let i = place + 1; isAt(holds[i], from); i++) if ((holds[i]?.until ?? until) < until) return true;
  for (let i = place - 1; i >= 0; i--) {
    const other = holds[i];
    if (other === undefined || other.from <= since) return false;
    // Of two at one moment nobody knows which came first: no more than the shorter is sure.
    if (isAt(other, from) ? other.until <= until : other.until > from) return true;
  }
  return false;
}

const isAt = (hold: Hold | undefined, moment: number): boolean =>
  hold !== undefined && Math.abs(hold.from - moment) <= HAIR_MS;

const credentialOf = ({ provider, credential }: Route): string => `${provider}/${credential}`;

function noteHold(
  { config }: Run,
  { id }: AnyCase,
  { n, started, send, ended }: AttemptCase,
  scopes: Map<string, Scope>,
): void {
  if (send === null || ended === null || isStoppedOutcome(ended.outcome)) return;
  const { toldUntil, behaviour } = send;
  const isVague = toldUntil === null;
  if (isVague && behaviour.retryAfterMs === undefined) return;
  const kind = scopeOf(behaviour, ended.outcome, send.route);
  if (kind === null) return;
  const key = kind === 'route' ? send.route.id : credentialOf(send.route);
  const scope = scopes.get(key) ?? {
    holds: [],
    lifts: new Set(kind === 'route' ? [key, send.route.target] : [key]),
    reach: [],
  };
  scopes.set(key, scope);
  const until = Math.min(
    toldUntil ?? ended.at + Math.max(SHORTEST_MS, behaviour.retryAfterMs ?? 0),
    ended.at + config.health.cooldown.maxMs,
  );
  scope.holds.push({ since: started.at, from: ended.at, until, isVague, request: id, attempt: n });
}

/** Nothing, or less, is taken for this. */
const SHORTEST_MS = 1000;

type ScopeKind = 'route' | 'credential';

/** What each kind of failure holds; others hold nothing, or not by a server's word. */
const HELD_BY: { readonly [O in Outcome]?: ScopeKind } = {
  overloaded: 'route',
  server_error: 'route',
  bad_gateway: 'route',
  model_unavailable: 'route',
  rate_limited: 'route',
  quota_exhausted: 'credential',
  billing: 'credential',
};

/** Words of an account's own limits. */
const TOO_MANY = 'Too many requests';

/** A bare 429 is a limit, a bare 503 an outage, whatever the record says of it; words and codes may make it another. */
function scopeOf({ status, error, body }: Behaviour, outcome: Outcome, route: Route): ScopeKind | null {
  const isBare = body === undefined && (error === undefined || Object.keys(error).length === 0);
  const isLimit = error?.code === 'rate_limit_exceeded' && error.message?.startsWith(TOO_MANY) === true;
  const kind = isBare || isLimit ? 'route' : (HELD_BY[outcome] ?? null);
  if (kind === null) return null;
  const isAccountWide = route.accountWideLimit && ((isBare && status === 429) || isLimit || outcome === 'rate_limited');
  return isAccountWide ? 'credential' : kind;
}

function checkSend(run: Run, each: AnyCase, attempt: AttemptCase, scope: Scope, blame: Blame): void {
  const { started, n, chosenAt } = attempt;
  const { holds, lifts, reach } = scope;
  for (let i = lastKnown(holds, chosenAt); i >= 0 && (reach[i] ?? 0) > started.at + HAIR_MS; i--) {
    const hold = holds[i];
    if (hold === undefined || hold.until <= started.at + HAIR_MS) continue;
    // Of two things at one moment nobody knows which came first, but for those of one request.
    const isOwn = hold.request === each.id && hold.attempt < n;
    if (!isOwn && (hold.request === each.id || hold.from > chosenAt - HAIR_MS)) continue;
    if (isLifted(run, lifts, hold.from, started.at)) continue;
    const left = millis(hold.until - started.at);
    blame(each.id, `attempt ${n} goes to ${started.route}, which asked to be left alone for ${left} more`);
    return;
  }
}

function lastKnown(holds: readonly Hold[], at: number): number {
  let low = 0;
  let high = holds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((holds[middle]?.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const isLifted = ({ scenario, startedAt }: Run, ids: ReadonlySet<string>, from: number, to: number): boolean =>
  scenario.acts.some((act) => {
    const at = startedAt + act.atMs;
    return act.does === 'reset' && ids.has(act.id) && at >= from - HAIR_MS && at <= to + HAIR_MS;
  });
