import type { AttemptRecord, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Outcome } from '../../core/failure/outcome.ts';
import type { Telemetry } from '../../port/telemetry.ts';

type Value = string | number | boolean | null;
export type Fields = Readonly<Record<string, Value>>;

export type Cleaner = {
  /** Of things that come back: models, targets, keys. */
  readonly name: (text: string) => string;
  /** Of things that are named once. */
  readonly id: (text: string) => string;
  /** Words for people. */
  readonly text: (text: string) => string;
};

/** Ends of attempts that are nobody's failure. */
const UNREMARKABLE: readonly Outcome[] = [
  'ok',
  'ok_truncated',
  'ok_filtered',
  'refused',
  'client_closed',
  'hedge_lost',
  'stale_socket',
];

/** Pino's own members of a line. */
const RESERVED: readonly string[] = ['level', 'time', 'msg', 'pid', 'hostname', '__proto__'];

export function isFailed({ outcome }: AttemptRecord): boolean {
  return outcome !== null && !UNREMARKABLE.includes(outcome);
}

export function fieldsOfRequest({ id, started, ended, attempts }: RequestLedger, clean: Cleaner): Fields {
  return {
    request: clean.id(id),
    model: clean.name(started.model),
    protocol: started.protocol,
    stream: started.stream,
    outcome: ended?.outcome ?? null,
    status: ended?.status ?? null,
    reason: ended?.outcome === 'ok' ? null : orNull(ended?.reason, clean.text),
    served_by: orNull(ended?.servedBy, clean.name),
    attempts: attempts.length,
    duration_ms: ended ? Math.round(ended.at - started.at) : null,
    key: orNull(started.key, clean.name),
  };
}

export function fieldsOfAttempt(
  started: Parameters<Telemetry['attemptEnded']>[0],
  attempt: AttemptRecord,
  clean: Cleaner,
): Fields {
  return {
    request: clean.id(started.request),
    n: attempt.n,
    target: clean.name(attempt.target),
    credential: clean.name(attempt.credential),
    endpoint: clean.name(attempt.endpoint),
    outcome: attempt.outcome,
    status: attempt.status,
    phase: attempt.phase,
    ms: attempt.endedAt === null ? null : Math.round(attempt.endedAt - attempt.startedAt),
    reason: orNull(attempt.reason, clean.text),
  };
}

export function fieldsOfChange(change: Parameters<Telemetry['healthChanged']>[0], clean: Cleaner): Fields {
  return {
    id: clean.name(change.id),
    scope: clean.name(change.scope),
    from: clean.name(change.from),
    to: clean.name(change.to),
    until: change.until !== null && isMoment(change.until) ? new Date(change.until).toISOString() : null,
    reason: orNull(change.reason, clean.text),
  };
}

export function fieldsOfProbe(probe: Parameters<Telemetry['probeEnded']>[0], clean: Cleaner): Fields {
  return {
    route: clean.name(probe.route),
    state: probe.state,
    outcome: probe.outcome,
    status: probe.status,
    ms: Math.round(probe.ms),
    request: orNull(probe.request, clean.id),
  };
}

export function fieldsOfNotice(fields: Fields, clean: Cleaner): Fields {
  const known = Object.entries(fields).filter(([name]) => !RESERVED.includes(name));
  return Object.fromEntries(
    known.map(([name, value]) => [clean.name(name), typeof value === 'string' ? clean.text(value) : value]),
  );
}

function orNull(text: string | null | undefined, clean: (text: string) => string): string | null {
  return text === null || text === undefined ? null : clean(text);
}

/** What a calendar can show. */
function isMoment(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}
