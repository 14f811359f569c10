import { sessionBody } from '../../management/activity-contract.ts';
import type { SessionView } from '../../management/contract.ts';
import type { AuditBy } from '../../port/audit-log.ts';
import { answerJson } from '../answer.ts';
import { isAdminToken } from '../auth.ts';
import { clientAddress } from '../client-address.ts';
import type { ServerContext } from '../context.ts';
import { enter } from '../door.ts';
import type { Exchange } from '../exchange.ts';
import type { Entered, Outcome } from '../handlers.ts';
import { readManagementBody } from '../read-management-body.ts';
import { refuse } from '../refusal.ts';
import { findForeignPage } from './foreign-page.ts';
import { sessionCookie } from './session-store.ts';

/** `/api/v1/session`: whether a page may ask, its log-in, and its log-out. */
export function answerSession(
  exchange: Exchange,
  _entered: Entered,
  context: ServerContext,
): Promise<Outcome> | Outcome {
  if (exchange.method === 'POST') return logIn(exchange, context);
  return exchange.method === 'DELETE' ? logOut(exchange, context) : tellSession(exchange, context);
}

const say = (exchange: Exchange, context: ServerContext, view: SessionView, cookie?: string): null => {
  const headers = cookie === undefined ? {} : { 'set-cookie': cookie };
  answerJson(exchange, 200, view, { isLast: context.phase() !== 'open', headers });
  return null;
};

function tellSession(exchange: Exchange, context: ServerContext): null {
  const { config, headers } = exchange;
  const expiresAt = context.sessions.find(headers, config)?.expiresAt ?? null;
  return say(exchange, context, {
    entered: enter(exchange, 'admin', context.sessions).ok,
    needs_token: hasToken(exchange),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  });
}

const hasToken = ({ config }: Exchange): boolean => config.auth.adminToken !== null && !config.auth.adminToken.isEmpty;

async function logIn(exchange: Exchange, context: ServerContext): Promise<Outcome> {
  const { config, headers } = exchange;
  if (!hasToken(exchange)) {
    const message = 'There is no admin token to log in with (auth.adminToken): on this machine nobody needs one.';
    return refuse('invalid_request_error', message);
  }
  if (findForeignPage('GET', headers) !== null) {
    return refuse('forbidden', 'Another page may not log in here.');
  }
  const waitMs = context.logIns.enter(clientAddress(exchange) ?? '');
  if (waitMs !== null) {
    record(exchange, context, { action: 'log_in', status: 429, by: 'none' });
    const seconds = String(Math.ceil(waitMs / 1000));
    return refuse('rate_limit_exceeded', 'Too many log-ins: wait a minute.', { headers: { 'retry-after': seconds } });
  }
  const read = await readManagementBody(exchange, context);
  if (!read.ok) return read.refused;
  const body = sessionBody.safeParse(parse(read.bytes));
  if (!body.success) return refuse('invalid_request_error', 'The body is {"token": the admin token}.');
  if (!isAdminToken(config, body.data.token)) {
    record(exchange, context, { action: 'log_in', status: 401, by: 'none' });
    return refuse('invalid_api_key', 'This is not auth.adminToken of the configuration.');
  }
  const { id, session } = context.sessions.open(config);
  record(exchange, context, { action: 'log_in', status: 200, by: 'session' });
  const view = { entered: true, needs_token: true, expires_at: new Date(session.expiresAt).toISOString() };
  return say(exchange, context, view, sessionCookie(id, { isSecure: config.server.tls !== null }));
}

function logOut(exchange: Exchange, context: ServerContext): Outcome {
  const { config, headers } = exchange;
  if (context.sessions.find(headers, config) !== null) {
    const foreign = findForeignPage('DELETE', headers);
    if (foreign !== null) return refuse('forbidden', foreign);
    context.sessions.close(headers);
    record(exchange, context, { action: 'log_out', status: 200, by: 'session' });
  }
  const view = { entered: !hasToken(exchange), needs_token: hasToken(exchange), expires_at: null };
  return say(exchange, context, view, sessionCookie('', { isSecure: config.server.tls !== null }));
}

function record(
  exchange: Exchange,
  { audit, clock }: ServerContext,
  { action, status, by }: { readonly action: 'log_in' | 'log_out'; readonly status: number; readonly by: AuditBy },
): void {
  const result = status === 200 ? 'done' : 'refused';
  const address = clientAddress(exchange);
  audit?.add({ at: clock.now(), action, subject: null, result, status, by, address, request: exchange.id });
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
