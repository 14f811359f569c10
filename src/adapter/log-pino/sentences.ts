import type { Fields } from './fields.ts';

/**
 * One line for people, of the fields that a program gets: `main → demo/ok 200 2 tries 2.9 s req_…`. Null is left out,
 * and so is what goes without saying.
 */
export function sayRequest(fields: Fields): string {
  const { model, served_by: servedBy, outcome, status, reason, attempts, duration_ms: ms, key, request } = fields;
  return join([
    `${model === '' ? '(no model)' : model} → ${servedBy ?? 'nobody'}`,
    status,
    outcome === 'ok' ? null : outcome,
    // Of others the line of the attempt that failed tells more.
    outcome === 'rejected' && reason ? `(${reason})` : null,
    attempts === 1 ? null : `${attempts} tries`,
    sayMs(ms),
    key === null ? null : `key ${key}`,
    request,
  ]);
}

/** `attempt 1 at demo/error-503: overloaded 503 89 ms (the reason) req_…` */
export function sayAttempt(fields: Fields): string {
  const { n, target, credential, outcome, status, ms, reason, request } = fields;
  const route = credential === 'default' ? target : `${target}#${credential}`;
  return join([
    `attempt ${n} at ${route}: ${outcome}`,
    status,
    sayMs(ms),
    reason === null ? null : `(${reason})`,
    request,
  ]);
}

/** `route demo/error-503#default: ready → open until 2026-…Z (the reason)` */
export function sayChange({ scope, id, from, to, until, reason }: Fields): string {
  return join([
    `${scope} ${id}: ${from} → ${to}`,
    until === null ? null : `until ${until}`,
    reason === null ? null : `(${reason})`,
  ]);
}

/** `probe of demo/error-503#default: deferred overloaded 503 89 ms req_…` */
export function sayProbe({ route, state, outcome, status, ms, request }: Fields): string {
  return join([`probe of ${route}: ${state}`, outcome === 'ok' ? null : outcome, status, sayMs(ms), request]);
}

type Part = Fields[string] | undefined;

const join = (parts: readonly Part[]): string => parts.filter((part) => part !== null && part !== undefined).join(' ');

function sayMs(ms: Part): string | null {
  if (typeof ms !== 'number') return null;
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
