import type { ServerResponse } from 'node:http';
import type { RequestKind } from '../core/attempt/ledger.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { Downstream } from '../port/downstream.ts';
import { readTarget } from '../protocol/gemini/index.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { Admitted } from './admission.ts';
import { arrayDownstream } from './array-downstream.ts';
import type { ServerContext } from './context.ts';
import { createDownstream } from './downstream.ts';
import { engineSettings } from './engine-settings.ts';
import type { Exchange, Identity } from './exchange.ts';
import { clientRequestId, forwardedHeaders } from './headers.ts';
import { mannerOf, NO_TURN } from './manners.ts';
import { ownHeaders } from './own-headers.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { RequestOptions } from './request-options.ts';

/** A refusal, with what was known of the request by then. */
export type RefusedInference = Refusal & { readonly model?: string; readonly stream?: boolean };

/** What the engine is given of a request. */
export type Handed = {
  readonly request: CanonicalRequest;
  readonly codec: ProtocolCodec;
  readonly model: VirtualModel;
  readonly options: RequestOptions;
  /** A turn of a conversation: the same once more is a repeat by the client. */
  readonly isTurn: boolean;
  /** Absent: an answer. */
  readonly kind?: RequestKind;
};

/** Runs what counts among the requests under way, until its client has taken everything; or says why it may not. */
export async function withAdmission(
  exchange: Exchange,
  context: ServerContext,
  run: (admitted: Admitted) => Promise<RefusedInference | null>,
): Promise<RefusedInference | null> {
  if (context.phase() === 'closed')
    return refuseFull('The gateway is shutting down: ask again or ask another instance.');
  const admitted = context.admission.enter(exchange.config);
  if (admitted === null) return refuseFull('The gateway has as many requests as it may take: ask again in a moment.');
  try {
    return await run(admitted);
  } finally {
    leaveWhenTaken(exchange.res, admitted);
  }
}

/** What the client has not taken yet is held here, and its request counts until it has. */
function leaveWhenTaken(res: ServerResponse, admitted: Admitted): void {
  if (res.closed || res.destroyed) {
    admitted.leave();
    return;
  }
  admitted.reserve(res.writableLength);
  res.once('close', () => admitted.leave());
}

/** Lets the engine serve it over HTTP. Resolves when the client has its end. */
export function handOver(
  exchange: Exchange,
  identity: Identity,
  handed: Handed,
  admitted: Admitted,
  context: ServerContext,
): Promise<void> {
  const downstream = createDownstream(exchange.res, {
    clock: context.clock,
    stallMs: exchange.config.server.clientStallMs,
    ownHeaders: ownHeaders(exchange),
    isLast: () => context.phase() !== 'open',
  });
  const isArray = exchange.protocol === 'gemini' && readTarget(exchange.req.url ?? '')?.isArray === true;
  const given = isArray ? arrayDownstream(downstream) : downstream;
  return serveCall(exchange, identity, handed, { admitted, context, downstream: given });
}

export type Serving = {
  readonly admitted: Admitted;
  readonly context: ServerContext;
  readonly downstream: Downstream;
  /** See `Call.session`. */
  readonly session?: string;
};

/** Lets the engine serve it. Resolves when the client has its end. */
export async function serveCall(
  { id, receivedAt, config, headers }: Pick<Exchange, 'id' | 'receivedAt' | 'config' | 'headers'>,
  { key }: Identity,
  { request, codec, model, options, isTurn, kind }: Handed,
  { admitted, context, downstream, session }: Serving,
): Promise<void> {
  const keyName = key?.name ?? null;
  const turn = isTurn
    ? context.turns.recognise({ id, now: receivedAt, key: keyName, headers, body: request.original })
    : NO_TURN;
  // From here on the engine counts the body among what it holds.
  admitted.releaseBody();
  await context.engine.serve(
    {
      id,
      receivedAt,
      settings: engineSettings(config),
      codec,
      request,
      model,
      // The name of a model of the configuration is nobody's secret.
      asked: request.model === model.name ? model.name : context.clean.name(request.model),
      key: keyName,
      forward: forwardedHeaders(headers),
      options,
      clientRequestId: clientRequestId(headers, context.clean.name),
      manner: mannerOf(headers),
      ...(kind === undefined ? {} : { kind }),
      ...turn,
      ...(session === undefined ? {} : { session }),
    },
    downstream,
  );
}

const FULL_RETRY_MS = 1000;

/** The gateway itself is full or leaving. */
export const refuseFull = (message: string): Refusal =>
  refuse('gateway_overloaded', message, { retryAfterMs: FULL_RETRY_MS });
