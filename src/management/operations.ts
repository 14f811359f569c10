import { OUTCOMES, type Outcome } from '../core/failure/outcome.ts';
import type { RequestQuery } from '../port/ledger-store.ts';
import type { TargetView } from './contract.ts';
import { viewExplanation } from './explanation-view.ts';
import { answerPlan } from './plan.ts';
import { summariseRequest, viewRequest } from './request-view.ts';
import { viewScopes } from './scope-view.ts';
import { parseTime } from './time.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

export type Operation = {
  readonly method: 'GET' | 'POST';
  /** Each group is one percent-encoded id. */
  readonly path: RegExp;
  readonly run: (
    ids: readonly string[],
    request: ManagementRequest,
    ports: ManagementPorts,
  ) => Promise<ManagementAnswer> | ManagementAnswer;
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

const ok = (body: unknown): ManagementAnswer => ({ ok: true, body });
const shown = (id: string | undefined): string => JSON.stringify((id ?? '').slice(0, 200));

/** What the API can do, one row each. */
export const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: /^\/requests$/, run: listRequests },
  {
    method: 'GET',
    path: /^\/requests\/([^/]+)$/,
    run: async ([id = ''], _request, { ledger }) => {
      const found = await ledger.get(id);
      return found
        ? ok(viewRequest(found))
        : notFound(`There is no request ${shown(id)}: it is unknown, or older than what is kept.`);
    },
  },
  {
    method: 'GET',
    path: /^\/requests\/([^/]+)\/explain$/,
    run: async ([id = ''], _request, { ledger }) => {
      const found = await ledger.get(id);
      return found
        ? ok(viewExplanation(found))
        : notFound(`There is no request ${shown(id)}: it is unknown, or older than what is kept.`);
    },
  },
  {
    method: 'GET',
    path: /^\/targets$/,
    run: (_ids, request, ports) => ok({ data: scopesNow(request, ports), next: null }),
  },
  { method: 'POST', path: /^\/targets\/(.+)\/(?:reset)$/, run: operate('reset') },
  { method: 'POST', path: /^\/targets\/(.+)\/(?:disable)$/, run: operate('disable') },
  { method: 'POST', path: /^\/targets\/(.+)\/(?:enable)$/, run: operate('enable') },
  { method: 'GET', path: /^\/targets\/(.+)$/, run: showTarget },
  { method: 'POST', path: /^\/plan$/, run: answerPlan },
];

const scopesNow = ({ config }: ManagementRequest, { health, clock }: ManagementPorts) =>
  viewScopes(health.snapshot(), config, clock.now());

async function listRequests(
  _ids: readonly string[],
  { query }: ManagementRequest,
  { ledger }: ManagementPorts,
): Promise<ManagementAnswer> {
  const read = readQuery(query);
  if (typeof read === 'string') return problem(400, 'invalid_request_error', read);
  const page = await ledger.list(read);
  return ok({ data: page.data.map(summariseRequest), next: page.next });
}

/** The filters of a list, or what is wrong with them. */
function readQuery(query: URLSearchParams): RequestQuery | string {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) return 'limit is a whole number from 1.';
  const outcome = query.get('outcome');
  if (outcome !== null && !OUTCOMES.includes(outcome as Outcome)) return `outcome is one of ${OUTCOMES.join(', ')}.`;
  const sinceText = query.get('since');
  const since = sinceText === null ? undefined : parseTime(sinceText);
  if (sinceText !== null && since === undefined) return 'since is a time, such as 2026-01-31T12:00:00Z.';
  const texts = ['model', 'target', 'key', 'cursor'] as const;
  const given = texts.flatMap((name) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(given),
    ...(outcome === null ? {} : { outcome: outcome as Outcome }),
    ...(since === undefined ? {} : { since }),
    limit: Math.min(limit, MAX_LIMIT),
  };
}

/** The scope of that id; for a target, the routes that lead to it. */
function showTarget(
  [id = '']: readonly string[],
  request: ManagementRequest,
  ports: ManagementPorts,
): ManagementAnswer {
  const scopes = scopesNow(request, ports);
  const exact = scopes.find((scope) => scope.id === id);
  if (exact !== undefined) return ok(exact);
  const routes = scopes.filter((scope) => scope.kind === 'route' && scope.target === id);
  return routes.length === 0 ? noScope(id) : ok({ kind: 'target', id, routes } satisfies TargetView);
}

const noScope = (id: string): ManagementAnswer =>
  notFound(`There is no target, route, credential or endpoint ${shown(id)}: GET /api/v1/targets lists them.`);

function operate(action: 'reset' | 'disable' | 'enable'): Operation['run'] {
  return ([id = ''], request, ports) => {
    if (!ports.health.operate(action, id, ports.clock.now())) return noScope(id);
    return showTarget([id], request, ports);
  };
}
