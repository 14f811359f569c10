import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { AttemptRecord, Fact, RequestKind, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Usage } from '../../core/model/usage.ts';

export type Row = Record<string, SQLOutputValue>;

export const START_COLUMNS = [
  'id',
  'started_at',
  'owner_boot',
  'owner_worker',
  'model',
  'protocol',
  'stream',
  'key',
  'client_request_id',
  'client_retry_of',
  'asked',
  'kind',
] as const;

export const END_COLUMNS = [
  'committed',
  'ended_at',
  'outcome',
  'status',
  'component',
  'reason',
  'served_by',
  'edits',
  'skipped',
  'rejected',
] as const;

export const ATTEMPT_COLUMNS = [
  'request',
  'n',
  'request_started_at',
  'route',
  'target',
  'credential',
  'endpoint',
  'why',
  'charged',
  'trial',
  'started_at',
  'head_at',
  'status',
  'committed_at',
  'ended_at',
  'outcome',
  'phase',
  'failure',
  'reason',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'usage_source',
  'cooldown_until',
] as const;

type Values<C extends readonly string[]> = Record<C[number], SQLInputValue>;

type Started = RequestLedger['started'];
type Ended = Extract<Fact, { type: 'request_ended' }>;

/** Values as a statement takes them that has a slot for each column. */
export const inOrder = <C extends readonly string[]>(columns: C, values: Values<C>): readonly SQLInputValue[] =>
  columns.map((name: C[number]) => values[name]);

const bit = (flag: boolean): number => (flag ? 1 : 0);

/** What a request has from its start; it never changes. */
export function startValues({ started }: RequestLedger): Values<typeof START_COLUMNS> {
  return {
    id: started.request,
    started_at: started.at,
    owner_boot: started.owner.boot,
    owner_worker: started.owner.worker,
    model: started.model,
    protocol: started.protocol,
    stream: bit(started.stream),
    key: started.key,
    client_request_id: started.clientRequestId,
    client_retry_of: started.clientRetryOf,
    asked: started.asked ?? null,
    kind: started.kind ?? null,
  };
}

/** What comes later. */
export function endValues({ committed, ended }: RequestLedger): Values<typeof END_COLUMNS> {
  if (ended === null) return { ...NO_END, committed };
  return {
    committed,
    ended_at: ended.at,
    outcome: ended.outcome,
    status: ended.status,
    component: ended.component,
    reason: ended.reason,
    served_by: ended.servedBy,
    edits: JSON.stringify(ended.edits),
    skipped: JSON.stringify(ended.skipped),
    rejected: bit(ended.rejected),
  };
}

const NO_END = Object.fromEntries(END_COLUMNS.map((name) => [name, null])) as Values<typeof END_COLUMNS>;

export function attemptValues({ id, started }: RequestLedger, attempt: AttemptRecord): Values<typeof ATTEMPT_COLUMNS> {
  const { usage, failure } = attempt;
  return {
    request: id,
    n: attempt.n,
    request_started_at: started.at,
    route: attempt.route,
    target: attempt.target,
    credential: attempt.credential,
    endpoint: attempt.endpoint,
    why: attempt.why,
    charged: bit(attempt.charged),
    trial: bit(attempt.trial),
    started_at: attempt.startedAt,
    head_at: attempt.headAt,
    status: attempt.status,
    committed_at: attempt.committedAt,
    ended_at: attempt.endedAt,
    outcome: attempt.outcome,
    phase: attempt.phase,
    failure: failure === null ? null : JSON.stringify(failure),
    reason: attempt.reason,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    cached_tokens: usage?.cachedTokens ?? null,
    cache_write_tokens: usage?.cacheWriteTokens ?? null,
    usage_source: usage?.source ?? null,
    cooldown_until: attempt.cooldownUntil,
  };
}

/**
 * A ledger out of its rows. They were written by `recordFact`'s hand alone, so that their words are of the lists that
 * the types name.
 */
export function readLedger(row: Row, attempts: readonly Row[], plans: RequestLedger['plans']): RequestLedger {
  const id = text(row, 'id');
  const first = plans[0];
  return {
    id,
    started: readStart(id, row, first?.attempt === null ? first.plan : null),
    attempts: attempts.map(readAttempt),
    committed: numberOrNull(row, 'committed'),
    ended: row['ended_at'] === null ? null : readEnd(id, row),
    plans,
  };
}

function readStart(id: string, row: Row, plan: Started['plan']): Started {
  const kind = textOrNull(row, 'kind') as RequestKind | null;
  return {
    type: 'request_started',
    request: id,
    at: number(row, 'started_at'),
    owner: { boot: text(row, 'owner_boot'), worker: number(row, 'owner_worker') },
    model: text(row, 'model'),
    asked: textOrNull(row, 'asked'),
    protocol: text(row, 'protocol') as Started['protocol'],
    stream: isSet(row, 'stream'),
    ...(kind === null ? {} : { kind }),
    key: textOrNull(row, 'key'),
    clientRequestId: textOrNull(row, 'client_request_id'),
    clientRetryOf: textOrNull(row, 'client_retry_of'),
    plan,
  };
}

function readEnd(id: string, row: Row): Ended {
  return {
    type: 'request_ended',
    request: id,
    at: number(row, 'ended_at'),
    outcome: text(row, 'outcome') as Ended['outcome'],
    status: numberOrNull(row, 'status'),
    component: textOrNull(row, 'component') as Ended['component'],
    reason: textOrNull(row, 'reason'),
    servedBy: textOrNull(row, 'served_by'),
    edits: JSON.parse(text(row, 'edits')),
    skipped: JSON.parse(text(row, 'skipped')),
    rejected: isSet(row, 'rejected'),
  };
}

function readAttempt(row: Row): AttemptRecord {
  const failure = textOrNull(row, 'failure');
  return {
    n: number(row, 'n'),
    route: text(row, 'route'),
    target: text(row, 'target'),
    credential: text(row, 'credential'),
    endpoint: text(row, 'endpoint'),
    why: text(row, 'why'),
    charged: isSet(row, 'charged'),
    trial: isSet(row, 'trial'),
    startedAt: number(row, 'started_at'),
    headAt: numberOrNull(row, 'head_at'),
    status: numberOrNull(row, 'status'),
    committedAt: numberOrNull(row, 'committed_at'),
    endedAt: numberOrNull(row, 'ended_at'),
    outcome: textOrNull(row, 'outcome') as AttemptRecord['outcome'],
    phase: text(row, 'phase') as AttemptRecord['phase'],
    failure: failure === null ? null : JSON.parse(failure),
    reason: textOrNull(row, 'reason'),
    usage: readUsage(row),
    cooldownUntil: numberOrNull(row, 'cooldown_until'),
  };
}

export function readUsage(row: Row): Usage | null {
  const source = textOrNull(row, 'usage_source');
  if (source === null) return null;
  return {
    inputTokens: numberOrNull(row, 'input_tokens'),
    outputTokens: numberOrNull(row, 'output_tokens'),
    reasoningTokens: numberOrNull(row, 'reasoning_tokens'),
    cachedTokens: numberOrNull(row, 'cached_tokens'),
    cacheWriteTokens: numberOrNull(row, 'cache_write_tokens'),
    source: source as Usage['source'],
  };
}

export const text = (row: Row, name: string): string => String(row[name]);
export const number = (row: Row, name: string): number => Number(row[name]);
export const isSet = (row: Row, name: string): boolean => row[name] === 1;
export const textOrNull = (row: Row, name: string): string | null => (row[name] === null ? null : text(row, name));
export const numberOrNull = (row: Row, name: string): number | null => (row[name] === null ? null : number(row, name));
