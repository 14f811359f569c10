import { choice, decimal, duration, flag, integer, secret, section, size, text } from './scalar.ts';

export const health = section(
  {
    breaker: section(
      {
        failures: integer(
          { description: 'Weighted failures that open a circuit.', default: 3 },
          { min: 1, max: 1000 },
        ).optional(),
        window: duration({ description: 'Time in which they count.', default: '5m' }).optional(),
        open: duration({ description: 'How long a circuit stays open at first.', default: '10s' }).optional(),
        maxOpen: duration({ description: 'How long at most, after failed trials.', default: '30s' }).optional(),
        slowFactor: decimal(
          { description: 'Slow failures: open time as a multiple of the attempt.', default: 6 },
          { min: 1, max: 1000 },
        ).optional(),
        maxSlowOpen: duration({ description: 'Slow failures: open time at most.', default: '10m' }).optional(),
      },
      { description: 'Circuits.' },
    ).optional(),
    cooldown: section(
      {
        rateLimited: duration({ description: 'After a rate limit without a told delay.', default: '5s' }).optional(),
        quota: duration({ description: 'After an exhausted quota.', default: '10m' }).optional(),
        auth: duration({ description: 'After a refused key.', default: '5m' }).optional(),
        permission: duration({ description: 'After a missing permission.', default: '10m' }).optional(),
        notFound: duration({ description: 'After an unknown model.', default: '10m' }).optional(),
        retired: duration({ description: 'After a retired model.', default: '24h' }).optional(),
        max: duration({ description: 'Longest hold, told or guessed.', default: '24h' }).optional(),
      },
      { description: 'Holds where the provider told no delay.' },
    ).optional(),
  },
  { description: 'When a route is left alone.' },
);

export const readiness = section(
  {
    probe: section(
      {
        mode: choice(['off', 'recovery', 'full'], {
          description:
            'Which routes are probed: none; those that are out, when their hold or circuit ends; or all of them, in rounds. Where nothing is said: `full` for models with targets out of a catalogue, else `recovery`.',
        }).optional(),
        every: duration({ description: 'From the start of a round to that of the next.', default: '10m' }).optional(),
        targetReady: integer(
          { description: 'Ready routes of a model at which its round ends.', default: 8 },
          { min: 1, max: 10_000 },
        ).optional(),
        maxProbes: integer({ description: 'Most probes of a round.', default: 16 }, { min: 1, max: 10_000 }).optional(),
        maxTime: duration({ description: 'Longest time of a round, discovery included.', default: '60s' }).optional(),
        maxTokens: integer(
          { description: 'Most tokens of a round.', default: 65_536 },
          { min: 1, max: 1_000_000_000 },
        ).optional(),
        slowAfter: duration({
          description: 'A route that takes longer to answer a probe is slow.',
          default: '20s',
        }).optional(),
        tokens: integer(
          { description: 'Limit of the tokens of an answer.', default: 16 },
          { min: 1, max: 64 },
        ).optional(),
        escalatedTokens: integer(
          { description: 'The same of the one repeat, where that left no room for text.', default: 1024 },
          { min: 1, max: 65_536 },
        ).optional(),
        maxEscalations: integer(
          { description: 'Most such repeats of a round, per account.', default: 4 },
          { min: 0, max: 1000 },
        ).optional(),
        priced: flag({
          description: 'Rounds may probe targets out of a catalogue that are not free.',
          default: false,
        }).optional(),
      },
      { description: 'Probes.' },
    ).optional(),
  },
  { description: 'Knowing before asking.' },
);

export const responses = section(
  {
    store: choice(['memory', 'disk', 'off'], {
      description:
        'Where the items of responses are kept, so that any target can go on from them; `off`: only those of a WebSocket are, until it is closed.',
      default: 'memory',
    }).optional(),
    maxBytes: size({
      description:
        'How much is kept, over all clients. Beyond it the client key that has most loses what it used least.',
      default: '64MiB',
    }).optional(),
    keep: duration(
      { description: 'How long it is kept after its last use.', default: '1h' },
      { timer: false },
    ).optional(),
  },
  { description: 'State of the Responses protocol.' },
);

export const store = section(
  {
    kind: choice(['memory', 'sqlite', 'postgres'], {
      description: 'Where the ledger lives: in the state directory, or in memory, which ends with the process.',
      default: 'sqlite',
    }).optional(),
    url: secret({ description: 'Address of the database.' }).optional(),
    keep: duration({ description: 'How long records are kept.', default: '30d' }, { timer: false }).optional(),
    maxSize: size({
      description: 'How large the ledger may grow; the oldest records make room.',
      default: '2GiB',
    }).optional(),
    explain: choice(['failures', 'all', 'sample'], {
      description:
        'Which requests keep the plans behind their choices; `sample`: failures and one in a hundred others.',
      default: 'failures',
    }).optional(),
  },
  { description: 'The ledger.' },
);

export const shared = section(
  {
    kind: choice(['none', 'redis'], {
      description: 'Where instances share health, limits and affinity.',
      default: 'none',
    }).optional(),
    url: secret({ description: 'Its address.' }).optional(),
  },
  { description: 'More than one instance.' },
);

export const telemetry = section(
  {
    prometheus: section(
      {
        enabled: flag({ description: 'Serve /metrics.', default: true }).optional(),
        token: secret({
          description: 'Opens /metrics to other machines, as `Authorization: Bearer`; the admin token does too.',
          default: '',
        }).optional(),
      },
      { description: 'Metrics for Prometheus.' },
    ).optional(),
    otlp: text(
      {
        description:
          'Where traces go: the address of an OpenTelemetry receiver that takes OTLP over HTTP. Empty: nowhere.',
        default: '',
        examples: ['http://127.0.0.1:4318'],
      },
      { empty: true },
    ).optional(),
    traces: section(
      {
        ratio: decimal(
          {
            description:
              'Which share of the traces that begin here is sent. What a client says in `traceparent` goes before it.',
            default: 1,
          },
          { min: 0, max: 1 },
        ).optional(),
        names: choice(['current', 'former', 'both'], {
          description:
            'Names of the attributes: `current`, as the conventions for GenAI have them now; `former`, as before `gen_ai.provider.name`.',
          default: 'current',
        }).optional(),
      },
      { description: 'What is sent to `otlp`.' },
    ).optional(),
    log: section(
      {
        level: choice(['debug', 'info', 'warn', 'error', 'silent'], {
          description: 'What is logged.',
          default: 'info',
        }).optional(),
        format: choice(['json', 'pretty'], {
          description: 'How it is logged. Where nothing is said: `pretty` on a terminal, else `json`.',
        }).optional(),
      },
      { description: 'The log.' },
    ).optional(),
  },
  { description: 'What is told of the gateway.' },
);
