import { findClientKey, hasAdminToken } from './auth.ts';
import type { Exchange, Identity } from './exchange.ts';
import { findLoopbackProblem } from './loopback-rule.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Door } from './routes.ts';

export type Entry =
  | { readonly ok: true; readonly identity: Identity }
  | { readonly ok: false; readonly refused: Refusal };

export type Visit = Pick<Exchange, 'config' | 'headers' | 'method' | 'req'>;

const KEY_HINT = 'Send one of auth.keys in the header Authorization (as Bearer), x-api-key or x-goog-api-key.';

/** Whether this door opens, and for whom. */
export function enter(visit: Visit, door: Door): Entry {
  if (door === 'open') return { ok: true, identity: { key: null } };
  const { config, headers } = visit;
  const { auth } = config;
  if (door === 'admin') {
    if (auth.adminToken === null || auth.adminToken.isEmpty) return enterByLoopback(visit);
    if (hasAdminToken(config, headers)) return { ok: true, identity: { key: null } };
    const message =
      'The management API needs auth.adminToken of the configuration in the header Authorization (as Bearer).';
    return { ok: false, refused: unauthorised(message) };
  }
  const key = findClientKey(config, headers);
  if (key !== null) return { ok: true, identity: { key } };
  if (!auth.required) return enterByLoopback(visit);
  return { ok: false, refused: unauthorised(`No valid key. ${KEY_HINT}`) };
}

const unauthorised = (message: string): Refusal =>
  refuse('invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer realm="understudy"' } });

function enterByLoopback({ req, method, headers, config }: Visit): Entry {
  const problem = findLoopbackProblem({ peer: req.socket.remoteAddress, method, headers }, config.server);
  if (problem === null) return { ok: true, identity: { key: null } };
  return { ok: false, refused: refuse('forbidden', problem) };
}
