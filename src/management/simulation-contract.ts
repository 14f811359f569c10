import { z } from 'zod';

const ms = z.number().nonnegative();
const count = z.number().int().nonnegative();
const rate = z.number().min(0).max(1);

const percentiles = z.strictObject({
  count,
  p50_ms: ms.nullable(),
  p90_ms: ms.nullable(),
  p99_ms: ms.nullable(),
  max_ms: ms.nullable(),
});

const event = z.strictObject({
  ms,
  side: z.enum(['client', 'provider']),
  what: z.string(),
  text: z.string(),
  frames: count,
  last_ms: ms,
});

/** What came of a simulation. Members that end in `_ms` count from the beginning of the simulated world. */
export const simulationView = z.strictObject({
  seed: count,
  config: z.string().nullable(),
  complete: z.boolean(),
  lasted_ms: ms,
  requests: z.strictObject({
    total: count,
    client_retries: count,
    answered: count,
    left: count,
    failed: count,
    success_rate: rate.nullable(),
    first_route_rate: rate.nullable(),
    turns: count,
    turn_success_rate: rate.nullable(),
  }),
  clients: z.array(
    z.strictObject({
      seen: z.enum(['whole', 'error', 'half', 'cut', 'nothing', 'left']),
      status: z.number().int().nullable(),
      code: z.string().nullable(),
      count,
    }),
  ),
  served: z.array(z.strictObject({ target: z.string(), count, share: rate })),
  latency: z.strictObject({ whole: percentiles, added: percentiles, added_after_failover: percentiles }),
  routes: z.array(
    z.strictObject({
      route: z.string(),
      target: z.string(),
      provider: z.string(),
      sends: count,
      served: count,
      outcomes: z.array(z.strictObject({ outcome: z.string(), count })),
    }),
  ),
  probes: z.array(
    z.strictObject({
      route: z.string(),
      sends: count,
      outcomes: z.array(z.strictObject({ outcome: z.string(), count })),
    }),
  ),
  attempts: z.array(z.strictObject({ sends: count, requests: count })),
  outages: z.array(
    z.strictObject({
      scope: z.string(),
      id: z.string(),
      from_ms: ms,
      back_ms: ms.nullable(),
      states: z.array(z.string()),
      reason: z.string().nullable(),
    }),
  ),
  tokens: z.strictObject({ input: count, output: count, wasted_input: count, wasted_output: count }),
  traffic: z.strictObject({
    bucket_ms: ms,
    series: z.array(z.strictObject({ target: z.string(), counts: z.array(count) })),
    failed: z.array(count),
  }),
  shown: z
    .strictObject({
      n: count,
      id: z.string(),
      why: z.string(),
      at_ms: ms,
      model: z.string(),
      protocol: z.string(),
      stream: z.boolean(),
      status: z.number().int().nullable(),
      outcome: z.string().nullable(),
      served_by: z.string().nullable(),
      events: z.array(event),
    })
    .nullable(),
  leftovers: z.array(z.string()),
});

/** `compared` is null but where a second configuration was given. */
export const simulationAnswer = z.strictObject({
  simulation: simulationView,
  compared: z
    .strictObject({
      report: simulationView,
      differences: z.array(
        z.strictObject({
          what: z.string(),
          here: z.number().nullable(),
          there: z.number().nullable(),
          better: z.boolean().nullable(),
          words: z.string(),
        }),
      ),
      only_there: count,
      only_here: count,
    })
    .nullable(),
});
