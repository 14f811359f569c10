import type { Frame } from '../core/model/event.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { Route } from '../core/routing/candidate.ts';
import { concatBytes } from '../protocol/json/index.ts';
import { forgetTranslation } from '../protocol/translate/index.ts';
import { freeBody } from './free-body.ts';
import { JSON_HEADERS, STREAM_HEADERS, upstreamHeaders } from './headers.ts';
import { createTurnKeeper } from './keep-turn.ts';
import { observeRoute } from './observe-route.ts';
import type { Planner } from './planner.ts';
import type { AnswerSink } from './reader/index.ts';
import { type RequestContext, record } from './request-context.ts';
import type { ResponseStore } from './response-store.ts';

/** The attempt that is answered. `dropped`: what of the request it did not get, by the client's names. */
export type Sent = {
  readonly route: Route;
  readonly n: number;
  readonly dropped: readonly string[];
  readonly isTranslated: boolean;
  readonly responses: ResponseStore;
};

/** Binds the answer to the attempt, then hands its bytes to the client. */
export function createSink(
  context: RequestContext,
  planner: Planner,
  { route, n, dropped, isTranslated, responses }: Sent,
  upstream: () => Headers,
): AnswerSink {
  const { call, ports, relay } = context;
  // What outgrew what is judged whole is kept by nobody.
  let isPartOut = false;
  return {
    commit(form) {
      context.isCommitted = true;
      context.keeper = createTurnKeeper(context, responses, { route, isTranslated });
      context.history?.forget();
      context.history = null;
      freeBody(call.request);
      forgetTranslation(call.request);
      context.translations.forget();
      context.requestText = null;
      context.sent = null;
      const at = ports.clock.now();
      record(context, { type: 'committed', request: call.id, at, n });
      const { startedAt = at, trial = false } = context.ledger?.attempts.at(-1) ?? {};
      // Whatever a client gets shows that the route answers; a probe wants to see it speak.
      const isShown = call.kind !== 'probe' || context.attempt?.hasOutput === true;
      if (isShown) observeRoute(context, route, { kind: 'first_output', startedAt, trial, at });
      planner.keep(route, at);
      // Before the client can have it: it may name the answer while that goes on.
      planner.keepAnswer(route, context.attempt?.answerId() ?? null, at, isTranslated);
      const own = {
        'x-understudy-target': route.target,
        'x-understudy-attempts': String(n),
        'x-understudy-model': call.model.name,
        ...(dropped.length === 0 ? {} : { 'x-understudy-dropped': headerList(dropped, ports.clean) }),
      };
      if (relay.isStreaming) relay.write(call.codec.encodeComment(`understudy target=${route.target} attempts=${n}`));
      else {
        const base = form === 'stream' ? STREAM_HEADERS : JSON_HEADERS;
        relay.open(200, { ...upstreamHeaders(upstream(), ports.clean), ...base, ...own });
      }
    },
    frames(frames: readonly Frame[]) {
      noteSequence(context, frames);
      context.keeper?.frames(frames);
      relay.write(concatBytes(frames.map((frame) => frame.bytes)));
    },
    json(bytes, isLast) {
      if (isLast) {
        if (!isPartOut) context.keeper?.json(bytes);
        relay.end(bytes);
      } else {
        isPartOut = true;
        relay.write(bytes);
      }
    },
  };
}

/** Members of the client's own, which may be called anything, by the name of a key too. */
const PLAIN_NAME = /^[\w.[\]-]{1,64}$/;
const MAX_LISTED = 32;

function headerList(names: readonly string[], clean: (text: string) => string): string {
  const listed = names.filter((name) => PLAIN_NAME.test(name) && clean(name) === name);
  const shown = listed.slice(0, MAX_LISTED);
  const more = names.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}

/** An error of our own behind these frames has to count on from the last of them. */
function noteSequence(context: RequestContext, frames: readonly Frame[]): void {
  const last = frames.findLast(({ sequence }) => sequence !== undefined)?.sequence;
  if (last !== undefined) context.sequence = last;
  else if (context.sequence === null) context.isUnnumbered = true;
}
