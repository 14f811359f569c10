import type { ServerSettings } from '../config/runtime.ts';
import type { Headers } from '../core/model/protocol.ts';
import { findTraces, type Trace } from './proxy-traces.ts';
import { addressOf, forwardedClient, isTrustedProxy } from './trusted-proxies.ts';

/** What the rule looks at. `peer` is the socket's remote address. */
export type Visitor = {
  readonly peer: string | undefined;
  readonly method: string;
  readonly headers: Headers;
};

const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];
const USE_KEYS = 'or set auth.keys and send a key';

type Rules = Pick<ServerSettings, 'hosts' | 'cors' | 'trustedProxies'>;

type Check = (visitor: Visitor, server: Rules) => string | null;

/**
 * Without keys only the user of this machine may come in. A web page reaches loopback too, by a name that resolves to
 * it, by a cross-origin request or by a form, and so does a proxy that speaks for others: each leaves one of these
 * traces.
 */
const CHECKS: readonly Check[] = [
  ({ peer }) =>
    isLoopback(peer) ? null : `Without keys only this machine may call: connect over loopback, ${USE_KEYS}.`,
  ({ headers }, { hosts }) => {
    const name = hostName(headers['host']);
    if (name !== null && ownNames(hosts).includes(name)) return null;
    return `The Host header names neither localhost nor an address of loopback: add the name to server.hosts, ${USE_KEYS}.`;
  },
  ({ headers }, { cors }) => {
    const origin = headers['origin'];
    if (origin === undefined || cors.includes(origin) || isOwnOrigin(origin, headers['host'])) return null;
    return `The request comes from a web page: add its origin to server.cors, ${USE_KEYS}.`;
  },
  ({ peer, headers }, { hosts, trustedProxies }) => {
    const traces = findTraces(headers);
    if (traces.length === 0) return null;
    const isTrusted = isTrustedProxy(peer, trustedProxies);
    const strange = traces.find(({ kind }) => !isTrusted || kind === 'unread');
    if (strange !== undefined)
      return `The request came through a proxy (header ${strange.name.slice(0, 40)}), which may speak for others: call directly, ${USE_KEYS}.`;
    return findForwardedProblem(traces, headers, { hosts, trustedProxies });
  },
  ({ method, headers }) => {
    if (!METHODS_WITH_BODY.includes(method) || !hasBody(headers) || isJson(headers['content-type'])) return null;
    return `The body must be sent with content-type: application/json, ${USE_KEYS}.`;
  },
];

/** Our own pages: what a browser calls their origin is the address that it asks, whose name was looked at already. */
const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  /^https?:\/\/(.+)$/.exec(origin)?.[1] === host?.toLowerCase();

const ownNames = (hosts: readonly string[]): readonly string[] => [...OWN_NAMES, ...hosts.map((h) => h.toLowerCase())];

/** A trusted proxy is taken at its word: the client that it speaks for must be on this machine as well. */
function findForwardedProblem(
  traces: readonly Trace[],
  headers: Headers,
  { hosts, trustedProxies }: Omit<Rules, 'cors'>,
): string | null {
  if (!isLoopback(forwardedClient(headers, trustedProxies) ?? undefined))
    return `A trusted proxy speaks for another machine, or does not say for whom (X-Forwarded-For): without keys only this machine may call; call directly, ${USE_KEYS}.`;
  for (const { name, kind } of traces) {
    const values = (headers[name] ?? '').split(',').map((value) => value.trim());
    if (kind === 'address' && !values.every((value) => isNear(addressOf(value) ?? undefined, trustedProxies)))
      return `A trusted proxy speaks for another machine (header ${name.slice(0, 40)}): without keys only this machine may call; call directly, ${USE_KEYS}.`;
    if (kind === 'host' && !values.every((value) => ownNames(hosts).includes(hostName(value) ?? '')))
      return `A trusted proxy was asked by a name (header ${name.slice(0, 40)}) that is neither localhost nor an address of loopback: add the name to server.hosts, ${USE_KEYS}.`;
  }
  return null;
}

/** This machine, or a trusted proxy that another one saw. */
const isNear = (address: string | undefined, trustedProxies: readonly string[]): boolean =>
  isLoopback(address) || isTrustedProxy(address, trustedProxies);

/** The remedy for a visitor that may not come in without a key, or null for one that may. */
export function findLoopbackProblem(visitor: Visitor, server: Rules): string | null {
  for (const check of CHECKS) {
    const problem = check(visitor, server);
    if (problem !== null) return problem;
  }
  return null;
}

/** 127.0.0.0/8 and ::1, also in IPv6 clothes. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return address === '::1' || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);
}

/** The name of a Host header without its port, in lower case; null when it is none. */
export function hostName(host: string | undefined): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:@/\s]+)(?::\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase() ?? null;
}

/** A page can send a form or text to a stranger without asking; an empty body it could send too, but says nothing. */
function hasBody(headers: Headers): boolean {
  const { 'content-length': length, 'transfer-encoding': coding, 'content-type': type } = headers;
  return coding !== undefined || type !== undefined || (length !== undefined && length !== '0');
}

function isJson(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);
}
