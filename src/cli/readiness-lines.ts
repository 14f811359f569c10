import type { ReadinessReport, ReportedModel, ReportedRoute } from '../core/readiness/report.ts';
import { proseOut } from './prose.ts';
import { renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { countOf, formatDuration, formatUntil, styleOf } from './words.ts';

/** A slow route serves as well. */
export const canServe = ({ ready, slow }: ReportedModel): boolean => ready + slow > 0;

/** So many unreached routes of a model are named; the others are a number. */
const FEW_UNREACHED = 3;

/** A report for people: a table for each model with a line of counts that add up, then who can serve. */
export function renderReadiness(terminal: Terminal, report: ReadinessReport, now: number, showsAll: boolean): string {
  if (report.models.length === 0) return 'There are no models: clients name targets as provider/model.';
  return [
    ...report.models.map((model) => renderModel(terminal, model, now, showsAll)),
    [...tellFailedLists(terminal, report), summarise(terminal, report.models)].join('\n'),
  ].join('\n\n');
}

function renderModel(terminal: Terminal, model: ReportedModel, now: number, showsAll: boolean): string {
  const head = `${terminal.paint('bold', model.model)}  ${renderCounts(terminal, model)}`;
  const span = terminal.paint('dim', tellSpan(model));
  const warnings = model.warnings.map((text) => proseOut(terminal, `${terminal.paint('yellow', '!')} ${text}`));
  const table = model.routes.length === 0 ? [] : [renderRoutes(terminal, model.routes, now, showsAll)];
  return [proseOut(terminal, head), proseOut(terminal, span), ...warnings, ...table].join('\n');
}

const STATES = ['ready', 'slow', 'deferred', 'rejected', 'postponed', 'unreached'] as const;

/** "12 candidates: 1 ready + 7 deferred + 4 rejected". */
function renderCounts(terminal: Terminal, model: ReportedModel): string {
  const counts = STATES.filter((state) => model[state] > 0 || state === 'ready').map((state) =>
    terminal.paint(model[state] > 0 ? styleOf(state) : 'red', `${model[state]} ${state}`),
  );
  const total = countOf(model.candidates, 'candidate');
  return model.candidates === 0 ? terminal.paint('red', 'no candidates') : `${total} = ${counts.join(' + ')}`;
}

/** What the round cost, and over how much the pool spans. */
function tellSpan(model: ReportedModel): string {
  const probes = model.routes.reduce((sum, { attempts }) => sum + attempts, 0);
  const { used, denied } = model.escalations;
  const took = model.stages.reduce((sum, { ms }) => sum + ms, 0);
  const early = model.stages.find(({ end }) => EARLY[end] !== undefined);
  return [
    `${countOf(probes, 'probe')}${took > 0 ? ` in ${formatDuration(took)}` : ''}`,
    ...(used > 0 ? [`${used} repeated with more tokens`] : []),
    ...(denied > 0 ? [`${countOf(denied, 'repeat')} denied`] : []),
    ...(early === undefined ? [] : [EARLY[early.end] ?? '']),
    countOf(model.endpoints, 'endpoint'),
    countOf(model.credentials, 'credential'),
  ].join(' · ');
}

const EARLY: { readonly [word: string]: string } = {
  target_ready: 'enough are ready',
  max_probes: 'as many as maxProbes allows',
  max_tokens: 'as much as maxTokens allows',
  max_time: 'as long as maxTime allows',
  stopped: 'stopped',
};

/** On fewer columns than these a latency stands among the reasons. */
const ROOMY = 100;

function renderRoutes(terminal: Terminal, all: readonly ReportedRoute[], now: number, showsAll: boolean): string {
  const ordered = orderOfService(all);
  const unreached = ordered.filter(({ state }) => state === 'unreached');
  const folded = showsAll || unreached.length <= FEW_UNREACHED ? [] : unreached.slice(FEW_UNREACHED);
  const isNarrow = terminal.isInteractive && terminal.columns < ROOMY;
  const columns = [
    { title: 'route' },
    { title: 'tier', align: 'right' as const, drop: 1 },
    { title: 'state' },
    ...(isNarrow ? [] : [{ title: 'latency', align: 'right' as const, drop: 2 }]),
    { title: 'next check' },
    { title: 'why', fit: 'wrap' as const },
  ];
  const rows = ordered
    .filter((route) => !folded.includes(route))
    .map((route) => [
      route.route,
      String(route.tier),
      terminal.paint(styleOf(route.state), route.state),
      ...(isNarrow ? [] : [formatDuration(route.latency_ms ?? null)]),
      tellNext(route, now),
      tellWhy(route, isNarrow),
    ]);
  const more = folded.length === 0 ? '' : `\n${terminal.paint('dim', `… and ${folded.length} more unreached: --all`)}`;
  return `${renderTable(terminal, columns, rows)}${more}`;
}

/** What is only put off has its turn once its time is over; what is refused may have none. */
function tellNext({ state, next_check_at: at }: ReportedRoute, now: number): string {
  const isDue = state === 'deferred' && (at === null || Date.parse(at) <= now);
  return isDue ? 'now' : formatUntil(at, now);
}

const RANKS: Readonly<Record<ReportedRoute['state'], number>> = {
  ready: 0,
  slow: 1,
  unreached: 2,
  postponed: 2,
  deferred: 3,
  rejected: 4,
};

/** Tiers are hard; within one the ready ones first, those that are out by their return. */
export function orderOfService(routes: readonly ReportedRoute[]): readonly ReportedRoute[] {
  const back = ({ next_check_at: at }: ReportedRoute): number => (at === null ? Number.MAX_VALUE : Date.parse(at));
  return routes.toSorted((a, b) => {
    const [one, other] = [RANKS[a.state], RANKS[b.state]];
    const isOut = one === other && one >= RANKS.deferred;
    return a.tier - b.tier || one - other || (isOut ? back(a) - back(b) : 0);
  });
}

function tellWhy(route: ReportedRoute, withLatency: boolean): string {
  const { reason, http_status: status, escalated, attempts, age_ms: age, latency_ms: latency } = route;
  const words = [
    ...(withLatency && latency !== undefined && RANKS[route.state] < RANKS.unreached
      ? [`answered in ${formatDuration(latency)}`]
      : []),
    ...(reason === null ? [] : [status === undefined ? reason : `${reason} (${status})`]),
    ...(escalated ? ['asked again with more tokens'] : []),
    ...(attempts === 0 && age !== null ? [`seen ${formatDuration(age)} ago`] : []),
  ];
  return words.join(', ');
}

const tellFailedLists = (terminal: Terminal, { providers }: ReadinessReport): readonly string[] =>
  providers.flatMap(({ provider, error }) =>
    error === undefined
      ? []
      : [proseOut(terminal, `${terminal.paint('yellow', '!')} ${provider} gave no list: ${error}`)],
  );

function summarise(terminal: Terminal, models: readonly ReportedModel[]): string {
  const without = models.filter((model) => !canServe(model)).map(({ model }) => model);
  if (without.length === 0) {
    const [only] = models;
    const who = models.length === 1 && only !== undefined ? `${only.model} has` : `All ${models.length} models have`;
    return terminal.paint('green', `${who} a route that can serve.`);
  }
  const rest = models.length - without.length;
  const others =
    rest === 0 ? '' : ` ${rest === 1 ? 'The other model has' : `The other ${rest} models have`} a route that can.`;
  return proseOut(
    terminal,
    `${terminal.paint(['bold', 'red'], `Nobody can serve ${without.join(', ')} now.`)}${others}`,
  );
}
