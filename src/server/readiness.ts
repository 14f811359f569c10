import type { RuntimeConfig } from '../config/runtime.ts';
import type { ReadinessReport, ReportedModel } from '../core/readiness/report.ts';
import { encodeServerError } from './answer.ts';
import { type Capacity, countCapacity } from './capacity.ts';
import type { ServerContext } from './context.ts';
import { enter } from './door.ts';
import type { Exchange } from './exchange.ts';
import { mayUse } from './models.ts';
import { refuse } from './refusal.ts';

/** What the server is told of routes that are probed. */
export type ReadinessPort = {
  report(): ReadinessReport;
  /** Some model has had so many ready routes at once, at some moment since the start. */
  reached(min: number): boolean;
  /** How many of them `/readyz` waits for; null: it does not wait. */
  readonly waitFor: number | null;
};

export type Readiness = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

type Word = 'ready' | 'draining' | 'starting' | 'no_capacity';

/**
 * What `/readyz` says. Capacity is not the process's readiness: only `?capacity=1` asks whether anything behind it could
 * serve.
 */
export function tellReadiness(exchange: Exchange, context: ServerContext): Readiness {
  const { config, query } = exchange;
  const asksCapacity = ['1', 'true'].includes(query.get('capacity') ?? '');
  const capacity = asksCapacity ? countCapacity(config, context.health.snapshot(), context.clock.now()) : null;
  const word = findWord(config, capacity, context);
  const waitFor = context.readiness?.waitFor ?? null;
  const counts = {
    ...(word === 'starting' ? { wait_ready: waitFor } : {}),
    ...(capacity === null ? {} : { capacity }),
    ...(asksCapacity || word === 'starting' ? modelCounts(exchange, context) : {}),
  };
  if (word === 'ready') return { status: 200, body: { status: word, ...counts } };
  const isDraining = word === 'draining';
  const { error } = refuse(isDraining ? 'gateway_overloaded' : 'no_target_available', WHY[word](waitFor ?? 1), {
    component: isDraining ? 'gateway' : 'target',
  });
  const { status, body } = encodeServerError('openai-chat', error, exchange.id);
  const told = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
  return { status, body: { status: word, ...counts, ...told } };
}

const WHY: { readonly [W in Exclude<Word, 'ready'>]: (waitFor: number) => string } = {
  draining: () => 'The gateway is shutting down.',
  starting: (waitFor) => `No model has ${waitFor === 1 ? 'a ready route' : `${waitFor} ready routes`} yet.`,
  no_capacity: () => 'No route can serve now.',
};

function findWord(config: RuntimeConfig, capacity: Capacity | null, { phase, readiness }: ServerContext): Word {
  if (phase() !== 'open') return 'draining';
  const waitFor = readiness?.waitFor ?? null;
  if (waitFor !== null && readiness?.reached(waitFor) === false) return 'starting';
  if (capacity === null) return 'ready';
  // Where rounds tell who is ready, a route that nobody has asked yet is none.
  const isUnproved = hasRounds(config) && readiness?.reached(1) === false;
  return capacity.able === 0 || isUnproved ? 'no_capacity' : 'ready';
}

/** Over all models, by themselves; targets out of a catalogue have them wherever nobody has said otherwise. */
function hasRounds({ models, readiness }: RuntimeConfig): boolean {
  const { mode } = readiness.probe;
  if (mode !== null) return mode === 'full';
  return [...models.values()].every(({ targets }) => targets.every(({ catalogue }) => catalogue !== undefined));
}

const COUNTS = [
  'candidates',
  'probed',
  'ready',
  'slow',
  'deferred',
  'rejected',
  'postponed',
  'unreached',
] as const satisfies readonly (keyof ReportedModel)[];

/** By model, for those who may ask for its name: the path is open to anybody. */
function modelCounts(exchange: Exchange, { readiness }: ServerContext): { readonly models?: object } {
  const entry = readiness === undefined ? null : enter(exchange, 'client');
  if (readiness === undefined || entry?.ok !== true) return {};
  const { key } = entry.identity;
  const models = readiness.report().models.filter(({ model }) => mayUse(key, model, model));
  const counts = models.map((each) => [each.model, Object.fromEntries(COUNTS.map((name) => [name, each[name]]))]);
  return { models: Object.fromEntries(counts) };
}
