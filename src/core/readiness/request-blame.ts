import { STOPS } from '../attempt/judge-stop.ts';
import type { Component, Outcome } from '../failure/outcome.ts';

/**
 * What the end of one request says to whoever asks why a run failed. `served`: it had its answer, whatever was tried
 * before. `left`: its client did not wait for the end. `command`: the request itself could not be served.
 */
export type Blame = 'served' | 'left' | 'command' | 'capacity' | 'configuration' | 'gateway';

/** The one table: how a request ended, and where its loss is to be looked for. */
export const OUTCOME_BLAME: Readonly<Record<Outcome, Blame>> = {
  ok: 'served',
  ok_truncated: 'served',
  ok_filtered: 'served',
  refused: 'served',
  client_closed: 'left',
  hedge_lost: 'left',
  interrupted: 'capacity',
  rate_limited: 'capacity',
  quota_exhausted: 'capacity',
  overloaded: 'capacity',
  server_error: 'capacity',
  bad_gateway: 'capacity',
  connect_error: 'capacity',
  stale_socket: 'capacity',
  timeout_connect: 'capacity',
  timeout_headers: 'capacity',
  timeout_first_output: 'capacity',
  timeout_idle: 'capacity',
  timeout_progress: 'capacity',
  timeout_whole: 'capacity',
  timeout_commit: 'capacity',
  timeout_total: 'capacity',
  outcome_unknown: 'capacity',
  protocol_error: 'capacity',
  empty_stream: 'capacity',
  empty_completion: 'capacity',
  incomplete_stream: 'capacity',
  model_unavailable: 'capacity',
  bad_generation: 'capacity',
  skipped_cooldown: 'capacity',
  skipped_circuit: 'capacity',
  skipped_disabled: 'capacity',
  skipped_budget: 'capacity',
  skipped_busy: 'capacity',
  auth: 'configuration',
  permission: 'configuration',
  billing: 'configuration',
  model_not_found: 'configuration',
  model_gone: 'configuration',
  context_length: 'command',
  payload_too_large: 'command',
  content_policy: 'command',
  unsupported_capability: 'command',
  incompatible_history: 'command',
  bad_request: 'command',
  skipped_capability: 'command',
  skipped_state: 'command',
  // Refused before any attempt: its reason or its component says more.
  rejected: 'command',
  abandoned: 'gateway',
};

/** Of a request that was refused before any attempt, where no outcome word tells what held its targets. */
const COMPONENT_BLAME: Readonly<Record<Component, Blame>> = {
  client: 'command',
  policy: 'command',
  gateway: 'gateway',
  credential: 'capacity',
  target: 'capacity',
  endpoint: 'capacity',
  deadline: 'capacity',
};

/** Someone has taken every target out of service: the gateway did as it was told. */
const OPERATOR = 'operator';

/** As it is on record: see `request_ended`. */
export type RequestEnd = {
  readonly outcome: Outcome;
  readonly component: Component | null;
  readonly reason: string | null;
};

/** Before output and behind it. A run's gateway drains when the command has ended: what it ends then is nobody's any more. */
const DRAINED: readonly string[] = ['draining', STOPS.drain.outcome];

/** Whose matter the end of a request is. Total. */
export function blameOf({ outcome, component, reason }: RequestEnd): Blame {
  const blame = OUTCOME_BLAME[outcome];
  if (blame === 'served') return blame;
  if (component === 'gateway' && reason !== null && DRAINED.includes(reason)) return 'left';
  if (outcome !== 'rejected') return component === 'gateway' ? 'gateway' : blame;
  // Names that the gateway does not know are called as those that a provider does not know.
  if (component === 'client' || component === 'policy') return 'command';
  if (reason === OPERATOR) return 'capacity';
  const held = reason === null ? null : blameOfWord(reason);
  return held ?? (component === null ? blame : COMPONENT_BLAME[component]);
}

/** The same of the word alone, as reports have it; null for what is no word of an outcome that says something. */
export function blameOfWord(word: string): Blame | null {
  if (word === 'rejected' || !Object.hasOwn(OUTCOME_BLAME, word)) return null;
  return OUTCOME_BLAME[word as Outcome];
}
