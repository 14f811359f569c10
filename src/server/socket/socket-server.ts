import type { IncomingMessage, Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { withoutSocketFlag } from '../../protocol/openai-responses/index.ts';
import type { ServerContext } from '../context.ts';
import { hostOf, splitTarget } from '../exchange.ts';
import { readHeaders } from '../headers.ts';
import { SocketConnection } from './socket-connection.ts';
import { mayBecomeSocket } from './wants-socket.ts';

/** All WebSockets of a server. */
export type SocketServer = {
  /** Requests under way on them. */
  inFlight(): number;
  /** Takes nothing new on any of them. */
  drain(): void;
  destroy(): void;
};

/**
 * What a client may offer of compression is taken up, without memory between messages: that would be some 300 KiB for each
 * connection. Short messages, which most events are, would only grow.
 */
const COMPRESSION = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  serverMaxWindowBits: 13,
  zlibDeflateOptions: { level: 1, memLevel: 6 },
  threshold: 2048,
  concurrencyLimit: 8,
} as const;

/**
 * Takes WebSockets up where they are asked for and switched on, and leaves every other offer of another protocol to HTTP.
 * Node can be asked so since 22.21 and 24.9: before, none is taken up.
 */
export function createSocketServer(
  server: Server | TlsServer,
  context: ServerContext,
  isBusy: (socket: Socket) => boolean,
): SocketServer {
  const connections = new Set<SocketConnection>();
  const made = new Map<number, WebSocketServer>();
  /** By the bound that is in force when a connection is opened. */
  const serverOf = (maxPayload: number): WebSocketServer => {
    const known = made.get(maxPayload);
    if (known !== undefined) return known;
    const fresh = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload,
      perMessageDeflate: COMPRESSION,
    });
    made.clear();
    made.set(maxPayload, fresh);
    return fresh;
  };
  const readVisit = (req: IncomingMessage) => ({
    req,
    method: req.method ?? 'GET',
    path: splitTarget(req.url ?? '/').path,
    headers: readHeaders(req.headers, hostOf(req)),
    config: context.config(),
  });
  /** Between the two words of Node nothing else is looked at. */
  const maySwitch = (req: IncomingMessage): boolean => {
    try {
      return !isBusy(req.socket) && mayBecomeSocket(readVisit(req), context);
    } catch {
      // Answered as any other request, which says what is wrong.
      return false;
    }
  };

  if ('shouldUpgradeCallback' in server) {
    (server as { shouldUpgradeCallback: (req: IncomingMessage) => boolean }).shouldUpgradeCallback = maySwitch;
    server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
      const { headers, config } = readVisit(req);
      const { 'openai-beta': flags, ...rest } = headers;
      const kept = flags === undefined ? '' : withoutSocketFlag(flags);
      serverOf(config.server.bodyLimit).handleUpgrade(req, socket, head, (ws) => {
        const connection: SocketConnection = new SocketConnection(
          {
            ws,
            req,
            socket,
            headers: kept === '' ? rest : { ...rest, 'openai-beta': kept },
            onClose: () => connections.delete(connection),
          },
          context,
        );
        connections.add(connection);
      });
    });
  }
  return {
    inFlight: () => [...connections].reduce((sum, { inFlight }) => sum + inFlight, 0),
    drain: () => {
      for (const connection of connections) connection.drain();
    },
    destroy: () => {
      for (const connection of connections) connection.destroy();
    },
  };
}
