import type { RequestKind } from '../core/attempt/ledger.ts';
import { answer, answerProblem, encodeServerError } from './answer.ts';
import type { ServerContext } from './context.ts';
import { preflightHeaders } from './cors.ts';
import { answerStranger } from './dashboard/answer-dashboard.ts';
import { enter } from './door.ts';
import type { Exchange, Identity } from './exchange.ts';
import { HANDLERS, type Outcome } from './handlers.ts';
import { clientRequestId, forwardedHeaders } from './headers.ts';
import { hintFor } from './path-hints.ts';
import { discardBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { FoundRoute, RouteRow } from './routes.ts';

/** Serves one request, whatever it asks for, and answers it in any case. */
export async function dispatch(exchange: Exchange, found: FoundRoute, context: ServerContext): Promise<void> {
  if (exchange.method === 'OPTIONS' && found.kind !== 'none') return preflight(exchange, found, context);
  if (found.kind === 'none' && (await answerStranger(exchange, context))) return;
  if (found.kind === 'none') return sayNo(exchange, null, null, noSuchPath(exchange), context);
  if (found.kind === 'method') return sayNo(exchange, found.row, null, wrongMethod(exchange, found.allow), context);
  const { row, rest } = found;
  const entry = enter(exchange, row.door, context.sessions);
  if (!entry.ok) return sayNo(exchange, row, null, entry.refused, context);
  const outcome = await HANDLERS[row.name](exchange, { row, rest, identity: entry.identity }, context);
  if (outcome !== null) sayNo(exchange, row, entry.identity, outcome, context);
}

const noSuchPath = ({ method, path }: Exchange): Refusal =>
  refuse('not_found', `There is nothing at ${method.slice(0, 20)} ${path.slice(0, 100)}. ${hintFor(path)}`);

const wrongMethod = ({ method, path }: Exchange, allow: readonly string[]): Refusal =>
  refuse('method_not_allowed', `${path.slice(0, 200)} does not take ${method.slice(0, 20)}, but ${allow.join(', ')}.`, {
    headers: { allow: allow.join(', ') },
  });

function preflight(exchange: Exchange, found: Exclude<FoundRoute, { kind: 'none' }>, context: ServerContext): void {
  const methods = found.kind === 'method' ? found.allow : found.row.methods;
  const headers = preflightHeaders(exchange.headers, methods, exchange.config.server);
  if (headers !== null) {
    answer(exchange, 204, headers, new Uint8Array(), context.phase() !== 'open');
    return;
  }
  const isPreflight = exchange.headers['access-control-request-method'] !== undefined;
  const refusal = isPreflight
    ? refuse('forbidden', 'Web pages may call when their origin stands in server.cors of the configuration.')
    : wrongMethod(exchange, methods);
  sayNo(exchange, found.row, null, refusal, context);
}

/** Tells the client no, in its own protocol, and puts it on record where the route wants that. */
export function sayNo(
  exchange: Exchange,
  row: RouteRow | null,
  identity: Identity | null,
  refused: NonNullable<Outcome>,
  context: ServerContext,
): void {
  const { headers } = refused;
  const error = { ...refused.error, message: context.clean.text(refused.error.message) };
  const encoded = encodeServerError(exchange.protocol, error, exchange.id);
  if (row?.isRecorded) recordRefusal(exchange, identity, { ...refused, ...kindOf(row) }, encoded.status, context);
  if (refused.isGone) {
    exchange.res.destroy();
    return;
  }
  // Node closes the connection of a client that still waits for "100 Continue": it may never send the body.
  const isLast = context.phase() !== 'open';
  if (row?.door === 'admin' || row?.name === 'session') answerProblem(exchange, error, headers, isLast);
  else answer(exchange, encoded.status, { ...encoded.headers, ...headers }, encoded.body, isLast);
  if (!isLast) discardBody(exchange.req, context.clock);
}

const kindOf = ({ name }: RouteRow): { readonly kind?: RequestKind } =>
  name === 'count' || name === 'compact' ? { kind: name } : {};

/** A request that was refused here stands in the ledger, too. */
export function recordRefusal(
  { id, receivedAt, protocol, headers }: Pick<Exchange, 'id' | 'receivedAt' | 'protocol' | 'headers'>,
  identity: Identity | null,
  { error, model = '', stream = false, kind }: NonNullable<Outcome> & { readonly kind?: RequestKind },
  status: number,
  context: ServerContext,
): void {
  const { component, reason } = error;
  context.engine.reject({
    id,
    receivedAt,
    protocol,
    model: context.clean.name(model),
    stream,
    ...(kind === undefined ? {} : { kind }),
    key: identity?.key?.name ?? null,
    clientRequestId: clientRequestId(headers, context.clean.name),
    forward: forwardedHeaders(headers),
    status,
    component: component === 'gateway' || component === 'policy' ? component : 'client',
    reason,
  });
}
