import { closestNames } from '../config/nearest.ts';
import { recordedName } from '../config/resolve.ts';
import { ASKED_KINDS } from '../core/attempt/ledger.ts';
import { OUTCOMES, type Outcome } from '../core/failure/outcome.ts';
import { OPERATOR_ACTIONS, type OperatorAction } from '../core/health/operator-action.ts';
import type { RequestQuery } from '../port/ledger-store.ts';
import { answerAudit, answerOverview, answerUsage } from './activity.ts';
import type { AUDIT_ACTIONS } from './activity-contract.ts';
import type { ConfigSection } from './config-editor.ts';
import {
  deleteEntry,
  listEntries,
  listVersions,
  namedVersion,
  putEntry,
  rollBack,
  showEntry,
} from './configuration.ts';
import type { TargetView } from './contract.ts';
import { viewExplanation } from './explanation-view.ts';
import { answerOpenApi } from './openapi/answer-openapi.ts';
import { answerPlan } from './plan.ts';
import { readKinds, readLimit, readSince } from './read-query.ts';
import { answerProbe, answerReadiness } from './readiness.ts';
import { viewReconciliation } from './reconciliation-view.ts';
import { summariseRequest, viewRequest } from './request-view.ts';
import { viewScopes } from './scope-view.ts';
import { answerSimulate } from './simulate.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Each group is one percent-encoded id. */
  readonly path: RegExp;
  /** What is kept of it: it changes something. */
  readonly audit?: (typeof AUDIT_ACTIONS)[number];
  /** What it is done to, where no id of the path says so. */
  readonly subjectOf?: (request: ManagementRequest) => string | null;
  readonly run: (
    ids: readonly string[],
    request: ManagementRequest,
    ports: ManagementPorts,
  ) => Promise<ManagementAnswer> | ManagementAnswer;
};

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
  ...OPERATOR_ACTIONS.map((action) => ({
    method: 'POST' as const,
    path: new RegExp(`^/targets/(.+)/(?:${action})$`),
    audit: `target_${action}` as const,
    run: operate(action),
  })),
  { method: 'GET', path: /^\/targets\/(.+)$/, run: showTarget },
  { method: 'GET', path: /^\/readiness$/, run: answerReadiness },
  { method: 'POST', path: /^\/readiness\/probe$/, audit: 'probe', run: answerProbe },
  { method: 'POST', path: /^\/plan$/, run: answerPlan },
  { method: 'POST', path: /^\/simulate$/, run: answerSimulate },
  { method: 'GET', path: /^\/reconcile$/, run: reconcile },
  { method: 'GET', path: /^\/overview$/, run: answerOverview },
  { method: 'GET', path: /^\/usage$/, run: answerUsage },
  { method: 'GET', path: /^\/audit$/, run: answerAudit },
  ...entryOperations('models', 'model'),
  ...entryOperations('providers', 'provider'),
  { method: 'GET', path: /^\/config\/versions$/, run: listVersions },
  {
    method: 'POST',
    path: /^\/config\/rollback$/,
    audit: 'config_rollback',
    subjectOf: namedVersion,
    run: rollBack,
  },
  { method: 'GET', path: /^\/openapi\.json$/, run: answerOpenApi },
];

function entryOperations(section: ConfigSection, one: 'model' | 'provider'): readonly Operation[] {
  const path = new RegExp(`^/${section}/(.+)$`);
  return [
    { method: 'GET', path: new RegExp(`^/${section}$`), run: listEntries(section) },
    { method: 'GET', path, run: showEntry(section) },
    { method: 'PUT', path, audit: `${one}_put`, run: putEntry(section) },
    { method: 'DELETE', path, audit: `${one}_delete`, run: deleteEntry(section) },
  ];
}

const scopesNow = ({ config }: ManagementRequest, { health, clock }: ManagementPorts) =>
  viewScopes(health.snapshot(), config, clock.now());

async function listRequests(
  _ids: readonly string[],
  { query, config }: ManagementRequest,
  { ledger }: ManagementPorts,
): Promise<ManagementAnswer> {
  const read = readQuery(query, config);
  if (typeof read === 'string') return problem(400, 'invalid_request_error', read);
  const attempts = query.get('attempts');
  if (attempts !== null && attempts !== '1')
    return problem(400, 'invalid_request_error', 'attempts is 1, or left out.');
  const page = await ledger.list(read);
  return ok({ data: page.data.map(attempts === null ? summariseRequest : viewRequest), next: page.next });
}

/** The filters of a list, or what is wrong with them. */
function readQuery(query: URLSearchParams, config: ManagementRequest['config']): RequestQuery | string {
  const limit = readLimit(query);
  if (typeof limit === 'string') return limit;
  const outcome = query.get('outcome');
  if (outcome !== null && !OUTCOMES.includes(outcome as Outcome)) return noOutcome(outcome);
  const kinds = readKinds(query, ASKED_KINDS);
  if (typeof kinds === 'string') return kinds;
  const since = readSince(query);
  if (typeof since === 'string') return since;
  const texts = ['model', 'target', 'key', 'cursor'] as const;
  const given = texts.flatMap((name) => {
    const value = query.get(name);
    if (value === null || value === '') return [];
    return [[name, name === 'model' ? recordedName(config, value) : value]];
  });
  return {
    ...Object.fromEntries(given),
    ...(outcome === null ? {} : { outcome: outcome as Outcome }),
    ...(since === undefined ? {} : { since }),
    ...(kinds === null ? {} : { kinds }),
    limit,
  };
}

/** Nobody reads fifty words: the nearest, and where all of them stand. */
function noOutcome(word: string): string {
  const near = closestNames(word, OUTCOMES, 3).join(', ');
  return `There is no outcome ${shown(word)}. The nearest: ${near}. All of them: docs/errors.md, "Outcome words".`;
}

/** The conservation check over what began since; over everything where no time is named. */
async function reconcile(
  _ids: readonly string[],
  { query }: ManagementRequest,
  { ledger }: ManagementPorts,
): Promise<ManagementAnswer> {
  const since = readSince(query);
  if (typeof since === 'string') return problem(400, 'invalid_request_error', since);
  return ok(viewReconciliation(await ledger.reconcile(since ?? 0), since ?? null));
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

function operate(action: OperatorAction): Operation['run'] {
  return ([id = ''], request, ports) => {
    if (!ports.health.operate(action, id, ports.clock.now())) return noScope(id);
    return showTarget([id], request, ports);
  };
}
