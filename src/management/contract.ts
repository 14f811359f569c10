import { z } from 'zod';
import { BREACH_LAWS } from '../core/attempt/reconcile.ts';
import { OUTCOMES } from '../core/failure/outcome.ts';
import {
  type auditEntry,
  type auditList,
  type feedEvent,
  type liveRequest,
  type overviewView,
  type sessionBody,
  type sessionView,
  type usageReport,
  type usageRow,
  usageSum,
} from './activity-contract.ts';
import {
  type configChange,
  configProblem,
  type configVersion,
  type configVersionList,
  type modelEntry,
  type modelEntryList,
  type providerEntry,
  type providerEntryList,
  type rollbackBody,
} from './config-contract.ts';
import type { readinessEvent, readinessModel, readinessRoute, readinessView } from './readiness-contract.ts';
import type { simulationAnswer } from './simulation-contract.ts';

/**
 * What the management API says, shape by shape. Times are ISO 8601; members that end in `_ms` count from the start of
 * their request. Unknown is null, never 0 and never left out.
 */
const time = z.iso.datetime();
const ms = z.number().nonnegative();
const outcome = z.enum(OUTCOMES);
const protocol = z.enum(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'bedrock-converse']);
const phase = z.enum(['connecting', 'sent', 'preflight', 'streaming', 'done']);
const state = z.enum(['ready', 'slow', 'deferred', 'open', 'half_open', 'rejected', 'disabled']);
const tokens = z.number().int().nonnegative().nullable();

export const usageView = z.strictObject({
  input_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  cached_tokens: tokens,
  cache_write_tokens: tokens,
  source: z.enum(['reported', 'estimated', 'unknown']),
});

export const attemptView = z.strictObject({
  n: z.number().int().positive(),
  target: z.string(),
  credential: z.string(),
  endpoint: z.string(),
  /** Null while it runs. */
  outcome: outcome.nullable(),
  status: z.number().int().nullable(),
  phase,
  committed: z.boolean(),
  why: z.string(),
  trial: z.boolean(),
  charged: z.boolean(),
  started_ms: ms,
  headers_ms: ms.nullable(),
  first_output_ms: ms.nullable(),
  ended_ms: ms.nullable(),
  usage: usageView.nullable(),
  cost_usd: z.number().nullable(),
  reason: z.string().nullable(),
  /** Until when this end keeps its scope out of service. */
  cooldown: time.nullable(),
});

export const skippedView = z.strictObject({ target: z.string(), outcome, until: time.nullable() });

/** A request in a list. */
export const requestSummary = z.strictObject({
  id: z.string(),
  /** Null when it was refused before its model was read. */
  model: z.string().nullable(),
  /** The name that the client asked for, of which `model` is the meaning; null where an older version recorded it. */
  asked: z.string().nullable(),
  protocol,
  stream: z.boolean(),
  /** What was asked for; in what an older version recorded all are answers. */
  kind: z.enum(['answer', 'probe', 'count', 'compact']),
  started_at: time,
  /** What the client's status line said; null while it runs, or when the client left before one. */
  status: z.number().int().nullable(),
  outcome: outcome.nullable(),
  served_by: z.string().nullable(),
  committed_at_ms: ms.nullable(),
  duration_ms: ms.nullable(),
  key: z.string().nullable(),
  usage: usageView.nullable(),
  cost_usd: z.number().nullable(),
  attempt_count: z.number().int().nonnegative(),
});

export const requestView = requestSummary.extend({
  component: z.enum(['client', 'gateway', 'credential', 'target', 'endpoint', 'policy', 'deadline']).nullable(),
  reason: z.string().nullable(),
  client_request_id: z.string().nullable(),
  client_retry_of: z.string().nullable(),
  edits: z.array(z.string()),
  skipped: z.array(skippedView),
  attempts: z.array(attemptView),
});

export const availabilityView = z.strictObject({
  state,
  cause: z.string().nullable(),
  reason: z.string().nullable(),
  since: time.nullable(),
  until: time.nullable(),
  told: z.boolean(),
  scope: z.enum(['route', 'target', 'credential', 'endpoint']),
});

export const candidateView = z.strictObject({
  target: z.string(),
  /** Why it was left out; null when it has a rank. */
  outcome: outcome.nullable(),
  rank: z.number().int().positive().nullable(),
  use: z.enum(['serve', 'trial', 'last_resort', 'skip']),
  /** What its target lacks for the request: a feature, `contextWindow`, `protocol` (another one, untranslated), `translation` (no words for it) or `translator` (the gateway could not translate it then). */
  lacks: z.array(z.string()),
  /** Why it is asked before others: the conversation is on it, or it has what the request goes on from. */
  bound_by: z.enum(['affinity', 'issuer']).nullable(),
  /** What of the request a translation to it would lose, as the client spells it. */
  drops: z.array(z.string()),
  reason: z.string(),
  route: z.string(),
  credential: z.string(),
  endpoint: z.string(),
  /** The target's. */
  protocol,
  tier: z.number().int(),
  weight: z.number(),
  availability: availabilityView,
});

export const planView = z.strictObject({
  /** The attempt that this choice led to; null when it led to none, or was made before the first. */
  attempt: z.number().int().positive().nullable(),
  at_ms: z.number(),
  /** Target ids as tiers, affinity and strategy put them, whether they could serve or not. */
  order: z.array(z.string()),
  missing: z.array(z.string()),
  candidates: z.array(candidateView),
});

