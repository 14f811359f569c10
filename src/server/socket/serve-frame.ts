import type { IncomingMessage } from 'node:http';
import type { Headers } from '../../core/model/protocol.ts';
import { type ClientFrame, emptyAnswer, errorMessage } from '../../protocol/openai-responses/index.ts';
import type { Admitted } from '../admission.ts';
import { codecOf, encodeServerError } from '../answer.ts';
import type { ServerContext } from '../context.ts';
import { recordRefusal } from '../dispatch.ts';
import { enter } from '../door.ts';
import { engineSettings } from '../engine-settings.ts';
import type { Exchange, Identity } from '../exchange.ts';
import { type Handed, type RefusedInference, serveCall } from '../hand-over.ts';
import { refuse } from '../refusal.ts';
import { createRequestId } from '../request-id.ts';
import { prepareBody } from '../serve-inference.ts';
import { createSocketDownstream, type SocketDownstream } from './socket-downstream.ts';
import type { SocketWriter } from './socket-writer.ts';

/** The client of one connection. */
export type Peer = {
  readonly context: ServerContext;
  readonly writer: SocketWriter;
  /** The request that the connection was opened with. */
  readonly req: IncomingMessage;
  readonly headers: Headers;
  /** See `Call.session`. */
  readonly session: string;
  cut(): void;
};

/** One request on it, with the configuration that it started with. */
export type SocketExchange = Pick<Exchange, 'id' | 'receivedAt' | 'config' | 'headers' | 'protocol'>;

export type Waiting = { readonly frame: ClientFrame; readonly admitted: Admitted; readonly exchange: SocketExchange };

const PROTOCOL = 'openai-responses';

export function openSocketExchange({ context, headers }: Peer): SocketExchange {
  const receivedAt = context.clock.now();
  const id = createRequestId(receivedAt, context.random);
  return { id, receivedAt, config: context.config(), headers, protocol: PROTOCOL };
}

/** Says no to one request, and puts it on record. The connection stays. */
export function turnAway(
  { context, writer }: Peer,
  exchange: SocketExchange,
  refused: RefusedInference,
  { streamId, identity = null }: { readonly streamId: string | null; readonly identity?: Identity | null },
): void {
  const error = { ...refused.error, message: context.clean.text(refused.error.message) };
  const { status, headers, body } = encodeServerError(PROTOCOL, error, exchange.id);
  recordRefusal(exchange, identity, { stream: true, ...refused }, status, context);
  const told = { ...headers, ...refused.headers, 'x-request-id': exchange.id };
  writer.send(errorMessage({ status, headers: told }, body, streamId));
}

/**
 * Serves one request, or says why not. `onStart` is given what the connection has to tell while that goes on. Resolves when
 * the client has its end; false: it may not go on on this connection.
 */
export async function serveFrame(
  peer: Peer,
  { frame, admitted, exchange }: Waiting,
  onStart: (downstream: SocketDownstream) => void,
): Promise<boolean> {
  const { streamId } = frame;
  // Keys may have changed since the connection was opened.
  const { req, headers } = peer;
  const entry = enter({ config: exchange.config, headers, method: 'GET', req }, 'client');
  if (!entry.ok) {
    turnAway(peer, exchange, entry.refused, { streamId });
    return false;
  }
  const { identity } = entry;
  const found = prepare(exchange, identity, frame);
  if (!found.ok) turnAway(peer, exchange, found.refused, { streamId, identity });
  else if (!frame.generate) keepPrompt(peer, exchange, found.handed, { streamId, identity });
  else {
    const ownHeaders = { 'x-request-id': exchange.id };
    const socket = createSocketDownstream(peer.writer, { streamId, ownHeaders, cut: () => peer.cut() });
    onStart(socket);
    const { context, session } = peer;
    await serveCall(exchange, identity, found.handed, { admitted, context, downstream: socket.downstream, session });
  }
  return true;
}

type Found =
  | { readonly ok: true; readonly handed: Handed }
  | { readonly ok: false; readonly refused: RefusedInference };

function prepare(exchange: SocketExchange, identity: Identity, { body }: ClientFrame): Found {
  const codec = codecOf(PROTOCOL);
  if (codec === undefined) return { ok: false, refused: refuse('not_found', 'This protocol is not available.') };
  const preparation = prepareBody(exchange, identity, codec, body);
  if (!preparation.ok) return preparation;
  const { prepared } = preparation;
  const { request } = prepared;
  if (request.background !== true) return { ok: true, handed: { ...prepared, codec, isTurn: true } };
  const message = 'Work in the background is not done over a WebSocket: send the request over HTTP.';
  const refused = refuse('invalid_request_error', message, { providerParam: 'background' });
  return { ok: false, refused: { ...refused, model: request.model } };
}

/** A client that warms up wants no answer yet: what it sends is kept, to be gone on from, and nobody is asked. */
function keepPrompt(
  peer: Peer,
  exchange: SocketExchange,
  { request, codec }: Handed,
  { streamId, identity }: { readonly streamId: string | null; readonly identity: Identity },
): void {
  const { context, session, writer } = peer;
  const id = exchange.id.replace('req_', 'resp_');
  const key = identity.key?.name ?? null;
  const settings = engineSettings(exchange.config);
  if (context.engine.keepPrompt({ request, codec, key, session, settings }, id)) {
    for (const message of emptyAnswer(id, request.model, exchange.receivedAt, streamId)) writer.send(message);
    return;
  }
  const refused = refuse('previous_response_not_found', LOST, { providerParam: 'previous_response_id' });
  turnAway(peer, exchange, { ...refused, model: request.model }, { streamId, identity });
}

const LOST =
  'The response that this request goes on from is not known on this connection any more: send the whole conversation.';
