import type { AttemptRecord, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Outcome } from '../../core/failure/outcome.ts';
import type { Usage } from '../../core/model/usage.ts';
import { operationOf, providerName } from './conventions.ts';
import type { Attributes, SpanDraft } from './draft.ts';

type Started = RequestLedger['started'];
type Trace = NonNullable<Started['trace']>;

export type DraftOptions = {
  /** The preset behind a provider of the configuration; null: it has none. */
  readonly presetOf: (provider: string) => string | null;
};

const GOOD: ReadonlySet<Outcome> = new Set(['ok', 'ok_truncated', 'ok_filtered', 'refused']);

/** Ends that blame nobody: who asked has gone, or has what it wanted from somebody else. */
const NOBODYS: ReadonlySet<Outcome> = new Set(['client_closed', 'hedge_lost']);

/**
 * The spans of a request that has its end: its own first, then one for each attempt. None where nobody traces, where the
 * trace is not recorded, or while it is under way.
 */
export function draftSpans(request: RequestLedger, options: DraftOptions): readonly SpanDraft[] {
  const { started, ended, attempts } = request;
  const { trace } = started;
  if (trace?.isSampled !== true || ended === null) return [];
  return [
    draftRequest(request, trace, ended),
    ...attempts.flatMap((attempt) => draftAttempt(started, trace, attempt, options)),
  ];
}

function draftRequest(
  { id, started, attempts }: RequestLedger,
  { traceId, spanId, parentId }: Trace,
  ended: NonNullable<RequestLedger['ended']>,
): SpanDraft {
  const { protocol, kind, model, asked, stream, key } = started;
  const { outcome, component } = ended;
  const operation = operationOf(protocol, kind);
  const isGood = GOOD.has(outcome);
  const attributes: Attributes = {
    operation,
    requestModel: asked ?? orNull(model),
    requestStream: stream,
    httpStatus: ended.status,
    errorType: isGood ? null : outcome,
    request: id,
    kind: kind ?? 'answer',
    protocol,
    model: orNull(model),
    key,
    outcome,
    component,
    reason: ended.reason,
    servedBy: ended.servedBy,
    attempts: attempts.length,
    rescued: isGood && attempts.some((attempt) => isFailed(attempt)),
    edits: ended.edits.length === 0 ? null : ended.edits,
    skipped: ended.skipped.length === 0 ? null : ended.skipped.map((one) => `${one.target}: ${one.outcome}`),
    retryOf: started.clientRetryOf,
  };
  return {
    // A name that nobody knows is no name for a span: there would be one for each slip of a client.
    name: ended.rejected ? operation : `${operation} ${model}`,
    kind: kind === 'probe' ? 'own' : 'served',
    traceId,
    spanId,
    parentId,
    isParentRemote: true,
    startedAt: started.at,
    endedAt: ended.at,
    attributes,
    failure: isGood || component === 'client' ? undefined : ended.reason,
  };
}

function draftAttempt(
  started: Started,
  { traceId, spanId }: Trace,
  attempt: AttemptRecord,
  { presetOf }: DraftOptions,
): readonly SpanDraft[] {
  const { span, startedAt, endedAt, outcome, target } = attempt;
  if (span === undefined || endedAt === null || outcome === null) return [];
  const [provider, model] = splitTarget(target);
  const operation = operationOf(started.protocol, started.kind);
  return [
    {
      name: `${operation} ${model}`,
      kind: 'sent',
      traceId,
      spanId: span,
      parentId: spanId,
      isParentRemote: false,
      startedAt,
      endedAt,
      attributes: {
        operation,
        provider: providerName(provider, presetOf(provider)),
        requestModel: model,
        requestStream: started.stream,
        ...toldOf(attempt, started.stream),
        ...placeOf(attempt.endpoint),
        httpMethod: 'POST',
        httpStatus: attempt.status,
        errorType: GOOD.has(outcome) ? null : outcome,
        request: started.request,
        kind: started.kind ?? 'answer',
        ...decisionOf(attempt),
      },
      failure: isFailed(attempt) ? attempt.reason : undefined,
    },
  ];
}

/** What the provider said of its answer. */
const toldOf = ({ usage, answer, startedAt, committedAt }: AttemptRecord, isStream: boolean): Attributes => ({
  responseModel: answer?.model ?? null,
  finishReasons: answer?.finish == null ? null : [answer.finish],
  firstChunk: isStream && committedAt !== null ? Math.max(0, committedAt - startedAt) / 1000 : null,
  ...(usage === null ? {} : tokensOf(usage)),
});

const tokensOf = (usage: Usage): Attributes => ({
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  cachedTokens: usage.cachedTokens,
  cacheWriteTokens: usage.cacheWriteTokens,
  reasoningTokens: usage.reasoningTokens,
});

/** Why it was made, and what became of it. */
const decisionOf = (attempt: AttemptRecord): Attributes => ({
  n: attempt.n,
  target: attempt.target,
  credential: attempt.credential,
  endpoint: attempt.endpoint,
  why: attempt.why,
  charged: attempt.charged,
  trial: attempt.trial,
  committed: attempt.committedAt !== null,
  outcome: attempt.outcome,
  phase: attempt.phase,
  reason: attempt.reason,
});

/** `host:port`; an address of version 6 stands in brackets. */
function placeOf(endpoint: string): Attributes {
  const at = endpoint.lastIndexOf(':');
  const port = Number(endpoint.slice(at + 1));
  return {
    serverAddress: at < 0 ? endpoint : endpoint.slice(0, at).replace(/^\[|\]$/g, ''),
    serverPort: at < 0 || !Number.isInteger(port) ? null : port,
  };
}

function splitTarget(target: string): readonly [provider: string, model: string] {
  const at = target.indexOf('/');
  return at < 0 ? [target, target] : [target.slice(0, at), target.slice(at + 1)];
}

const isFailed = ({ outcome }: AttemptRecord): boolean =>
  outcome !== null && !GOOD.has(outcome) && !NOBODYS.has(outcome);

const orNull = (text: string): string | null => (text === '' ? null : text);
