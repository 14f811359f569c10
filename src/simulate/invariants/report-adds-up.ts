import type { Outcome } from '../../core/failure/outcome.ts';
import { availability } from '../../core/health/availability-of.ts';
import type { ReportedModel, ReportedRoute } from '../../core/readiness/report.ts';
import type { Run, SeenReport } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { HAIR_MS, indexRun, type ProbeCase, type RunIndex } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isSent, kindOf, provedMoments } from './probes.ts';

/** (p) */
export const reportAddsUp: Invariant = {
  id: 'p',
  promise: 'the counts of a report add up, and no route is called ready that has not answered within twice `every`',
  check: (run) =>
    collect('p', (blame) => {
      if (run.reports.length === 0) return;
      const index = indexRun(run);
      for (const each of index.probes) checkVerdict(run, each, blame);
      const proved = provedMoments(index);
      for (const seen of run.reports) {
        for (const model of seen.report.models) {
          checkCounts(model, blame);
          checkAsked(index, seen, model, blame);
          for (const route of model.routes) checkRoute(index, seen, route, proved.get(route.route) ?? [], blame);
        }
      }
    }),
};

/** Failures of a route's own, whatever a request has asked. */
const DECISIVE: ReadonlySet<Outcome> = new Set<Outcome>(['server_error', 'bad_gateway', 'connect_error']);

/** One failure of a probe is enough: its route is not taken for ready behind it. */
function checkVerdict(run: Run, { id, probe, attempts, ended, endedHealth }: ProbeCase, blame: Blame): void {
  const failure = attempts.at(-1)?.ended?.failure ?? null;
  if (failure === null || !DECISIVE.has(failure.outcome) || failure.component === 'gateway') return;
  if (ended === null || endedHealth === null || run.scenario.acts.length > 0 || run.scenario.stores.length > 0) return;
  const { state } = availability(endedHealth, probe.route, ended.at);
  if (state === 'ready') blame(id, `${probe.route.id} is ready behind a probe that ended as ${failure.outcome}`);
}

const STATES = ['ready', 'slow', 'deferred', 'rejected', 'postponed', 'unreached'] as const;

function checkCounts(report: ReportedModel, blame: Blame): void {
  const { model, candidates, probed, ready, slow, deferred, rejected, postponed, unreached, routes, escalations } =
    report;
  const wrong = (what: string): void => blame(null, `the report of ${model}: ${what}`);
  if (candidates !== probed + postponed + unreached)
    wrong(`${candidates} candidates are not ${probed} + ${postponed} + ${unreached}`);
  if (probed !== ready + slow + deferred + rejected)
    wrong(`${probed} probed are not ${ready} + ${slow} + ${deferred} + ${rejected}`);
  if (candidates !== routes.length) wrong(`${candidates} candidates, and ${routes.length} routes`);
  for (const state of STATES) {
    const count = routes.filter((route) => route.state === state).length;
    if (count !== report[state]) wrong(`${report[state]} are ${state}, and ${count} of its routes`);
  }
  if (escalations.used < 0 || escalations.used > escalations.budget)
    wrong(`${escalations.used} repeats of ${escalations.budget}`);
}

/** Attempts are the probes of the model's last round. */
function checkAsked(
  { run, probes }: RunIndex,
  { at }: SeenReport,
  { model, routes }: ReportedModel,
  blame: Blame,
): void {
  const place = run.rounds.findLastIndex((round) => round.models.includes(model) && round.at < at - HAIR_MS);
  if (place < 0 || run.rounds.some((round) => round.models.includes(model) && Math.abs(round.at - at) <= HAIR_MS))
    return;
  const own = probes.filter((each) => each.probe.round === place && kindOf(run, each) !== 'recovery');
  if (own.some((each) => kindOf(run, each) === null)) return;
  for (const { route, attempts } of routes) {
    const asked = own.filter(({ probe }) => probe.route.id === route);
    const least = asked.filter((each) => isSent(each) && each.probe.at < at - HAIR_MS).length;
    const most = asked.filter((each) => each.probe.at <= at + HAIR_MS).length;
    if (attempts < least || attempts > most)
      blame(null, `${route} was asked ${least} to ${most} times, and the report says ${attempts}`);
  }
}

/** Every so many times `every` what was seen is outdated. */
const WORTH = 2;

function checkRoute(
  { run }: RunIndex,
  { at }: SeenReport,
  { route, state }: ReportedRoute,
  proved: readonly number[],
  blame: Blame,
): void {
  if (state !== 'ready') return;
  const last = proved.findLast((moment) => moment <= at + HAIR_MS) ?? Number.NEGATIVE_INFINITY;
  if (last < at - WORTH * run.config.readiness.probe.everyMs - HAIR_MS) {
    blame(null, `${route} is called ready, and has not answered for so long`);
  }
}
