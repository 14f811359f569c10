import type { Headers } from '../../core/model/protocol.ts';
import type { ServerContext } from '../context.ts';
import type { Visit } from '../door.ts';
import { enter } from '../door.ts';
import { findRoute } from '../routes.ts';

export const wantsSocket = (headers: Headers): boolean => headers['upgrade']?.trim().toLowerCase() === 'websocket';

export const isSocketOn = ({ config, phase }: Pick<ServerContext, 'config' | 'phase'>): boolean =>
  config().server.websocket && phase() === 'open';

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSIONS: ReadonlySet<string> = new Set(['13', '8']);

/** Whether this request may become a WebSocket. Those that may not are answered as any other request. */
export function mayBecomeSocket(
  visit: Visit & { readonly path: string },
  context: Pick<ServerContext, 'config' | 'phase'>,
): boolean {
  const { headers, method, path } = visit;
  const found = findRoute(method, path);
  if (found.kind !== 'found' || found.row.name !== 'websocket' || !wantsSocket(headers)) return false;
  if (!isSocketOn(context) || visit.req.httpVersion !== '1.1' || headers['host'] === undefined) return false;
  const isHandshake =
    KEY.test(headers['sec-websocket-key'] ?? '') && VERSIONS.has(headers['sec-websocket-version'] ?? '');
  return isHandshake && enter(visit, 'client').ok;
}
