import type { ReportedModel, ReportedRoute } from '../../core/readiness/report.ts';
import type { SeenReport } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { HAIR_MS, indexRun, type RunIndex } from './index-run.ts';
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
  { run, byRoute }: RunIndex,
  { at }: SeenReport,
  { route, state }: ReportedRoute,
  proved: readonly number[],
  blame: Blame,
): void {
  if (state !== 'ready') return;
  const last = proved.findLast((moment) => moment <= at + HAIR_MS) ?? Number.NEGATIVE_INFINITY;
  if (last < at - WORTH * run.config.readiness.probe.everyMs - HAIR_MS) {
    blame(null, `${route} is called ready, and has not answered for so long`);
    return;
  }
  if (run.scenario.acts.length > 0 || run.scenario.stores.length > 0) return;
  // One definite failure of a probe is enough.
  const isFresh = (moment: number): boolean => moment > last && moment < at - HAIR_MS;
  const failed = byRoute.get(route)?.findLast(({ ended }) => ended !== null && isFresh(ended.at));
  if (failed?.started.request.startsWith('prb_') === true && failed.ended?.failure?.outcome === 'server_error')
    blame(null, `${route} is called ready, and its last probe has failed`);
}
