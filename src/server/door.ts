import { findClientKey, hasAdminToken } from './auth.ts';
import type { Exchange, Identity } from './exchange.ts';
import { findLoopbackProblem } from './loopback-rule.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Door } from './routes.ts';
import { findForeignPage } from './session/foreign-page.ts';
import type { SessionStore } from './session/session-store.ts';

export type Entry =
  | { readonly ok: true; readonly identity: Identity }
  | { readonly ok: false; readonly refused: Refusal };

export type Visit = Pick<Exchange, 'config' | 'headers' | 'method' | 'req'>;

const KEY_HINT = 'Send one of auth.keys in the header Authorization (as Bearer), x-api-key or x-goog-api-key.';

/** Whether this door opens, and for whom. */
export function enter(visit: Visit, door: Door, sessions?: Pick<SessionStore, 'find'>): Entry {
  if (door === 'open') return { ok: true, identity: { key: null } };
  if (door === 'admin') return enterAsAdmin(visit, sessions);
  const { config, headers } = visit;
  const { auth } = config;
  const key = findClientKey(config, headers);
  if (key !== null) return { ok: true, identity: { key } };
  if (!auth.required) return enterByLoopback(visit);
  return { ok: false, refused: unauthorised(`No valid key. ${KEY_HINT}`) };
}

/** With the token, with the cookie of a browser that gave it, or where there is none, as the user of this machine. */
function enterAsAdmin(visit: Visit, sessions: Pick<SessionStore, 'find'> | undefined): Entry {
  const { config, headers, method } = visit;
  const { adminToken } = config.auth;
  if (adminToken === null || adminToken.isEmpty) return enterByLoopback(visit);
  if (hasAdminToken(config, headers)) return { ok: true, identity: { key: null, by: 'token' } };
  if ((sessions?.find(headers, config) ?? null) !== null) {
    const foreign = findForeignPage(method, headers);
    if (foreign === null) return { ok: true, identity: { key: null, by: 'session' } };
    return { ok: false, refused: refuse('forbidden', foreign) };
  }
  const message =
    'The management API needs auth.adminToken of the configuration in the header Authorization (as Bearer).';
  return { ok: false, refused: unauthorised(message) };
}

const unauthorised = (message: string): Refusal =>
  refuse('invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer realm="understudy"' } });

function enterByLoopback({ req, method, headers, config }: Visit): Entry {
  const problem = findLoopbackProblem({ peer: req.socket.remoteAddress, method, headers }, config.server);
  if (problem === null) return { ok: true, identity: { key: null, by: 'local' } };
  return { ok: false, refused: refuse('forbidden', problem) };
}
