import { resolveModel } from '../config/resolve.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { isHolder } from '../core/routing/affinity-state.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { Issuer } from '../engine/index.ts';
import {
  answerOwn,
  type FollowUp,
  type FollowUpKind,
  followUpCodec,
  followUpRequest,
  isPathId,
  readFollowUp,
} from '../protocol/openai-responses/index.ts';
import { answer } from './answer.ts';
import type { ServerContext } from './context.ts';
import type { Exchange, Identity } from './exchange.ts';
import { handOver, type RefusedInference, withAdmission } from './hand-over.ts';
import { mayUse } from './models.ts';
import { discardBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';
import { parseRequestOptions } from './request-options.ts';

/**
 * Serves a request about a response that exists already, or says why not. It goes to whoever gave that response and to
 * nobody else. Resolves when the client has its end.
 */
export async function serveFollowUp(
  exchange: Exchange,
  { kind, id }: { readonly kind: FollowUpKind; readonly id: string },
  identity: Identity,
  context: ServerContext,
): Promise<RefusedInference | null> {
  const { config, headers, query, req } = exchange;
  // None of them has a body that means anything.
  discardBody(req, context.clock);
  const issuer = isPathId(id) ? context.engine.findIssuer(id, identity.key?.name ?? null) : null;
  if (issuer === null) return unknownResponse(id);
  const known = { model: issuer.model };
  const read = readFollowUp(kind, id, query);
  if (!read.ok) {
    const { message, param } = read.problem;
    return { ...refuse('invalid_request_error', message, { providerParam: param }), ...known };
  }
  const { followUp } = read;
  const options = parseRequestOptions(headers);
  if (!options.ok) {
    return { ...refuse('invalid_request_error', options.message, { providerParam: options.header }), ...known };
  }
  if (issuer.isOwnId === true) {
    if (!mayUse(identity.key, issuer.asked, issuer.model)) return { ...notAllowed(identity), ...known };
    return answerFromStore(exchange, followUp, { identity, issuer }, context);
  }
  const model = modelOf(config, issuer);
  if (model === null) return { ...lostResponse(issuer), ...known };
  if (!mayUse(identity.key, issuer.asked, model.name)) return { ...notAllowed(identity), ...known };
  const request = followUpRequest(followUp, issuer.asked);
  // Only what changes nothing may be asked again.
  const failover = options.options.failover && followUp.method === 'GET';
  const codec = followUpCodec(followUp);
  // Whoever polls asks the same again and again, and repeats nothing.
  const handed = { request, codec, model, options: { ...options.options, failover }, isTurn: false };
  return withAdmission(exchange, context, async (admitted) => {
    await handOver(exchange, identity, handed, admitted, context);
    // Whatever became of it there: its client wants it gone.
    if (kind === 'remove') context.engine.forgetResponse(id, identity.key?.name ?? null);
    return null;
  });
}

/** Its answer was translated: its provider never knew it, and what is kept here is all there is of it. */
function answerFromStore(
  exchange: Exchange,
  followUp: FollowUp,
  { identity, issuer }: { readonly identity: Identity; readonly issuer: Issuer },
  context: ServerContext,
): RefusedInference | null {
  const { id, kind } = followUp;
  const key = identity.key?.name ?? null;
  const known = { model: issuer.model };
  const own = context.engine.findOwn(id, key);
  if (own === null) return { ...unknownResponse(id), ...known };
  const found = answerOwn(followUp, own, exchange.query);
  if (!found.ok) return { ...refuse('invalid_request_error', found.message), ...known };
  if (kind === 'remove') context.engine.forgetResponse(id, key);
  answer(exchange, 200, found.isStream ? STREAM : JSON_HEAD, found.body, context.phase() !== 'open');
  return null;
}

const JSON_HEAD = { 'content-type': 'application/json' };
const STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** The same for an id that nobody gave and for one of another key, which are not told apart. */
const unknownResponse = (id: string): Refusal =>
  refuse(
    'not_found',
    `There is no response ${JSON.stringify(id.slice(0, 128))}: this gateway knows those that it passed on to this key since it started. Ask for it with the key that it was made with, or ask its provider.`,
  );

const notAllowed = ({ key }: Identity): Refusal =>
  refuse('model_not_allowed', `The key "${key?.name}" may not use the model that gave this response any more.`);

const lostResponse = ({ target }: Issuer): Refusal =>
  refuse(
    'not_found',
    `The response is at ${target}: the configuration has that no more, or with another key or address.`,
    { component: 'gateway', reason: 'issuer_removed' },
  );

/**
 * The model with the one route that has the response; null when the configuration has it no more, or with another key.
 */
function modelOf(config: RuntimeConfig, issuer: Issuer): VirtualModel | null {
  for (const name of [issuer.model, issuer.target]) {
    const model = resolveModel(config, name);
    for (const target of model?.targets ?? []) {
      const route = target.routes.find((each) => each.id === issuer.route && isHolder(each, issuer));
      if (model === undefined || route === undefined) continue;
      // Whatever the response holds is what was asked for.
      const settings = { ...target.settings, onEmpty: 'accept', onContentPolicy: 'stop' } as const;
      return { ...model, affinity: false, strategy: 'failover', targets: [{ ...target, settings, routes: [route] }] };
    }
  }
  return null;
}
