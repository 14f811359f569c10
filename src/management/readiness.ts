import { z } from 'zod';
import { closestNames } from '../config/nearest.ts';
import { recordedName } from '../config/resolve.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { ReadinessReport } from '../core/readiness/report.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

/** More names than these are a mistake, or worse. */
const MAX_MODELS = 1000;

const asked = z.strictObject({ models: z.array(z.string().min(1)).max(MAX_MODELS).nullish() });

const FORM = 'The body is {"models": names of models}, or {} for all of them.';

type Named =
  | { readonly ok: true; readonly models: readonly string[] | null }
  | { readonly ok: false; readonly answer: ManagementAnswer };

/** `GET /readiness`: what is known of all routes, or of those of the models that the query names. Nobody is asked. */
export function answerReadiness(
  _ids: readonly string[],
  { query, config }: Pick<ManagementRequest, 'query' | 'config'>,
  { prober }: Pick<ManagementPorts, 'prober'>,
): ManagementAnswer {
  if (prober === undefined) return noProber();
  const names = query.getAll('model').filter((name) => name !== '');
  const named = findModels(config, names.length === 0 ? null : names);
  return named.ok ? { ok: true, body: pickModels(prober.report(), named.models) } : named.answer;
}

/**
 * `POST /readiness/probe`: a round now, whatever the mode of the configuration. It goes on when whoever asked has left,
 * and one that is asked for meanwhile is the same.
 */
export async function answerProbe(
  _ids: readonly string[],
  { body, config, tell, onLeave }: Pick<ManagementRequest, 'body' | 'config' | 'tell' | 'onLeave'>,
  { prober }: Pick<ManagementPorts, 'prober'>,
): Promise<ManagementAnswer> {
  if (prober === undefined) return noProber();
  const read = asked.safeParse(parse(body));
  if (!read.success) return problem(400, 'invalid_request_error', FORM);
  const named = findModels(config, read.data.models ?? null);
  if (!named.ok) return named.answer;
  tell?.({
    type: 'probing',
    models: named.models ?? [...config.models.keys()],
    providers: countCandidates(pickModels(prober.report(), named.models)),
  });
  const unwatch = tell === undefined ? () => {} : prober.watch(tell);
  onLeave?.(unwatch);
  try {
    const report = pickModels(await prober.probe(named.models), named.models);
    tell?.({ type: 'report', report });
    return { ok: true, body: report };
  } finally {
    unwatch();
  }
}

const noProber = (): ManagementAnswer => notFound('Nobody probes here.');

/** Models by their names and aliases, each once; null: all of them. */
function findModels(config: RuntimeConfig, names: readonly string[] | null): Named {
  if (names === null || names.length === 0) return { ok: true, models: null };
  const models = names.map((name) => recordedName(config, name));
  const unknown = models.find((name) => !config.models.has(name));
  if (unknown === undefined) return { ok: true, models: [...new Set(models)] };
  const near = closestNames(unknown, [...config.models.keys()], 3);
  const hint = near.length === 0 ? '' : ` The nearest: ${near.join(', ')}.`;
  const answer = problem(404, 'model_not_found', `There is no model ${JSON.stringify(unknown.slice(0, 128))}.${hint}`);
  return { ok: false, answer };
}

const pickModels = (report: ReadinessReport, names: readonly string[] | null): ReadinessReport =>
  names === null ? report : { ...report, models: report.models.filter(({ model }) => names.includes(model)) };

/** Routes of each provider, one that several models have once. */
function countCandidates({ models }: ReadinessReport): readonly { provider: string; candidates: number }[] {
  const routes = new Map(models.flatMap((model) => model.routes.map(({ route, provider }) => [route, provider])));
  const counts = new Map<string, number>();
  for (const provider of routes.values()) counts.set(provider, (counts.get(provider) ?? 0) + 1);
  return [...counts].map(([provider, candidates]) => ({ provider, candidates }));
}

/** No body at all asks for everything. */
function parse(body: Uint8Array): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
