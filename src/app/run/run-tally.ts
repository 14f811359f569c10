import type { AttemptRecord, RequestLedger } from '../../core/attempt/ledger.ts';
import { requestUsage } from '../../core/attempt/usage.ts';
import type { Usage } from '../../core/model/usage.ts';
import { type Blame, blameOf } from '../../core/readiness/request-blame.ts';

/** A request that is worth a line of its own. */
export type ToldRequest = {
  readonly id: string;
  readonly model: string;
  readonly outcome: string;
  readonly component: string | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly ms: number;
  /** `target outcome status` of each, in order. */
  readonly attempts: readonly string[];
  readonly blame: Blame;
  /** The first request of the turn that its client repeats with this one; null: it is no repeat. */
  readonly retryOf: string | null;
  /** Another request, its client's own repeat, had the answer. */
  readonly madeGood: boolean;
};

/** Tokens that were told; answers whose provider told nothing are counted apart, never as 0. */
export type TokenSum = { input: number; output: number; untold: number };

export type ModelTally = { asked: number; served: number; lost: number; readonly tokens: TokenSum };

export type TargetTally = {
  attempts: number;
  served: number;
  /** From the attempt's start to its end (ms), the longest of all. */
  longestMs: number;
  /** Of attempts that began to answer: from the start to the first output. */
  firstOutput: { count: number; sumMs: number; longestMs: number };
  readonly failures: Map<string, number>;
};

/** What a run's requests came to. Grows with the number of models and targets, and not with that of requests. */
export type RunTally = {
  requests: number;
  served: number;
  /** Served, after an attempt that failed. */
  recovered: number;
  /** Their client did not wait for the end; `unanswered`: nor had anything of an answer. */
  left: number;
  unanswered: number;
  probes: number;
  readonly outcomes: Map<string, number>;
  readonly models: Map<string, ModelTally>;
  readonly targets: Map<string, TargetTally>;
  readonly lost: Map<string, ToldRequest>;
  /** Lost ones that are too many to be listed. */
  readonly lostBeyond: { capacity: number; configuration: number; gateway: number; command: number };
  readonly failovers: ToldRequest[];
  failoversBeyond: number;
};

const MOST_LOST = 1_000;
const MOST_FAILOVERS = 100;
/** What clients ask for may be any name. */
const MOST_NAMES = 500;
const OTHERS = '(others)';

export function createRunTally(): RunTally {
  return {
    requests: 0,
    served: 0,
    recovered: 0,
    left: 0,
    unanswered: 0,
    probes: 0,
    outcomes: new Map(),
    models: new Map(),
    targets: new Map(),
    lost: new Map(),
    lostBeyond: { capacity: 0, configuration: 0, gateway: 0, command: 0 },
    failovers: [],
    failoversBeyond: 0,
  };
}

/** Counts a request that has ended. The gateway's own probes are no requests of the command. */
export function countRequest(tally: RunTally, request: RequestLedger): void {
  const { started, ended, attempts } = request;
  if (ended === null) return;
  if (started.kind === 'probe') {
    tally.probes++;
    return;
  }
  for (const attempt of attempts) countAttempt(tally, attempt);
  const blame = blameOf(ended);
  const model = entryOf(tally.models, started.model === '' ? '(none)' : started.model, newModel);
  tally.requests++;
  model.asked++;
  tally.outcomes.set(ended.outcome, (tally.outcomes.get(ended.outcome) ?? 0) + 1);
  if (request.committed !== null) addUsage(model.tokens, requestUsage(request));
  if (blame === 'served') countServed(tally, model, request);
  else if (blame === 'left') countLeft(tally, request);
  else {
    model.lost++;
    keepLost(tally, blame, tell(request, blame));
  }
}

function countServed(tally: RunTally, model: ModelTally, request: RequestLedger): void {
  tally.served++;
  model.served++;
  const { ended, started } = request;
  if (ended?.servedBy != null) entryOf(tally.targets, ended.servedBy, newTarget).served++;
  if (request.attempts.length > 1) {
    tally.recovered++;
    if (tally.failovers.length < MOST_FAILOVERS) tally.failovers.push(tell(request, 'served'));
    else tally.failoversBeyond++;
  }
  if (started.clientRetryOf !== null) makeGood(tally, started.clientRetryOf);
}

function countLeft(tally: RunTally, request: RequestLedger): void {
  tally.left++;
  if (request.committed === null) tally.unanswered++;
}

/** Its client has repeated the turn, and had its answer: what was lost before of the same turn is not. */
function makeGood({ lost }: RunTally, turn: string): void {
  for (const [id, told] of lost) if (id === turn || told.retryOf === turn) lost.set(id, { ...told, madeGood: true });
}

function keepLost(tally: RunTally, blame: Exclude<Blame, 'served' | 'left'>, told: ToldRequest): void {
  if (tally.lost.size < MOST_LOST) tally.lost.set(told.id, told);
  else tally.lostBeyond[blame]++;
}

function tell(request: RequestLedger, blame: Blame): ToldRequest {
  const { id, started, ended, attempts } = request;
  return {
    id,
    model: started.model,
    outcome: ended?.outcome ?? '',
    component: ended?.component ?? null,
    reason: ended?.reason ?? null,
    status: ended?.status ?? null,
    ms: Math.max(0, Math.round((ended?.at ?? started.at) - started.at)),
    attempts: attempts.map(({ target, outcome, status }) =>
      [target, outcome, status].filter((part) => part !== null).join(' '),
    ),
    blame,
    retryOf: started.clientRetryOf,
    madeGood: false,
  };
}

function countAttempt(tally: RunTally, attempt: AttemptRecord): void {
  const target = entryOf(tally.targets, attempt.target, newTarget);
  const { startedAt, committedAt, endedAt, outcome, failure } = attempt;
  target.attempts++;
  target.longestMs = Math.max(target.longestMs, Math.round((endedAt ?? startedAt) - startedAt));
  if (committedAt !== null) {
    const ms = Math.max(0, Math.round(committedAt - startedAt));
    const { count, sumMs, longestMs } = target.firstOutput;
    target.firstOutput = { count: count + 1, sumMs: sumMs + ms, longestMs: Math.max(longestMs, ms) };
  }
  if (failure !== null && outcome !== null) target.failures.set(outcome, (target.failures.get(outcome) ?? 0) + 1);
}

function addUsage(tokens: TokenSum, usage: Usage | null): void {
  tokens.input += usage?.inputTokens ?? 0;
  tokens.output += usage?.outputTokens ?? 0;
  if (usage === null || usage.inputTokens === null || usage.outputTokens === null) tokens.untold++;
}

function entryOf<T>(map: Map<string, T>, name: string, create: () => T): T {
  const key = map.has(name) || map.size < MOST_NAMES ? name : OTHERS;
  const entry = map.get(key) ?? create();
  map.set(key, entry);
  return entry;
}

const newModel = (): ModelTally => ({ asked: 0, served: 0, lost: 0, tokens: { input: 0, output: 0, untold: 0 } });

const newTarget = (): TargetTally => ({
  attempts: 0,
  served: 0,
  longestMs: 0,
  firstOutput: { count: 0, sumMs: 0, longestMs: 0 },
  failures: new Map(),
});

/** Requests that ended without an answer, by what they are to be blamed on. */
export function countLost(
  tally: RunTally,
): Readonly<Record<'capacity' | 'configuration' | 'gateway' | 'command', number>> {
  const counts = { ...tally.lostBeyond };
  for (const { blame, madeGood } of tally.lost.values()) {
    if (!madeGood && blame !== 'served' && blame !== 'left') counts[blame]++;
  }
  return counts;
}
