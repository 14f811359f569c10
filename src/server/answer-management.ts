import type { ManagementAnswer } from '../management/index.ts';
import { answerJson, answerProblem } from './answer.ts';
import { clientAddress } from './client-address.ts';
import type { ServerContext } from './context.ts';
import { createEventAnswer, wantsEvents } from './event-answer.ts';
import type { Exchange } from './exchange.ts';
import type { Entered, Outcome } from './handlers.ts';
import { readManagementBody } from './read-management-body.ts';

const PREFIX = '/api/v1';

/** Hands a request on to the management API and its answer back. */
export async function answerManagement(
  exchange: Exchange,
  { identity }: Entered,
  context: ServerContext,
): Promise<Outcome> {
  const { method, path, query, headers, config } = exchange;
  const read = await readManagementBody(exchange, context);
  if (!read.ok) return read.refused;
  const isLast = (): boolean => context.phase() !== 'open';
  const events = createEventAnswer(exchange, context.clock, isLast);
  const answer = await context.management.handle({
    method: method === 'HEAD' ? 'GET' : method,
    path: path.slice(PREFIX.length),
    query,
    headers,
    body: read.bytes,
    config,
    who: { by: identity.by ?? 'none', address: clientAddress(exchange), request: exchange.id },
    onLeave: (act) => exchange.res.once('close', act),
    ...(wantsEvents(headers['accept']) ? { tell: (event) => events.tell(event, event.type === 'report') } : {}),
  });
  if (events.isOpen()) events.end();
  else if (answer.ok) answerJson(exchange, 200, answer.body, { isLast: isLast(), headers: answer.headers ?? {} });
  else {
    const problem = { ...answer.problem, ...cleanProblem(answer.problem, context) };
    answerProblem(exchange, problem, answer.allow ? { allow: answer.allow.join(', ') } : {}, isLast());
  }
  return null;
}

/** What is wrong may quote what was sent. */
function cleanProblem(
  { message, problems }: Extract<ManagementAnswer, { ok: false }>['problem'],
  { clean }: ServerContext,
) {
  return {
    message: clean.text(message),
    ...(problems === undefined
      ? {}
      : {
          problems: problems.map(({ path, message: words, hint, ...place }) => ({
            path: clean.name(path),
            ...place,
            message: clean.text(words),
            hint: hint === null ? null : clean.text(hint),
          })),
        }),
  };
}
