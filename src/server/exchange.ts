import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientKey, RuntimeConfig } from '../config/runtime.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import type { AuditBy } from '../port/audit-log.ts';

/** One request of a client from its head to its end, with the configuration that it started with. */
export type Exchange = {
  readonly id: string;
  readonly receivedAt: number;
  readonly config: RuntimeConfig;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  /** Decoded for looking up a route only: without query, doubled and closing slashes. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** In which the client is answered, errors included. */
  readonly protocol: Protocol;
  /** The client waits for `100 Continue` before it sends its body. */
  readonly isWaiting: boolean;
};

/** Who asks: a key of the configuration, or null for the user of this machine. */
export type Identity = {
  readonly key: ClientKey | null;
  /** How whoever manages the gateway came in. */
  readonly by?: AuditBy;
};

/**
 * The host that a request is for: of its target where that is absolute, else of its one Host header. Null when it names
 * none, or several: then nobody can say which one was checked.
 */
export function hostOf(req: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | null {
  const hosts = req.rawHeaders.filter((_value, i) => i % 2 === 1 && req.rawHeaders[i - 1]?.toLowerCase() === 'host');
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(req.url ?? '')?.[1];
  const [only] = hosts;
  return hosts.length > 1 ? null : (absolute ?? only ?? null);
}

/** Path and query of a request target, in origin or absolute form. */
export function splitTarget(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const relative = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = '', query = ''] = relative.split(/[?#](.*)/s);
  const folded = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return { path: folded === '' ? '/' : folded, query: new URLSearchParams(query) };
}
