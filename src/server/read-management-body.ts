import type { ServerContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { type RefusedInference, refuseFull } from './hand-over.ts';
import { readBody } from './read-body.ts';
import { BODY_REFUSALS } from './serve-inference.ts';

const NOTHING = new Uint8Array();

type Read =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly refused: RefusedInference };

/** Bounded as the bodies of other requests are, and counted among them while it is read. */
export async function readManagementBody(
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
