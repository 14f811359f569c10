import type { ServerResponse } from 'node:http';
import { resolveModel } from '../config/resolve.ts';
import type { ServerSettings } from '../config/runtime.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { Admitted } from './admission.ts';
import { codecOf } from './answer.ts';
import type { ServerContext } from './context.ts';
import { CODINGS } from './decode-body.ts';
import { createDownstream } from './downstream.ts';
import type { Exchange, Identity } from './exchange.ts';
import { clientRequestId, forwardedHeaders } from './headers.ts';
import { mannerOf } from './manners.ts';
import { mayUse, suggestModels } from './models.ts';
import { ownHeaders } from './own-headers.ts';
import { type BodyProblem, readBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';
import { parseRequestOptions, type RequestOptions } from './request-options.ts';

/** A refusal, with what was known of the request by then. */
export type RefusedInference = Refusal & { readonly model?: string; readonly stream?: boolean };

type Prepared = {
  readonly request: CanonicalRequest;
  readonly model: VirtualModel;
  readonly options: RequestOptions;
};

type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | { readonly ok: false; readonly refused: RefusedInference };

/** Serves one request for a model, or says why not. Resolves when the client has its end. */
export async function serveInference(
  exchange: Exchange,
  identity: Identity,
  context: ServerContext,
): Promise<RefusedInference | null> {
  const codec = codecOf(exchange.protocol);
  if (codec === undefined) return refuse('not_found', 'This protocol is not available in this version of Understudy.');
  if (context.phase() === 'closed')
    return refuseFull('The gateway is shutting down: ask again or ask another instance.');
  const admitted = context.admission.enter(exchange.config);
  if (admitted === null) return refuseFull('The gateway has as many requests as it may take: ask again in a moment.');
  try {
    const preparation = await prepare(exchange, identity, codec, admitted, context);
    if (!preparation.ok) return preparation.refused;
    await handOver(exchange, identity, codec, admitted, preparation.prepared, context);
    return null;
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

async function prepare(
  exchange: Exchange,
  identity: Identity,
  codec: ProtocolCodec,
  admitted: Admitted,
  context: ServerContext,
): Promise<Preparation> {
  const { config, headers, req, res, isWaiting } = exchange;
  const body = await readBody(req, {
    clock: context.clock,
    limit: config.server.bodyLimit,
    timeoutMs: config.server.requestTimeoutMs,
    reserve: (bytes) => admitted.reserve(bytes),
    goAhead: () => isWaiting && res.writeContinue(),
  });
  if (!body.ok) return { ok: false, refused: BODY_REFUSALS[body.problem](config.server) };
  const decoded = codec.decodeRequest(body.bytes, headers);
  if (!decoded.ok) {
    const { message, param } = decoded.problem;
    return { ok: false, refused: refuse('invalid_request_error', message, { providerParam: param }) };
  }
  const { request } = decoded;
  const options = parseRequestOptions(headers);
  if (!options.ok) {
    const refusal = refuse('invalid_request_error', options.message, { providerParam: options.header });
    return { ok: false, refused: { ...refusal, model: request.model, stream: request.stream } };
  }
  const model = resolveFor(exchange, identity, request.model);
  if (!model.ok) return { ok: false, refused: { ...model.refused, model: request.model, stream: request.stream } };
  return { ok: true, prepared: { request, model: model.model, options: options.options } };
}

function resolveFor(
  { config }: Exchange,
  { key }: Identity,
  name: string,
): { readonly ok: true; readonly model: VirtualModel } | { readonly ok: false; readonly refused: Refusal } {
  const model = resolveModel(config, name);
  const shown = JSON.stringify(name.slice(0, 128));
  if (model === undefined) {
    const message = `There is no model ${shown}.${suggestModels(config, key, name)} GET /v1/models lists them all.`;
    return { ok: false, refused: refuse('model_not_found', message, { providerParam: 'model' }) };
  }
  if (mayUse(key, name, model.name)) return { ok: true, model };
  const message = `The key "${key?.name}" may not use the model ${shown}: its "models" in the configuration lists those it may.`;
  return { ok: false, refused: refuse('model_not_allowed', message, { providerParam: 'model' }) };
}

async function handOver(
  exchange: Exchange,
  { key }: Identity,
  codec: ProtocolCodec,
  admitted: Admitted,
  { request, model, options }: Prepared,
  context: ServerContext,
): Promise<void> {
  const { id, receivedAt, config, headers } = exchange;
  const keyName = key?.name ?? null;
  const turn = context.turns.recognise({ id, now: receivedAt, key: keyName, headers, body: request.original });
  const downstream = createDownstream(exchange.res, {
    clock: context.clock,
    stallMs: config.server.clientStallMs,
    ownHeaders: ownHeaders(exchange),
    isLast: () => context.phase() !== 'open',
  });
  // From here on the engine counts the body among what it holds.
  admitted.releaseBody();
  await context.engine.serve(
    {
      id,
      receivedAt,
      settings: {
        providers: config.providers,
        health: config.health,
        maxRetryAfterMs: config.server.maxRetryAfterMs,
        clientStallMs: config.server.clientStallMs,
      },
      codec,
      request,
      model,
      key: keyName,
      forward: forwardedHeaders(headers),
      options,
      clientRequestId: clientRequestId(headers),
      manner: mannerOf(headers),
      ...turn,
    },
    downstream,
  );
}

const FULL_RETRY_MS = 1000;

/** The gateway itself is full or leaving. */
export const refuseFull = (message: string): Refusal =>
  refuse('gateway_overloaded', message, { retryAfterMs: FULL_RETRY_MS });

const CLIENT_CLOSED_STATUS = 499;

/** Why a body could not be read, as its client is told. */
export const BODY_REFUSALS: { readonly [P in BodyProblem]: (server: ServerSettings) => Refusal } = {
  too_large: ({ bodyLimit }) =>
    refuse(
      'request_too_large',
      `The body has more than ${bodyLimit} bytes (after decoding), the limit of server.bodyLimit.`,
    ),
  unknown_coding: () =>
    refuse(
      'invalid_request_error',
      `This content-encoding can't be read: send the body plain or in one of ${CODINGS}.`,
      {
        status: 415,
      },
    ),
  damaged: () => refuse('invalid_request_error', 'The body is not what its content-encoding says, or not whole.'),
  timeout: ({ requestTimeoutMs }) =>
    refuse('invalid_request_error', `The body did not arrive within ${requestTimeoutMs} ms (server.requestTimeout).`, {
      status: 408,
    }),
  closed: () => ({
    ...refuse('invalid_request_error', 'The client left before its body was whole.', {
      status: CLIENT_CLOSED_STATUS,
      reason: 'client_closed',
    }),
    isGone: true,
  }),
  full: () => refuseFull('The gateway holds as many bytes as it may (server.maxBuffered): ask again in a moment.'),
};
