import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { describeFault } from '../core/redact/index.ts';
import { createAdmission } from './admission.ts';
import { createConnectionQueue } from './connection-queue.ts';
import type { ServerContext, ServerPhase, ServerPorts } from './context.ts';
import { dispatch, sayNo } from './dispatch.ts';
import { type Exchange, hostOf, splitTarget } from './exchange.ts';
import { readHeaders } from './headers.ts';
import { createTurnMemory, showsSign } from './manners.ts';
import { answerRaw, rawRefusal } from './raw-answer.ts';
import { refuse } from './refusal.ts';
import { createRequestId } from './request-id.ts';
import { type FoundRoute, findRoute } from './routes.ts';
import { createLogInLimit } from './session/log-in-limit.ts';
import { createSessionStore } from './session/session-store.ts';
import { createSocketServer } from './socket/socket-server.ts';
import { createWatchers } from './watchers.ts';

/** The client side of the gateway. */
export type GatewayServer = {
  /** Rejects as `net.Server.listen` does (EADDRINUSE …). */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** `/readyz` says 503 and every answer closes its connection from now on; requests are served as before. */
  drain(): void;
  /** Takes nothing new, on no connection; what is under way goes on. */
  close(): void;
  /** Cuts whatever is left. */
  destroy(): void;
  /** Requests whose head has come and whose answer has not left yet. */
  inFlight(): number;
  /** Connections that were ever taken, whatever came on them. */
  connections(): number;
};

/** Clients that have connected while the process was busy: a thousand may come at once. The kernel's own bound is lower on some. */
const BACKLOG = 4096;

const CHECK_SHARE = 3;
const MIN_CHECK_MS = 100;
const MAX_CHECK_MS = 5000;

/** Timeouts, sizes and counts of connections are those of the configuration at the start. */
export function createGatewayServer(ports: ServerPorts): GatewayServer {
  let phase: ServerPhase = 'open';
  const context: ServerContext = {
    ...ports,
    admission: createAdmission(ports.engine),
    turns: createTurnMemory(),
    startedAt: ports.clock.now(),
    phase: () => phase,
    sessions: createSessionStore(ports.clock),
    logIns: createLogInLimit(ports.clock),
    watchers: createWatchers(),
  };
  const queue = createConnectionQueue(ports.clock);
  let open = 0;
  let connections = 0;
  const accept = (req: IncomingMessage, res: ServerResponse, isWaiting: boolean): void => {
    res.on('error', () => {});
    queue.enter(res, async () => {
      open++;
      try {
        await serveOne(req, res, isWaiting, context);
      } finally {
        open--;
      }
    });
  };

  const server = createHttpServer(ports);
  server.on('connection', () => {
    connections++;
  });
  const sockets = createSocketServer(server, context, (socket) => queue.isBusy(socket));
  server.on('request', (req, res) => accept(req, res, false));
  server.on('checkContinue', (req, res) => accept(req, res, true));
  // Expectations that nobody knows are no reason to refuse a request.
  server.on('checkExpectation', (req, res) => accept(req, res, false));
  server.on('connect', (_req, socket) => answerRaw(socket as Socket, rawRefusal('CONNECT'), context));
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (queue.isClosing(socket as Socket)) return;
    // An answer under way would get these bytes into its body.
    if (queue.isAnswering(socket as Socket)) socket.destroy();
    else answerRaw(socket as Socket, rawRefusal(error.code), context);
  });

  return {
    listen: (host, port) => listen(server, host, port),
    drain: () => {
      if (phase !== 'open') return;
      phase = 'draining';
      sockets.drain();
      context.watchers.endAll();
    },
    close: () => {
      phase = 'closed';
      sockets.drain();
      context.watchers.endAll();
      server.close();
      server.closeIdleConnections();
    },
    destroy: () => {
      sockets.destroy();
      server.closeAllConnections();
    },
    inFlight: () => open - context.watchers.count() + sockets.inFlight(),
    connections: () => connections,
  };
}

function createHttpServer({ config }: ServerPorts): Server | TlsServer {
  const settings = config().server;
  const options: ServerOptions = {
    // Bodies have a clock of their own, which starts when their request's turn has come.
    requestTimeout: 0,
    headersTimeout: settings.headersTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(
      MAX_CHECK_MS,
      Math.max(MIN_CHECK_MS, Math.round(settings.headersTimeoutMs / CHECK_SHARE)),
    ),
    maxHeaderSize: settings.maxHeaderSize,
    noDelay: true,
    // A request without Host is answered here, in JSON.
    requireHostHeader: false,
  };
  const { tls } = settings;
  const server =
    tls === null ? createServer(options) : createTlsServer({ ...options, cert: tls.cert, key: tls.key.reveal() });
  server.maxConnections = settings.maxConnections;
  // Node would drop headers beyond 2000 in silence; maxHeaderSize bounds them already.
  server.maxHeadersCount = 0;
  return server;
}

function listen(server: Server | TlsServer, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Resolves when the answer has left or its connection is gone. */
async function serveOne(
  req: IncomingMessage,
  res: ServerResponse,
  isWaiting: boolean,
  context: ServerContext,
): Promise<void> {
  const isOver = new Promise<void>((resolve) => {
    if (res.closed || req.socket.destroyed) resolve();
    else res.once('close', resolve);
  });
  let opened: Opened | null = null;
  try {
    opened = openExchange(req, res, isWaiting, context);
    const { exchange, found } = opened;
    if (req.httpVersion === '1.1' && exchange.headers['host'] === undefined) {
      const message = 'The request has no Host header, or several: it must name the one host that it is for.';
      sayNo(exchange, null, null, refuse('invalid_request_error', message), context);
    } else await dispatch(exchange, found, context);
  } catch (error) {
    failOpenly(req, opened, error, context);
  }
  await isOver;
}

type Opened = { readonly exchange: Exchange; readonly found: FoundRoute };

function openExchange(req: IncomingMessage, res: ServerResponse, isWaiting: boolean, context: ServerContext): Opened {
  const receivedAt = context.clock.now();
  const headers = readHeaders(req.headers, hostOf(req));
  const { path, query } = splitTarget(req.url ?? '/');
  const method = req.method ?? 'GET';
  const found = findRoute(method, path);
  const own = found.kind === 'none' ? null : found.row.protocol;
  return {
    found,
    exchange: {
      id: createRequestId(receivedAt, context.random),
      receivedAt,
      config: context.config(),
      req,
      res,
      method,
      path,
      query,
      headers,
      protocol: own ?? (showsSign(headers, 'reads_anthropic') ? 'anthropic-messages' : 'openai-chat'),
      isWaiting,
    },
  };
}

/**
 * A fault of our own: said as such where that is still possible, else the answer is cut so that it can't look whole.
 * The log has what kind it was and where, but not its words, which may hold anything. Never throws, whatever is broken.
 */
function failOpenly(req: IncomingMessage, opened: Opened | null, fault: unknown, context: ServerContext): void {
  try {
    const { name, code, at } = describeFault(fault);
    const request = opened?.exchange.id ?? null;
    context.telemetry.notice('error', 'a request met a fault of the gateway', { request, name, code, at });
    if (opened === null)
      answerRaw(req.socket, refuse('internal_error', 'The gateway met a fault of its own.'), context);
    else if (opened.exchange.res.headersSent) req.socket.destroy();
    else {
      const { exchange, found } = opened;
      const message = 'The gateway met a fault of its own: the log has it under this request id.';
      sayNo(exchange, found.kind === 'found' ? found.row : null, null, refuse('internal_error', message), context);
    }
  } catch {
    req.socket.destroy();
  }
}
