import type { AttemptRecord, Fact, RequestLedger } from '../attempt/ledger.ts';
import type { EventName } from './schema.ts';
import type { ConfigChange, DiscoveryFailure, ProbeEnd } from './told.ts';

/** An event before the schema has seen it: `makeEvent(name, fields)`. */
export type EventDraft = { readonly name: EventName; readonly fields: Readonly<Record<string, unknown>> };

type Started = Extract<Fact, { type: 'request_started' }>;

/** Whole ms from one instant of the gateway's clock to another. */
const span = (from: number, to: number | null): number | null =>
  to === null ? null : Math.max(0, Math.round(to - from));

const wayOf = ({ route, target, credential, endpoint }: AttemptRecord | ProbeEnd) => ({
  route,
  target,
  credential,
  endpoint,
});

export function draftAttemptStart(started: Started, attempt: AttemptRecord): EventDraft {
  const { request, at, model, protocol, kind } = started;
  const { n, startedAt, charged, trial } = attempt;
  const since = span(at, startedAt);
  const fields = {
    at: startedAt,
    request,
    n,
    model,
    protocol,
    kind,
    ...wayOf(attempt),
    charged,
    trial,
    since_ms: since,
  };
  return { name: 'attempt_started', fields };
}

/** Null while it is under way. */
export function draftAttemptEnd({ request }: Started, attempt: AttemptRecord): EventDraft | null {
  const { n, startedAt, endedAt, headAt, committedAt, outcome, phase, status, usage } = attempt;
  if (endedAt === null) return null;
  const fields = {
    at: endedAt,
    request,
    n,
    ...wayOf(attempt),
    outcome,
    phase,
    status,
    ms: span(startedAt, endedAt),
    head_ms: span(startedAt, headAt),
    commit_ms: span(startedAt, committedAt),
    input_tokens: usage?.inputTokens,
    output_tokens: usage?.outputTokens,
  };
  return { name: 'attempt_ended', fields };
}

/** Null while it is under way. */
export function draftRequestEnd({ id, started, ended, attempts, committed }: RequestLedger): EventDraft | null {
  if (ended === null) return null;
  const { model, protocol, kind, stream, key, at, trace } = started;
  const committedAt = committed === null ? null : (attempts[committed - 1]?.committedAt ?? null);
  const fields = {
    at: ended.at,
    request: id,
    model,
    protocol,
    kind,
    stream,
    client: key,
    outcome: ended.outcome,
    component: ended.component,
    status: ended.status,
    served_by: ended.servedBy,
    attempts: attempts.length,
    ms: span(at, ended.at),
    commit_ms: span(at, committedAt),
    trace: trace?.traceId,
  };
  return { name: 'request_ended', fields };
}

export function draftProbe(probe: ProbeEnd, at: number): EventDraft {
  const { request, model, state, outcome, status, escalated, ms, tokens } = probe;
  const fields = { at, request, model, ...wayOf(probe), state, outcome, status, escalated, ms: span(0, ms), tokens };
  return { name: 'probe_result', fields };
}

export const draftDiscoveryFailure = ({ provider, reason }: DiscoveryFailure, at: number): EventDraft => ({
  name: 'discovery_failed',
  fields: { at, provider, reason },
});

export const draftConfigChange = ({ result, models, providers }: ConfigChange, at: number): EventDraft => ({
  name: 'config_changed',
  fields: { at, result, models, providers },
});
