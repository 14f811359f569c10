import { z } from 'zod';
import { OUTCOMES } from '../core/failure/outcome.ts';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();
const rate = z.number().min(0).max(1).nullable();
const tokens = z.number().int().nonnegative().nullable();

/** Tokens of many answers; null: none of them told, `unknown`: so many did not. */
export const usageSum = z.strictObject({
  answers: count,
  unknown: count,
  input_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  cached_tokens: tokens,
  cache_write_tokens: tokens,
});

/** What usage may be told apart by. */
export const USAGE_DIMENSIONS = ['model', 'target', 'key', 'day', 'kind'] as const;

/** Of the first five only those that were asked for are there. */
export const usageRow = z.strictObject({
  /** Null: refused before its model was read. */
  model: z.string().nullable().optional(),
  /** Null: went nowhere. With it, a request counts once for each target that it was sent to. */
  target: z.string().nullable().optional(),
  /** Null: came without a key. */
  key: z.string().nullable().optional(),
  /** Of UTC. */
  day: z.iso.date().optional(),
  kind: z.enum(['answer', 'probe', 'count', 'compact']).optional(),
  requests: count,
  /** Requests that have ended without an answer, those that their client left apart. */
  failed: count,
  attempts: count,
  failed_attempts: count,
  /** What clients got, and what was paid for. */
  usage: z.strictObject({ delivered: usageSum, all: usageSum }),
  cost_usd: z.number().nullable(),
});

export const usageReport = z.strictObject({
  since: time.nullable(),
  by: z.array(z.enum(USAGE_DIMENSIONS)),
  /** The most requests first; days in their order where `day` is asked for alone. */
  data: z.array(usageRow),
  /** Rows beyond the largest thousand. */
  left_out: count,
});

/** A request that has not ended yet. */
export const liveRequest = z.strictObject({
  id: z.string(),
  model: z.string().nullable(),
  protocol: z.string(),
  stream: z.boolean(),
  key: z.string().nullable(),
  started_at: time,
  attempts: z.number().int().positive(),
  /** Of the last attempt. */
  target: z.string(),
});

export const overviewTarget = z.strictObject({
  target: z.string(),
  attempts: count,
  failed: count,
  /** Of the failed ones. */
  outcomes: z.array(z.strictObject({ outcome: z.enum(OUTCOMES), count })),
});

/** What happens now: requests of clients that have ended within the window, and those under way. */
export const overviewView = z.strictObject({
  at: time,
  /** What the numbers begin with: the window's begin, or the start of the gateway. */
  since: time,
  window_ms: count,
  step_ms: count,
  requests: z.strictObject({
    total: count,
    ok: count,
    /** Their first attempt gave the answer. */
    first_ok: count,
    /** They have an answer though an attempt failed: no client saw that. */
    saved: count,
    failed: count,
    /** By the gateway, before any attempt. */
    rejected: count,
    /** Their client left. */
    left: count,
  }),
  /** Of the requests that ended well or failed; null: there were none. */
  success: z.strictObject({ before_failover: rate, after_failover: rate }),
  attempts: z.strictObject({ total: count, failed: count }),
  /** Failed attempts of requests that ended well. */
  unseen_failures: count,
  /** `requests`: the newest hundred of them, those before their first attempt apart. */
  under_way: z.strictObject({ count, requests: z.array(liveRequest) }),
  series: z.array(z.strictObject({ at: time, total: count, ok: count, saved: count, failed: count })),
  /** Those with the most failures first. */
  targets: z.array(overviewTarget),
});

export const AUDIT_ACTIONS = [
  'log_in',
  'log_out',
  'target_reset',
  'target_disable',
  'target_enable',
  'probe',
  'model_put',
  'model_delete',
  'provider_put',
  'provider_delete',
  'config_rollback',
] as const;

export const auditEntry = z.strictObject({
  at: time,
  action: z.enum(AUDIT_ACTIONS),
  /** What it was done to: an id, a name, of a rollback the version gone back to; null: there was none in what was asked. */
  subject: z.string().nullable(),
  result: z.enum(['done', 'refused']),
  /** Of the answer. */
  status: z.number().int(),
  /** `token`: the admin token, `session`: a browser that has logged in, `local`: the user of this machine, `none`: nobody yet. */
  by: z.enum(['token', 'session', 'local', 'none']),
  address: z.string().nullable(),
  request_id: z.string(),
});

/** Newest first. */
export const auditList = z.strictObject({ data: z.array(auditEntry), next: z.string().nullable() });

/** What a page must know before it asks for anything else. */
export const sessionView = z.strictObject({
  /** Whether whoever asks may use the API. */
  entered: z.boolean(),
  /** There is an admin token, and without it nobody comes in. */
  needs_token: z.boolean(),
  expires_at: time.nullable(),
});

export const sessionBody = z.strictObject({ token: z.string().min(1).max(4096) });

/** What `GET /events` tells of itself, beside the events of docs/events.md. */
export const FEED_EVENTS = ['opened', 'reset', 'lagged'] as const;

/**
 * Whatever `GET /events` tells: `event` is its name, `v` the version of its members. `request_started` says of a request
 * what is known then.
 */
export const feedEvent = z.looseObject({
  event: z.string(),
  v: z.number().int().positive(),
  at: time.optional(),
});
