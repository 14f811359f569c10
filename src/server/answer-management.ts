import { answerJson, answerProblem } from './answer.ts';
import type { ServerContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Entered, Outcome } from './handlers.ts';

const PREFIX = '/api/v1';

/** Hands a request on to the management API and its answer back. */
export async function answerManagement(
  exchange: Exchange,
  _entered: Entered,
  context: ServerContext,
): Promise<Outcome> {
  const { method, path, query, config } = exchange;
  const isLast = context.phase() !== 'open';
  const request = { method: method === 'HEAD' ? 'GET' : method, path: path.slice(PREFIX.length), query, config };
  const answer = await context.management.handle(request);
  if (answer.ok) answerJson(exchange, 200, answer.body, { isLast });
  else answerProblem(exchange, answer.problem, answer.allow ? { allow: answer.allow.join(', ') } : {}, isLast);
  return null;
}
