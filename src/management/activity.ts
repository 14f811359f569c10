import { parseDuration } from '../config/units.ts';
import type { UsageDimension, UsageGroup } from '../core/attempt/count-usage.ts';
import { ASKED_KINDS } from '../core/attempt/ledger.ts';
import type { TrafficReport } from '../port/traffic.ts';
import { USAGE_DIMENSIONS } from './activity-contract.ts';
import type { AuditEntry, OverviewView, UsageReport, UsageRow } from './contract.ts';
import { readKinds, readLimit, readSince } from './read-query.ts';
import { viewSum } from './reconciliation-view.ts';
import { formatTime, formatTimeOrNull } from './time.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

const DEFAULT_WINDOW_MS = 5 * 60_000;
const MIN_WINDOW_MS = 10_000;
/** Rows of a report; clients may name targets that nobody has thought of. */
const MAX_ROWS = 1_000;

const invalid = (message: string): ManagementAnswer => problem(400, 'invalid_request_error', message);

/** `GET /overview`: what has ended lately, and what is under way. */
export function answerOverview(
  _ids: readonly string[],
  { query }: ManagementRequest,
  { traffic }: ManagementPorts,
): ManagementAnswer {
  if (traffic === undefined) return notFound('Nobody counts here.');
  const asked = query.get('window');
  const parsed = asked === null ? null : parseDuration(asked);
  const windowMs = parsed === null ? DEFAULT_WINDOW_MS : parsed.ok ? parsed.value : 0;
  if (windowMs < MIN_WINDOW_MS || windowMs > traffic.maxWindowMs)
    return invalid('window is a time from 10s to 1h: 5m.');
  return { ok: true, body: viewOverview(traffic.read(windowMs), windowMs) };
}

function viewOverview(report: TrafficReport, windowMs: number): OverviewView {
  const { total, ok, firstOk, saved, failed, rejected, left } = report.requests;
  const judged = ok + failed;
  const rate = (count: number): number | null => (judged === 0 ? null : count / judged);
  return {
    at: formatTime(report.at),
    since: formatTime(report.since),
    window_ms: windowMs,
    step_ms: report.stepMs,
    requests: { total, ok, first_ok: firstOk, saved, failed, rejected, left },
    success: { before_failover: rate(firstOk), after_failover: rate(ok) },
    attempts: report.attempts,
    unseen_failures: report.unseenFailures,
    under_way: {
      count: report.underWay.count,
      requests: report.underWay.newest.map(({ startedAt, model, ...rest }) => ({
        ...rest,
        model: model === '' ? null : model,
        started_at: formatTime(startedAt),
      })),
    },
    series: report.series.map((step) => ({
      at: formatTime(step.at),
      total: step.total,
      ok: step.ok,
      saved: step.saved,
      failed: step.failed,
    })),
    targets: report.targets.map(({ outcomes, ...counts }) => ({
      ...counts,
      outcomes: [...outcomes].map(([outcome, count]) => ({ outcome, count })),
    })),
  };
}

/** `GET /usage`: requests, attempts and tokens, told apart as asked for. */
export async function answerUsage(
  _ids: readonly string[],
  { query }: ManagementRequest,
  { ledger }: ManagementPorts,
): Promise<ManagementAnswer> {
  const since = readSince(query);
  if (typeof since === 'string') return invalid(since);
  const words = (query.get('by') ?? '').split(',').map((word) => word.trim());
  const by = [...new Set(words.filter((word) => word !== ''))];
  if (!by.every(isDimension)) return invalid(`by is a list of ${USAGE_DIMENSIONS.join(', ')}.`);
  // What the gateway asks for itself is left out, unless kinds are told apart.
  const kinds = readKinds(query, by.includes('kind') ? null : ASKED_KINDS);
  if (typeof kinds === 'string') return invalid(kinds);
  const groups = await ledger.usage({ since: since ?? 0, by, ...(kinds === null ? {} : { kinds }) });
  const rows = groups.map(viewGroup).sort(inOrder(by));
  const report: UsageReport = {
    since: formatTimeOrNull(since ?? null),
    by,
    data: rows.slice(0, MAX_ROWS),
    left_out: Math.max(0, rows.length - MAX_ROWS),
  };
  return { ok: true, body: report };
}

const isDimension = (word: string): word is UsageDimension => USAGE_DIMENSIONS.some((each) => each === word);

const viewGroup = ({ by, requests, failed, attempts, failedAttempts, delivered, all }: UsageGroup): UsageRow => ({
  ...(by as Partial<UsageRow>),
  requests,
  failed,
  attempts,
  failed_attempts: failedAttempts,
  usage: { delivered: viewSum(delivered), all: viewSum(all) },
  cost_usd: null,
});

/** By days where they alone are asked for, else the most requests first. */
const inOrder =
  (by: readonly UsageDimension[]) =>
  (one: UsageRow, other: UsageRow): number => {
    const byDay = (one.day ?? '') < (other.day ?? '') ? -1 : 1;
    if (by.length === 1 && by[0] === 'day') return byDay;
    return other.requests - one.requests || byDay;
  };

/** `GET /audit`: who did what, newest first. */
export async function answerAudit(
  _ids: readonly string[],
  { query }: ManagementRequest,
  { audit }: ManagementPorts,
): Promise<ManagementAnswer> {
  if (audit === undefined) return notFound('Nothing is kept here of who did what.');
  const limit = readLimit(query);
  if (typeof limit === 'string') return invalid(limit);
  const cursor = query.get('cursor');
  const page = await audit.list({ limit, ...(cursor === null || cursor === '' ? {} : { cursor }) });
  const data = page.data.map(({ at, action, request, ...rest }) => ({
    at: formatTime(at),
    action: action as AuditEntry['action'],
    ...rest,
    request_id: request,
  }));
  return { ok: true, body: { data: data satisfies AuditEntry[], next: page.next } };
}
