import type {
  AttemptView,
  CandidateView,
  ExplanationView,
  RequestList,
  RequestView,
} from '../../management/contract.ts';
import { whyOf } from '../candidate-words.ts';
import { ownCommand } from '../command-name.ts';
import { servedBy, tellReason } from '../ending-words.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { foldForeign, renderForeign, renderRemedy } from '../foreign-routes.ts';
import { askGateway, type Gateway } from '../gateway-client.ts';
import { proseOut } from '../prose.ts';
import { renderTable, wrapLines } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { formatClock, formatDuration, kindWords, styleOf } from '../words.ts';

export type ExplainOptions = { readonly json?: boolean; readonly all?: boolean };

/** Tells the story of one request: who was tried, who was left out and why. `last` is the newest one. */
export async function explainRequest(
  terminal: Terminal,
  gateway: Gateway,
  id: string,
  options: ExplainOptions,
): Promise<void> {
  const real = id === 'last' ? await newestId(gateway) : await wholeId(gateway, id);
  const path = `/requests/${encodeURIComponent(real)}`;
  const onMissing = `See which there are: ${ownCommand()} requests. The newest one: ${ownCommand()} explain last.`;
  const request = (await askGateway(gateway, path, { onMissing })) as RequestView;
  const explanation = (await askGateway(gateway, `${path}/explain`, { onMissing })) as ExplanationView;
  if (options.json) terminal.out(JSON.stringify({ request, explanation }, null, 2));
  else terminal.out(renderStory(terminal, request, explanation, options.all ?? false));
}

const WHOLE_ID = /^req_[0-9A-Z]{26}$/;
const LOOKED_THROUGH = 500;

/** The end of an id stands for it, as far as it is the only one of the newest requests that ends so. */
async function wholeId(gateway: Gateway, id: string): Promise<string> {
  if (WHOLE_ID.test(id)) return id;
  const end = id.replace(/^…/, '').toUpperCase();
  const list = (await askGateway(gateway, `/requests?limit=${LOOKED_THROUGH}`)) as RequestList;
  const found = list.data.filter((request) => request.id.endsWith(end));
  if (found.length <= 1) return found[0]?.id ?? id;
  throw new CommandError(EXIT.wrongUse, `${found.length} requests end in ${end}: give more of the id.`);
}

async function newestId(gateway: Gateway): Promise<string> {
  const list = (await askGateway(gateway, '/requests?limit=1')) as RequestList;
  const id = list.data[0]?.id;
  if (id === undefined) {
    const next = 'Send one first: POST /v1/chat/completions, or point a client at';
    throw new CommandError(EXIT.checkFailed, `No requests yet. ${next} ${gateway.url}/v1.`);
  }
  return id;
}

export function renderStory(
  terminal: Terminal,
  request: RequestView,
  explanation: ExplanationView,
  showsAll: boolean,
): string {
  return [
    // Where the whole story is one sentence, that has the reason too.
    renderHead(terminal, request, explanation.message === null ? tellReason(request) : null),
    ...(explanation.message === null ? [] : [wrapLines(terminal, explanation.message)]),
    ...(request.attempts.length === 0 ? [] : [renderAttempts(terminal, request.attempts)]),
    ...renderPlans(terminal, explanation, request, !showsAll),
  ].join('\n\n');
}

function renderHead(terminal: Terminal, request: RequestView, because: string | null): string {
  const word = terminal.paint(['bold', ...[styleOf(request.outcome)].flat()], request.outcome ?? 'running');
  const served = request.served_by === null ? '' : `${servedBy(request)}${terminal.paint('bold', request.served_by)}`;
  const facts = [
    formatClock(request.started_at),
    askedFor(terminal, request),
    kindWords(request) ?? (request.stream ? 'stream' : 'JSON'),
    ...(request.key === null ? [] : [`key ${request.key}`]),
    ...(request.status === null ? [] : [`told ${request.status}`]),
    formatDuration(request.duration_ms),
  ];
  return [
    `${terminal.paint('dim', request.id)}  ${word}${served}`,
    proseOut(terminal, facts.join(terminal.paint('dim', ' · '))),
    ...(because === null ? [] : [`${terminal.paint('dim', 'because')} ${wrapLines(terminal, because, ' '.repeat(8))}`]),
    ...renderUsage(request),
    ...(request.edits.length === 0 ? [] : [`${terminal.paint('dim', 'edited')} ${request.edits.join(', ')}`]),
    ...(request.client_retry_of === null ? [] : [`${terminal.paint('dim', 'retry of')} ${request.client_retry_of}`]),
  ].join('\n');
}

