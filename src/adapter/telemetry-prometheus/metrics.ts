import type { AvailabilityState } from '../../core/health/availability.ts';

export type LabelName =
  | 'model'
  | 'protocol'
  | 'stream'
  | 'outcome'
  | 'status'
  | 'target'
  | 'result'
  | 'scope'
  | 'id'
  | 'part'
  | 'provider'
  | 'state'
  | 'version';

/** One row of the table below: what is measured, and by what it is told apart. */
export type MetricDefinition = {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly LabelName[];
  /** Upper bounds of a histogram, ascending, in seconds. */
  readonly buckets?: readonly number[];
  /** Shown only where the store of the ledger can tell. */
  readonly isOptional?: true;
};

/** From a cached answer to `timeouts.total`. */
const REQUEST = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
/** Coarser, since there is one such row for each target: they make most of the page. */
const ATTEMPT = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** Dense where people notice a difference, then to `timeouts.commit`. */
const FIRST_OUTPUT = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600];
/** From a refusal that came at once to a silence that took its whole timeout. */
const FAILOVER = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Every metric of the gateway's own; `docs/metrics.md` is printed from it. */
export const METRICS = {
  requests: {
    name: 'understudy_requests_total',
    type: 'counter',
    help: 'Requests that have ended, refused ones included.',
    labels: ['model', 'protocol', 'stream', 'outcome', 'status'],
  },
  requestDuration: {
    name: 'understudy_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the arrival of a request to its end. Requests without an attempt are left out.',
    labels: ['model', 'stream'],
    buckets: REQUEST,
  },
  firstOutput: {
    name: 'understudy_first_output_seconds',
    type: 'histogram',
    help: 'Time from the arrival of a request to the commit: the first output of a stream, or the whole of a JSON answer.',
    labels: ['model', 'stream'],
    buckets: FIRST_OUTPUT,
  },
  rescued: {
    name: 'understudy_requests_rescued_total',
    type: 'counter',
    help: 'Requests that ended well although an attempt had failed: failures that no client ever saw.',
    labels: ['model'],
  },
  failoverAdded: {
    name: 'understudy_failover_added_seconds',
    type: 'histogram',
    help: 'Time from the start of the first attempt to the start of the one that committed, where the first one failed.',
    labels: ['model'],
    buckets: FAILOVER,
  },
  inputTokens: {
    name: 'understudy_input_tokens_total',
    type: 'counter',
    help: 'Input tokens of the answers that were delivered, cached ones included, as far as providers told them.',
    labels: ['model'],
  },
  outputTokens: {
    name: 'understudy_output_tokens_total',
    type: 'counter',
    help: 'Output tokens of the answers that were delivered, as far as providers told them.',
    labels: ['model'],
  },
  usageUnknown: {
    name: 'understudy_usage_unknown_total',
    type: 'counter',
    help: 'Delivered answers whose input or output tokens nobody told: they are missing from the counters of tokens.',
    labels: ['model'],
  },
  attempts: {
    name: 'understudy_attempts_total',
    type: 'counter',
    help: 'Attempts that have ended: requests sent to a provider.',
    labels: ['target', 'outcome'],
  },
  attemptDuration: {
    name: 'understudy_attempt_duration_seconds',
    type: 'histogram',
    help: 'Time from the start of an attempt to its end. Attempts that nobody can be judged by are left out: the client left, another attempt was faster, the reused connection was stale.',
    labels: ['target', 'result'],
    buckets: ATTEMPT,
  },
  probes: {
    name: 'understudy_probes_total',
    type: 'counter',
    help: 'Probes that have ended, by what they showed of the route. Escalated ones count apart.',
    labels: ['provider', 'state'],
  },
  inFlight: {
    name: 'understudy_requests_in_flight',
    type: 'gauge',
    help: 'Requests under way.',
    labels: [],
  },
  buffered: {
    name: 'understudy_buffered_bytes',
    type: 'gauge',
    help: 'Bytes of requests and answers that are held in memory for requests under way.',
    labels: [],
  },
  scopeState: {
    name: 'understudy_scope_state',
    type: 'gauge',
    help: 'State of a route, credential or endpoint, as a number.',
    labels: ['scope', 'id'],
  },
  scopeHold: {
    name: 'understudy_scope_hold_seconds',
    type: 'gauge',
    help: 'Seconds until a route, credential or endpoint may be used again, for holds and open circuits alike; 0 when it may be used now, or nothing tells when.',
    labels: ['scope', 'id'],
  },
  violations: {
    name: 'understudy_ledger_violations_total',
    type: 'counter',
    help: 'Facts that the ledger refused because they would have broken one of its laws. Anything but 0 is a bug.',
    labels: [],
  },
  ledgerQueue: {
    name: 'understudy_ledger_queue',
    type: 'gauge',
    help: 'Facts that wait to be written to the store of the ledger.',
    labels: [],
    isOptional: true,
  },
  ledgerJournal: {
    name: 'understudy_ledger_journal_bytes',
    type: 'gauge',
    help: 'Bytes of the journal of the ledger, on disk and waiting for it. A file of up to 8 MiB is kept until it is full.',
    labels: [],
    isOptional: true,
  },
  ledgerFailures: {
    name: 'understudy_ledger_failures_total',
    type: 'counter',
    help: 'Writes of the ledger that failed. They are tried again; what waits stays in the journal or in memory.',
    labels: ['part'],
    isOptional: true,
  },
  ledgerWritten: {
    name: 'understudy_ledger_last_write_timestamp_seconds',
    type: 'gauge',
    help: 'When the database of the ledger last took something, in seconds since 1970. Old while nothing waits means that nothing happened.',
    labels: [],
    isOptional: true,
  },
  ledgerTrouble: {
    name: 'understudy_ledger_trouble',
    type: 'gauge',
    help: '1 while the store of the ledger can not be written to, else 0.',
    labels: [],
    isOptional: true,
  },
  logDropped: {
    name: 'understudy_log_lines_dropped_total',
    type: 'counter',
    help: 'Lines of the log that nobody got: their reader did not take them, or is gone.',
    labels: [],
  },
  membersDropped: {
    name: 'understudy_event_members_dropped_total',
    type: 'counter',
    help: 'Members that events were made without, of the log for programs and of the record of a run: values that do not fit, and names that are not of the configuration, such as models that only clients know.',
    labels: [],
  },
  spansLost: {
    name: 'understudy_spans_lost_total',
    type: 'counter',
    help: 'Spans that their receiver did not take. Only where traces are sent.',
    labels: [],
  },
  buildInfo: {
    name: 'understudy_build_info',
    type: 'gauge',
    help: 'Always 1; the version stands in the label.',
    labels: ['version'],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** The value of `understudy_scope_state`: the higher, the less can be sent. */
export const STATE_CODES: { readonly [S in AvailabilityState]: number } = {
  ready: 0,
  slow: 1,
  half_open: 2,
  deferred: 3,
  open: 4,
  rejected: 5,
  disabled: 6,
};

/** What each label may say. None of them holds a word that a client or a provider chose. */
export const LABELS: { readonly [L in LabelName]: string } = {
  model:
    'a name under `models`, or a target that is listed there, where a client asked for that one; everything else is `other`',
  protocol: "the client's: `openai-chat` and so on",
  stream: '`true`, `false`',
  outcome: 'an outcome word, see [errors.md](errors.md#outcome-words)',
  status: 'class of the status line: `2xx`, `4xx`, `5xx`; `none` if the client left before one',
  target: '`provider/model`, if it is listed under `models`; everything else is `other`',
  result: '`ok`: it was delivered; `failed`',
  scope: '`route`, `credential`, `endpoint`',
  id: '`provider/model#credential`, `provider/credential`, `host:port`',
  part: '`journal`: the file that facts go to first; `database`; `thread`: the one that writes the database died',
  provider: 'a name under `providers`; everything else is `other`',
  state: 'a state word, see [States](#states)',
  version: 'of the gateway',
};
