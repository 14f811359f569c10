import type { AuditEntry, RequestView } from '../../../src/management/contract.ts';

export type Outcome = NonNullable<RequestView['outcome']>;

/** Words for what the API names by one: all there are. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  ok: 'ok',
  ok_truncated: 'ok, cut at its token limit',
  ok_filtered: 'ok, cut by a filter',
  refused: 'refused by the model',
  interrupted: 'broke off behind output',
  client_closed: 'the client left',
  rate_limited: 'rate limited',
  quota_exhausted: 'quota used up',
  overloaded: 'overloaded',
  server_error: 'server error',
  bad_gateway: 'bad gateway',
  connect_error: 'no connection',
  stale_socket: 'stale connection',
  timeout_connect: 'no connection in time',
  timeout_headers: 'no head in time',
  timeout_first_output: 'no first word in time',
  timeout_idle: 'fell silent',
  timeout_progress: 'stopped getting on',
  timeout_whole: 'no answer in time',
  timeout_commit: 'nobody began in time',
  timeout_total: 'time was up',
  outcome_unknown: 'nobody knows',
  protocol_error: 'broken protocol',
  empty_stream: 'empty stream',
  empty_completion: 'said nothing',
  incomplete_stream: 'cut stream',
  auth: 'key refused',
  permission: 'not permitted',
  billing: 'unpaid',
  model_not_found: 'unknown model',
  model_gone: 'retired model',
  model_unavailable: 'model unavailable',
  context_length: 'too long for the model',
  payload_too_large: 'too large',
  content_policy: 'against a policy',
  unsupported_capability: 'can not do that',
  incompatible_history: 'history of another model',
  bad_request: 'bad request',
  bad_generation: 'broken answer',
  hedge_lost: 'another was faster',
  abandoned: 'the gateway died',
  skipped_cooldown: 'skipped: on hold',
  skipped_circuit: 'skipped: circuit open',
  skipped_capability: 'skipped: can not do that',
  skipped_state: 'skipped: not ready',
  skipped_disabled: 'skipped: disabled',
  skipped_budget: 'skipped: budget used up',
  skipped_busy: 'skipped: busy',
  rejected: 'turned away',
};

/** What a request may have been asked for. */
export const KIND_WORDS: Readonly<Record<RequestView['kind'], string>> = {
  answer: 'answers',
  count: 'token counts',
  compact: 'compactions',
  probe: 'probes',
};

export const outcomeWord = (outcome: string | null): string =>
  outcome === null
    ? 'under way'
    : ((OUTCOME_WORDS as Readonly<Record<string, string>>)[outcome] ?? outcome.replaceAll('_', ' '));

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  quiet: 'text-ink',
};

/** Colours of marks and bars. */
export const TONE_FILL: Readonly<Record<Tone, string>> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  quiet: 'bg-line-strong',
};

export const isOk = (outcome: string | null): boolean => outcome?.startsWith('ok') === true || outcome === 'refused';

export function outcomeTone(outcome: string | null): Tone {
  if (outcome === null) return 'info';
  if (isOk(outcome)) return 'good';
  return outcome === 'client_closed' || outcome === 'stale_socket' || outcome.startsWith('skipped') ? 'quiet' : 'bad';
}

const STATE_TONES: Readonly<Record<string, Tone>> = {
  ready: 'good',
  slow: 'warn',
  deferred: 'warn',
  half_open: 'warn',
  open: 'bad',
  rejected: 'bad',
  disabled: 'quiet',
  unreached: 'quiet',
  postponed: 'quiet',
};

export const stateTone = (state: string): Tone => STATE_TONES[state] ?? 'quiet';

export const stateWord = (state: string): string => state.replaceAll('_', '-');

/** What somebody did, by the word of the audit. */
export const ACTION_WORDS: Readonly<Record<AuditEntry['action'], string>> = {
  log_in: 'logged in',
  log_out: 'logged out',
  target_reset: 'reset',
  target_disable: 'disabled',
  target_enable: 'enabled',
  probe: 'probed',
  model_put: 'changed a model',
  model_delete: 'took a model out',
  provider_put: 'changed a provider',
  provider_delete: 'took a provider out',
  config_rollback: 'went back to a version',
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `812 ms`, `3.4 s`, `2 m 05 s`, `3 h 10 m`, `2 d 4 h`. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m ${pad(Math.floor((ms % MINUTE) / SECOND))} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${pad(Math.floor((ms % HOUR) / MINUTE))} m`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** The same in whole seconds, for what changes with each of them. */
export const wholeSeconds = (ms: number): string =>
  duration(ms < MINUTE ? Math.max(SECOND, Math.round(ms / SECOND) * SECOND) : ms).replace('.0 s', ' s');

/** `just now`, `12 s ago`, `in 3 m 20 s`. */
export function fromNow(at: string | number, now: number): string {
  const ms = new Date(at).getTime() - now;
  if (Math.abs(ms) < SECOND) return 'just now';
  return ms > 0 ? `in ${wholeSeconds(ms)}` : `${wholeSeconds(-ms)} ago`;
}

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const count = (value: number): string => (value < 100_000 ? whole.format(value) : short.format(value));

/** Unknown is no zero. */
export const known = (value: number | null | undefined): string => (value == null ? 'unknown' : count(value));

/** `99.98 %`; all is 100 only where it is all. */
export function share(part: number, of: number): string {
  if (of === 0) return '–';
  const percent = (100 * part) / of;
  if (part === of) return '100 %';
  return `${Math.min(99.99, percent).toFixed(percent >= 99 ? 2 : 1)} %`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** `18:51:36`, or with its day where that is another one: `1 Dec, 18:51`. */
export function clockTime(at: string | number, now: number): string {
  const then = new Date(at);
  return then.toDateString() === new Date(now).toDateString() ? clock.format(then) : day.format(then);
}

/** Reasons of a plan and of readiness that are no outcome. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  no_round: 'not probed yet',
};

/** A reason as it stands in a plan. `isTimed`: until when is told beside it, so that the seconds at its end can go. */
export function reasonWords(reason: string, isTimed = false): string {
  const told = isTimed ? reason.replace(/ for \d+ s$/, '') : reason;
  return REASON_WORDS[told] ?? outcomeWord(told);
}

/** A route without what goes without saying: `demo/ok`, `acme/large · spare`. */
export const routeName = (target: string, credential: string | null): string =>
  credential === null || credential === 'default' ? target : `${target} · ${credential}`;

/** `1 key`, `2 keys`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** What providers say, as one sentence of ours: without a full stop of its own. */
export const sentence = (text: string): string => `${text.replace(/[.\s]+$/, '')}.`;