/** By the name that the client used; what the configuration made of it is told where that is another. */
function askedFor(terminal: Terminal, { asked, model }: RequestView): string {
  const name = asked ?? model ?? 'no model';
  const means = model === null || model === name ? '' : `, which means ${model}`;
  return `asked for ${terminal.paint('bold', name)}${means}`;
}

function renderUsage({ usage }: RequestView): readonly string[] {
  if (usage === null || usage.source === 'unknown') return [];
  const cached = usage.cached_tokens ? `, ${usage.cached_tokens} of them cached` : '';
  return [`${usage.input_tokens ?? '?'} tokens in${cached}, ${usage.output_tokens ?? '?'} out (${usage.source})`];
}

function renderAttempts(terminal: Terminal, attempts: readonly AttemptView[]): string {
  const columns = [
    { title: '#', align: 'right' as const },
    { title: 'target', fit: 'cut' as const },
    { title: 'outcome' },
    { title: 'status', align: 'right' as const, drop: 2 },
    { title: 'from', align: 'right' as const, drop: 3 },
    { title: 'first output', align: 'right' as const, drop: 1 },
    { title: 'to', align: 'right' as const, drop: 4 },
    { title: 'why, and how it ended', fit: 'wrap' as const },
  ];
  const rows = attempts.map((attempt) => [
    String(attempt.n),
    attempt.credential === 'default' ? attempt.target : `${attempt.target}#${attempt.credential}`,
    terminal.paint(styleOf(attempt.outcome), attempt.outcome ?? 'running'),
    String(attempt.status ?? '–'),
    formatDuration(attempt.started_ms),
    formatDuration(attempt.first_output_ms),
    formatDuration(attempt.ended_ms),
    attempt.reason === null ? attempt.why : `${attempt.why}; ${attempt.reason}`,
  ]);
  return renderTable(terminal, columns, rows);
}

/** A plan that is as the one before it is no news. `folds`: routes of other protocols are put into one line. */
function renderPlans(
  terminal: Terminal,
  { plans }: ExplanationView,
  { model, protocol }: RequestView,
  folds: boolean,
): readonly string[] {
  const rows = (plan: Plan | undefined) =>
    plan === undefined ? '' : JSON.stringify(plan.candidates.map((candidate) => candidateRow(terminal, candidate)));
  return plans
    .filter((plan, i) => plan.candidates.length > 0 && rows(plan) !== rows(plans[i - 1]))
    .map((plan) => {
      const when = plan.attempt === null ? 'The plan' : `The plan that attempt ${plan.attempt} saw`;
      const { shown, foreign } = foldForeign(plan.candidates, folds);
      const table = renderTable(
        terminal,
        PLAN_COLUMNS,
        shown.map((candidate) => candidateRow(terminal, candidate)),
      );
      const parts = shown.length === 0 ? [] : [table];
      return [
        terminal.paint('bold', when),
        ...parts,
        ...renderForeign(terminal, foreign),
        ...renderRemedy(terminal, plan.candidates, { model: model ?? '', protocol, missing: plan.missing }),
      ].join('\n');
    });
}

type Plan = ExplanationView['plans'][number];

const PLAN_COLUMNS = [
  { title: 'rank', align: 'right' as const },
  { title: 'route' },
  { title: 'tier', align: 'right' as const, drop: 1 },
  { title: 'state' },
  { title: 'why', fit: 'wrap' as const },
];

function candidateRow(terminal: Terminal, candidate: CandidateView): readonly string[] {
  const { state } = candidate.availability;
  return [
    candidate.rank === null ? '–' : String(candidate.rank),
    candidate.rank === null ? terminal.paint('dim', candidate.route) : candidate.route,
    String(candidate.tier),
    terminal.paint(styleOf(state), state),
    whyOf(candidate),
  ];
}
