import type { RuntimeConfig } from '../config/runtime.ts';
import { answer } from './answer.ts';
import { hasAdminToken, hasMetricsToken } from './auth.ts';
import type { ServerContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Entered, Outcome } from './handlers.ts';
import { findLoopbackProblem, type Visitor } from './loopback-rule.ts';
import { type Refusal, refuse } from './refusal.ts';

const encoder = new TextEncoder();

/** The page of metrics, for those who may see it. */
export async function answerMetrics(exchange: Exchange, _entered: Entered, context: ServerContext): Promise<Outcome> {
  const { config, headers, method, req } = exchange;
  if (!config.telemetry.prometheus.enabled) {
    return refuse('not_found', 'Metrics are switched off: telemetry.prometheus.enabled of the configuration is false.');
  }
  const refusal = refuseVisitor({ peer: req.socket.remoteAddress, method, headers }, config);
  if (refusal !== null) return refusal;
  const { contentType, body } = await context.metrics.render();
  const head = { 'content-type': contentType, 'cache-control': 'no-store' };
  answer(exchange, 200, head, encoder.encode(body), context.phase() !== 'open');
  return null;
}

/**
 * Null: the visitor has one of the tokens, or is the user of this machine, whatever keys the gateway asks of clients.
 */
export function refuseVisitor(visitor: Visitor, config: RuntimeConfig): Refusal | null {
  const { headers } = visitor;
  if (hasMetricsToken(config, headers) || hasAdminToken(config, headers)) return null;
  if (findLoopbackProblem(visitor, config.server) === null) return null;
  const hasToken = config.telemetry.prometheus.token !== null || config.auth.adminToken !== null;
  if (hasToken) {
    const message =
      'Away from this machine metrics need telemetry.prometheus.token or auth.adminToken of the configuration in the header Authorization (as Bearer).';
    return refuse('invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer realm="understudy"' } });
  }
  return refuse(
    'forbidden',
    'Metrics are for this machine only: call localhost directly, or set telemetry.prometheus.token and send it in the header Authorization (as Bearer).',
  );
}