export const explanationView = z.strictObject({
  id: z.string(),
  model: z.string().nullable(),
  outcome: outcome.nullable(),
  /** Why there is no plan, in words; null where there is one, or may still come. */
  message: z.string().nullable(),
  plans: z.array(planView),
});

const settings = z.record(z.string(), z.unknown());

/** What would happen to a request. */
export const planAnswer = z.strictObject({
  /** The name that the request asks for, and the model that it means. */
  asked: z.string(),
  model: z.string(),
  protocol,
  stream: z.boolean(),
  /** What it needs of a target. */
  needs: z.array(z.string()),
  estimated_input_tokens: z.number().nonnegative(),
  strategy: z.string(),
  at: time,
  order: z.array(z.string()),
  missing: z.array(z.string()),
  candidates: z.array(candidateView),
  /**
   * Effective ones, with presets and defaults worked in, as the file names them; of targets what is other than the
   * model's.
   */
  settings: z.strictObject({ model: settings, targets: z.record(z.string(), settings) }),
});

export const scopeView = z.strictObject({
  kind: z.enum(['route', 'credential', 'endpoint']),
  id: z.string(),
  target: z.string().nullable(),
  credential: z.string().nullable(),
  endpoint: z.string().nullable(),
  /** Of a route; null for what several protocols may share. */
  protocol: protocol.nullable(),
  state,
  reason: z.string().nullable(),
  since: time.nullable(),
  /** The next possible use; null when it can be used now, or nothing tells. */
  until: time.nullable(),
  /** Weighted failures in the circuit's window. */
  failures: z.number().nonnegative(),
  last: z
    .strictObject({
      outcome,
      at: time,
      ms,
      status: z.number().int().nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
});

/** A target: the routes that lead to it. */
export const targetView = z.strictObject({ kind: z.literal('target'), id: z.string(), routes: z.array(scopeView) });

const count = z.number().int().nonnegative();

/** Whether what is on record adds up. */
export const reconciliationView = z.strictObject({
  /** Null: from the first record on. */
  since: time.nullable(),
  /** No breach, and no fact was refused. */
  ok: z.boolean(),
  requests: z.strictObject({ total: count, open: count, ended: count, rejected: count, abandoned: count }),
  attempts: z.strictObject({ total: count, open: count, ended: count, committed: count, abandoned: count }),
  /** Of the attempts that were delivered, and of all of them. */
  usage: z.strictObject({ delivered: usageSum, all: usageSum }),
  breach_count: count,
  /** The first of them. */
  breaches: z.array(
    z.strictObject({ request: z.string(), attempt: z.number().int().positive().nullable(), law: z.enum(BREACH_LAWS) }),
  ),
  /** Facts that were refused because they would have broken a law. */
  violations: z.strictObject({
    count,
    first: z.array(z.strictObject({ at: time, request: z.string(), fact: z.string(), law: z.string() })),
  }),
});

export const problemView = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  /** Of a configuration that was not taken: everything that is wrong with it. */
  problems: z.array(configProblem).optional(),
});

const listOf = <T extends z.ZodType>(item: T) => z.strictObject({ data: z.array(item), next: z.string().nullable() });

export const requestList = listOf(requestSummary);
/** The same with `attempts=1`. */
export const requestRecords = listOf(requestView);
export const scopeList = listOf(scopeView);

export type UsageView = z.infer<typeof usageView>;
export type AttemptView = z.infer<typeof attemptView>;
export type RequestSummary = z.infer<typeof requestSummary>;
export type RequestView = z.infer<typeof requestView>;
export type CandidateView = z.infer<typeof candidateView>;
export type ExplanationView = z.infer<typeof explanationView>;
export type ProblemView = z.infer<typeof problemView>;
export type PlanAnswer = z.infer<typeof planAnswer>;
export type ReconciliationView = z.infer<typeof reconciliationView>;
export type ScopeView = z.infer<typeof scopeView>;
export type TargetView = z.infer<typeof targetView>;
export type RequestList = z.infer<typeof requestList>;
export type RequestRecords = z.infer<typeof requestRecords>;
export type ScopeList = z.infer<typeof scopeList>;

export type UsageSumView = z.infer<typeof usageSum>;
export type UsageRow = z.infer<typeof usageRow>;
export type UsageReport = z.infer<typeof usageReport>;
export type LiveRequest = z.infer<typeof liveRequest>;
export type OverviewView = z.infer<typeof overviewView>;
export type AuditEntry = z.infer<typeof auditEntry>;
export type AuditList = z.infer<typeof auditList>;
export type SessionView = z.infer<typeof sessionView>;
export type SessionBody = z.infer<typeof sessionBody>;
export type FeedEvent = z.infer<typeof feedEvent>;
export type ModelEntry = z.infer<typeof modelEntry>;
export type ModelEntryList = z.infer<typeof modelEntryList>;
export type ProviderEntry = z.infer<typeof providerEntry>;
export type ProviderEntryList = z.infer<typeof providerEntryList>;
export type ConfigProblemView = z.infer<typeof configProblem>;
export type ConfigChange = z.infer<typeof configChange>;
export type ConfigVersion = z.infer<typeof configVersion>;
export type ConfigVersionList = z.infer<typeof configVersionList>;
export type RollbackBody = z.infer<typeof rollbackBody>;
export type ReadinessView = z.infer<typeof readinessView>;
export type ReadinessModel = z.infer<typeof readinessModel>;
export type ReadinessRoute = z.infer<typeof readinessRoute>;
export type ReadinessEvent = z.infer<typeof readinessEvent>;
export type SimulationAnswer = z.infer<typeof simulationAnswer>;
