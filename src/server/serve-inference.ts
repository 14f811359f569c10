import { resolveModel } from '../config/resolve.ts';
import type { ServerSettings } from '../config/runtime.ts';
import type { RequestKind } from '../core/attempt/ledger.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { Admitted } from './admission.ts';
import { codecOf } from './answer.ts';
import type { ServerContext } from './context.ts';
import { CODINGS } from './decode-body.ts';
import type { Exchange, Identity } from './exchange.ts';
import { type Handed, handOver, type RefusedInference, refuseFull, withAdmission } from './hand-over.ts';
import { mayUse, suggestModels } from './models.ts';
import { type BodyProblem, readBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';
import { parseRequestOptions } from './request-options.ts';

type Prepared = Omit<Handed, 'codec' | 'isTurn' | 'kind'>;

type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | { readonly ok: false; readonly refused: RefusedInference };

/** What a body is served as. */
export type Service = {
  /** Undefined: of a protocol that this version does not speak. */
  readonly codec: ProtocolCodec | undefined;
  readonly isTurn: boolean;
  readonly kind?: RequestKind;
  /** The model as it serves such requests; absent: as it is. */
  readonly adapt?: (model: VirtualModel) => VirtualModel;
};

/** Serves one request for a model, or says why not. Resolves when the client has its end. */
export const serveInference = (
  exchange: Exchange,
  identity: Identity,
  context: ServerContext,
): Promise<RefusedInference | null> =>
  serveBody(exchange, identity, { codec: codecOf(exchange.protocol), isTurn: true }, context);

/** The same for any request whose body names what it is for. */
export async function serveBody(
  exchange: Exchange,
  identity: Identity,
  { codec, isTurn, kind, adapt = (model) => model }: Service,
  context: ServerContext,
): Promise<RefusedInference | null> {
  if (codec === undefined) return refuse('not_found', 'This protocol is not available in this version of Understudy.');
  return withAdmission(exchange, context, async (admitted) => {
    const preparation = await prepare(exchange, identity, codec, admitted, context);
    if (!preparation.ok) return preparation.refused;
    const { prepared } = preparation;
    const told = kind === undefined ? {} : { kind };
    const handed = { ...prepared, model: adapt(prepared.model), codec, isTurn, ...told };
    await handOver(exchange, identity, handed, admitted, context);
    return null;
  });
}

async function prepare(
  exchange: Exchange,
  identity: Identity,
  codec: ProtocolCodec,
  admitted: Admitted,
  context: ServerContext,
): Promise<Preparation> {
  const { config, req, res, isWaiting } = exchange;
  const body = await readBody(req, {
    clock: context.clock,
    limit: config.server.bodyLimit,
    timeoutMs: config.server.requestTimeoutMs,
    reserve: (bytes) => admitted.reserve(bytes),
    goAhead: () => isWaiting && res.writeContinue(),
  });
  if (!body.ok) return { ok: false, refused: BODY_REFUSALS[body.problem](config.server) };
  return prepareBody({ config, headers: addressed(exchange) }, identity, codec, body.bytes);
}

/**
 * Where the path names the model, its codec reads it as a header that no client can send: the name begins with a colon.
 */
const addressed = ({ protocol, headers, req }: Exchange): Headers =>
  protocol === 'gemini' ? { ...headers, ':path': req.url ?? '/' } : headers;

/** Reads a body that has come, and finds what serves it. */
export function prepareBody(
  exchange: Pick<Exchange, 'config' | 'headers'>,
  identity: Identity,
  codec: ProtocolCodec,
  body: Uint8Array,
): Preparation {
  const { headers } = exchange;
  const decoded = codec.decodeRequest(body, headers);
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
  { config }: Pick<Exchange, 'config'>,
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
  not_utf8: () => refuse('invalid_request_error', 'The body is not valid UTF-8, as JSON has to be.'),
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
