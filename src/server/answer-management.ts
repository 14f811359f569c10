import { answerJson, answerProblem } from './answer.ts';
import type { ServerContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { type RefusedInference, refuseFull } from './hand-over.ts';
import type { Entered, Outcome } from './handlers.ts';
import { readBody } from './read-body.ts';
import { BODY_REFUSALS } from './serve-inference.ts';

const PREFIX = '/api/v1';
const NOTHING = new Uint8Array();

/** Hands a request on to the management API and its answer back. */
export async function answerManagement(
  exchange: Exchange,
  _entered: Entered,
  context: ServerContext,
): Promise<Outcome> {
  const { method, path, query, headers, config } = exchange;
  const read = await readManagementBody(exchange, context);
  if (!read.ok) return read.refused;
  const isLast = context.phase() !== 'open';
  const answer = await context.management.handle({
    method: method === 'HEAD' ? 'GET' : method,
    path: path.slice(PREFIX.length),
    query,
    headers,
    body: read.bytes,
    config,
    onLeave: (act) => exchange.res.once('close', act),
  });
  if (answer.ok) answerJson(exchange, 200, answer.body, { isLast });
  else {
    const problem = { ...answer.problem, message: context.clean.text(answer.problem.message) };
    answerProblem(exchange, problem, answer.allow ? { allow: answer.allow.join(', ') } : {}, isLast);
  }
  return null;
}

type Read =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly refused: RefusedInference };

/** Bounded as the bodies of other requests are, and counted among them while it is read. */
async function readManagementBody(
  { method, req, res, config, isWaiting }: Exchange,
  context: ServerContext,
): Promise<Read> {
  if (method === 'GET' || method === 'HEAD') return { ok: true, bytes: NOTHING };
  const admitted = context.admission.enter(config);
  if (admitted === null) {
    return {
      ok: false,
      refused: refuseFull('The gateway has as many requests as it may take: ask again in a moment.'),
    };
  }
  try {
    const body = await readBody(req, {
      clock: context.clock,
      limit: config.server.bodyLimit,
      timeoutMs: config.server.requestTimeoutMs,
      reserve: (bytes) => admitted.reserve(bytes),
      goAhead: () => isWaiting && res.writeContinue(),
    });
    return body.ok ? body : { ok: false, refused: BODY_REFUSALS[body.problem](config.server) };
  } finally {
    admitted.leave();
  }
}
