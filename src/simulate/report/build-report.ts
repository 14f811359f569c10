import type { Run } from '../world/run.ts';
import { countOutcomes, countRequests, countServed } from './count-requests.ts';
import { countAttempts, countProbes, countRoutes, countTokens } from './count-routes.ts';
import { findOutages } from './find-outages.ts';
import { measureLatency } from './measure-latency.ts';
import { measureTraffic } from './measure-traffic.ts';
import { type ReadRequest, readOutcomes } from './read-outcomes.ts';
import type { Report } from './report.ts';
import { showRequest } from './show-request.ts';

export type ReportOptions = {
  /** The request of which the sequence of events is shown, from 1; null: the most interesting one. */
  readonly show: number | null;
  /** False: it was ended early. */
  readonly isComplete: boolean;
  /** Awaited now and then. */
  readonly pause: () => Promise<void>;
};

/** A report, and how each first try went, in order: what a comparison needs. */
export type Reported = { readonly report: Report; readonly tries: readonly boolean[] };

export async function buildReport(run: Run, { show, isComplete, pause }: ReportOptions): Promise<Reported> {
  const read = await readOutcomes(run, pause);
  const served = countServed(read);
  const report: Report = {
    seed: run.scenario.seed,
    config: run.config.file,
    complete: isComplete,
    lasted_ms: run.quietAt - run.startedAt,
    requests: countRequests(read),
    clients: countOutcomes(read),
    served,
    latency: measureLatency(run, read),
    routes: countRoutes(read),
    probes: countProbes(run),
    attempts: countAttempts(read),
    outages: findOutages(run),
    tokens: countTokens(read),
    traffic: measureTraffic(run, read, served),
    shown: showRequest(run, read, show),
    // What was still to come when a run was ended is nobody's mistake.
    leftovers: isComplete ? run.leftovers : [],
  };
  return { report, tries: triesOf(read) };
}

const triesOf = (read: readonly ReadRequest[]): readonly boolean[] =>
  read.filter(({ request }) => request.retryOf === null).map(({ seen }) => seen === 'whole');
