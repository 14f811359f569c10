import type { AttemptRecord } from '../../core/attempt/ledger.ts';
import type { Run, SimulatedSend } from '../world/run.ts';
import type { ReadRequest } from './read-outcomes.ts';
import type { LatencyReport, Percentiles } from './report.ts';

type Sample = { readonly wholeMs: number; readonly addedMs: number; readonly sends: number };

/** Of the requests that were answered whole. */
export function measureLatency(run: Run, read: readonly ReadRequest[]): LatencyReport {
  const sends = new Map(run.sends.map((send) => [`${send.request} ${send.attempt}`, send]));
  const samples = read.flatMap((each) => sampleOf(each, sends) ?? []);
  const added = (some: readonly Sample[]): Percentiles => percentilesOf(some.map(({ addedMs }) => addedMs));
  return {
    whole: percentilesOf(samples.map(({ wholeMs }) => wholeMs)),
    added: added(samples),
    added_after_failover: added(samples.filter((sample) => sample.sends > 1)),
  };
}

function sampleOf({ seen, request }: ReadRequest, sends: ReadonlyMap<string, SimulatedSend>): Sample | null {
  const { ledger, ask, client } = request;
  const serving = ledger.attempts.find(({ n }) => n === ledger.committed);
  const at = ask.stream ? serving?.committedAt : client.endedAt;
  if (seen !== 'whole' || serving === undefined || at === null || at === undefined) return null;
  const wholeMs = at - request.at;
  const ownMs = ownOf(serving, at, sends.get(`${request.id} ${serving.n}`), ask.stream);
  return { wholeMs, addedMs: Math.max(0, wholeMs - ownMs), sends: ledger.attempts.length };
}

/** What the provider itself took; where it meant something else than an answer, what it took in fact. */
function ownOf(serving: AttemptRecord, at: number, send: SimulatedSend | undefined, isStream: boolean): number {
  const meant = isStream ? send?.truth?.firstOutputMs : send?.truth?.lastsMs;
  return Math.min(meant ?? Number.POSITIVE_INFINITY, at - serving.startedAt);
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number | null => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  return { count: sorted.length, p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99), max_ms: sorted.at(-1) ?? null };
}
