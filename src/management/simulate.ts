import { z } from 'zod';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

const asked = z.strictObject({
  /** YAML as text, or the same as JSON. */
  script: z.union([z.string(), z.record(z.string(), z.unknown())]),
  model: z.string().min(1).nullish(),
  show: z.number().int().positive().nullish(),
});

const FORM =
  'The body is {"script": a script as text (YAML) or as an object, "model": a name where the script has none, "show": the number of a request}.';

/** `POST /simulate`: plays a script against the configuration in force, in virtual time. Nothing is sent. */
export async function answerSimulate(
  _ids: readonly string[],
  { body, config, onLeave }: ManagementRequest,
  { simulation }: ManagementPorts,
): Promise<ManagementAnswer> {
  if (simulation === undefined) return notFound('There are no simulations here.');
  const read = asked.safeParse(parse(body));
  if (!read.success) {
    const where = read.error.issues[0]?.path.join('.') ?? '';
    return problem(400, 'invalid_request_error', `${FORM}${where === '' ? '' : ` Look at ${where}.`}`);
  }
  const { script, model, show } = read.data;
  const answer = await simulation.simulate({
    script: typeof script === 'string' ? script : JSON.stringify(script),
    model: model ?? null,
    show: show ?? null,
    config,
    ...(onLeave === undefined ? {} : { onLeave }),
  });
  if (answer.ok) return answer;
  return answer.isBusy
    ? problem(503, 'gateway_overloaded', answer.message)
    : problem(400, 'invalid_request_error', answer.message);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
