import { z } from 'zod';

const count = z.number().int().nonnegative();
const ms = z.number().nonnegative();
const time = z.iso.datetime();

export const readinessRoute = z.strictObject({
  route: z.string(),
  provider: z.string(),
  model: z.string(),
  credential: z.string(),
  endpoint: z.string(),
  tier: z.number().int(),
  /** `unreached`: nothing is known of it; `postponed`: its key was set aside in this round. */
  state: z.enum(['ready', 'slow', 'deferred', 'rejected', 'unreached', 'postponed']),
  reason: z.string().nullable(),
  /** Members that are left out here are not known: the one exception to the rule that unknown is null. */
  http_status: z.number().int().optional(),
  attempts: count,
  escalated: z.boolean().optional(),
  latency_ms: ms.optional(),
  retry_after_ms: ms.optional(),
  age_ms: ms.nullable(),
  next_check_at: time.nullable(),
});

const stage = z.strictObject({
  stage: z.enum(['discovery', 'first_pass', 'second_pass']),
  ms,
  probes: count,
  end: z.enum(['complete', 'target_ready', 'max_probes', 'max_tokens', 'max_time', 'stopped']),
});

export const readinessModel = z.strictObject({
  model: z.string(),
  candidates: count,
  probed: count,
  ready: count,
  slow: count,
  deferred: count,
  rejected: count,
  postponed: count,
  unreached: count,
  escalations: z.strictObject({ used: count, denied: count, budget: count }),
  endpoints: count,
  credentials: count,
  warnings: z.array(z.string()),
  stages: z.array(stage),
  routes: z.array(readinessRoute),
});

/** `GET /readiness`, and what `POST /readiness/probe` ends with. */
export const readinessView = z.strictObject({
  contract: z.literal('understudy-readiness-v1'),
  generated_at: time,
  models: z.array(readinessModel),
  providers: z.array(
    z.strictObject({
      provider: z.string(),
      discovered: count.nullable(),
      error: z.string().optional(),
      age_ms: ms.optional(),
    }),
  ),
});

/** What `POST /readiness/probe` tells while it runs, to those who accept `text/event-stream`. */
export const readinessEvent = z.discriminatedUnion('type', [
  /** The first one. `models`: those that were asked for. */
  z.strictObject({
    type: z.literal('probing'),
    models: z.array(z.string()),
    providers: z.array(z.strictObject({ provider: z.string(), candidates: count })),
  }),
  z.strictObject({ type: z.literal('round_started'), models: z.array(z.string()), candidates: count }),
  z.strictObject({
    type: z.literal('discovered'),
    provider: z.string(),
    models: count.nullable(),
    error: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal('probe_started'), route: z.string(), provider: z.string() }),
  z.strictObject({
    type: z.literal('probe_ended'),
    route: z.string(),
    provider: z.string(),
    state: z.string(),
    ms,
  }),
  z.strictObject({ type: z.literal('round_ended') }),
  /** The last one. */
  z.strictObject({ type: z.literal('report'), report: readinessView }),
]);
