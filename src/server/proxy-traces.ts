import type { Headers } from '../core/model/protocol.ts';

/**
 * What a trusted proxy's header of that name must say before its client counts as the user of this machine:
 * - `client`: the chain of addresses that the proxy itself writes;
 * - `address`: addresses of whomever another proxy saw. Each must be of this machine, or a trusted proxy's;
 * - `host`: names by which the gateway was asked;
 * - `unread`: for whom, in a form that nobody here reads. A proxy that writes another form hands it on as it came, so it
 *   is refused of a trusted proxy, too;
 * - `mark`: nothing. It shows that a proxy stands in front, and no more.
 */
export type TraceKind = 'client' | 'address' | 'host' | 'unread' | 'mark';

/** A name, or with a `*` at its beginning or its end all names that end or begin so. */
type TraceRow = readonly [pattern: string, kind: TraceKind];

/**
 * Request headers that proxies, balancers and content networks write, and clients don't (`cf-aig-…`, for one, comes from
 * clients). A whole name goes before a pattern, and the first pattern that fits counts.
 */
export const PROXY_TRACES: readonly TraceRow[] = [
  ['x-forwarded-for', 'client'],
  ['x-forwarded-host', 'host'],
  ['x-original-host', 'host'],
  ['forwarded', 'unread'],
  ['x-forwarded', 'unread'],
  // forwarded-for, x-original-forwarded-for, x-vercel-forwarded-for
  ['*forwarded-for', 'address'],
  // client-ip, x-client-ip, x-cluster-client-ip, true-client-ip, fastly-client-ip, fly-client-ip, wl-proxy-client-ip
  ['*client-ip', 'address'],
  // x-azure-clientip, x-sucuri-clientip
  ['*clientip', 'address'],
  // x-real-ip, ali-cdn-real-ip
  ['*real-ip', 'address'],
  // cf-connecting-ip, do-connecting-ip, x-nf-client-connection-ip
  ['*connecting-ip', 'address'],
  ['*connection-ip', 'address'],
  ['cf-connecting-ipv6', 'address'],
  // x-proxyuser-ip, x-appengine-user-ip
  ['*user-ip', 'address'],
  ['*remote-ip', 'address'],
  ['*remote-addr', 'address'],
  ['*originating-ip', 'address'],
  ['x-azure-socketip', 'address'],
  ['x-envoy-external-address', 'address'],
  ['cloudfront-viewer-address', 'address'],
  ['x-forwarded-*', 'mark'],
  ['via', 'mark'],
  ['cdn-loop', 'mark'],
  ['cf-ray', 'mark'],
  ['cf-visitor', 'mark'],
  ['cf-ipcountry', 'mark'],
  ['cf-worker', 'mark'],
  ['x-envoy-*', 'mark'],
  ['cloudfront-*', 'mark'],
  ['x-appengine-*', 'mark'],
  ['x-original-url', 'mark'],
  ['x-rewrite-url', 'mark'],
  ['x-varnish', 'mark'],
  ['fastly-ff', 'mark'],
];

const NAMES: ReadonlyMap<string, TraceKind> = new Map(PROXY_TRACES.filter(([pattern]) => !pattern.includes('*')));
const PATTERNS: readonly TraceRow[] = PROXY_TRACES.filter(([pattern]) => pattern.includes('*'));

/** A header that shows a proxy. `name` as it stands among the headers. */
export type Trace = { readonly name: string; readonly kind: TraceKind };

/**
 * The traces of proxies among headers, whose names are in lower case. Underscores are read as hyphens, as behind many
 * servers; no proxy spells its own header so, which makes it `unread`.
 */
export function findTraces(headers: Headers): readonly Trace[] {
  const traces: Trace[] = [];
  for (const name of Object.keys(headers)) {
    const hyphened = name.replaceAll('_', '-');
    const kind = NAMES.get(hyphened) ?? PATTERNS.find(([pattern]) => fits(hyphened, pattern))?.[1];
    if (kind !== undefined) traces.push({ name, kind: hyphened === name ? kind : 'unread' });
  }
  return traces;
}

const fits = (name: string, pattern: string): boolean =>
  pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name.startsWith(pattern.slice(0, -1));
