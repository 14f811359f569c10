import { z } from 'zod';
import { choice, decimal, duration, flag, integer, section, size, text } from './scalar.ts';

/** Keys that may stand at a target, a model, a provider or `modelDefaults`; the nearest wins. */
export const settingsShape = {
  commitOn: choice(['output', 'answer'], {
    description:
      'What binds a stream to its target: any visible output, or the answer itself (visible reasoning then does not).',
    default: 'output',
  }).optional(),
  onEmpty: choice(['next', 'accept'], {
    description: 'What follows an answer without output: another target, or the empty answer as it is.',
    default: 'next',
  }).optional(),
  onContentPolicy: choice(['stop', 'next'], {
    description: 'What follows a refusal by a content policy.',
    default: 'stop',
  }).optional(),
  onMalformed: choice(['fail', 'drop'], {
    description: 'What becomes of stream data that does not parse: a failure, or left out.',
    default: 'fail',
  }).optional(),
  holdToolEnd: choice([true, 'all', false], {
    description:
      'Keep the frame that completes a tool call until more arrives; `all` keeps every end until the terminal.',
    default: true,
  }).optional(),
  midStream: choice(['error', 'continue'], {
    description: 'What follows a failure after output: an honest error, or a continuation by another target.',
    default: 'error',
  }).optional(),
  exhausted: choice(['auto', 'status'], {
    description:
      'How a total failure is told to clients that would storm: in the form that stops them, or by status alone.',
    default: 'auto',
  }).optional(),
  responseModel: choice(['upstream', 'virtual'], {
    description: '`model` in answers: who really answered, or the name that was asked for.',
    default: 'upstream',
  }).optional(),
  usage: choice(['ask', 'client'], {
    description: 'Ask providers for usage in every stream, or only when the client does.',
    default: 'ask',
  }).optional(),
  replay: choice(['auto', 'always', 'safe'], {
    description:
      'Whether a request with an unknown outcome may be sent again: unless it has effects outside, always, never.',
    default: 'auto',
  }).optional(),
  translate: choice(['in-order', 'last', 'never'], {
    description:
      'When a target serves clients that speak another protocol: where it stands, behind the equally ready targets of its tier that need no translation, or never.',
    default: 'in-order',
  }).optional(),
  keepalive: z
    .union([
      choice(['off'], { description: 'No keep-alives.' }),
      section({
        after: duration({ description: 'Silence before the first keep-alive.', default: '10s' }).optional(),
        every: duration({ description: 'Time between keep-alives.', default: '10s' }).optional(),
      }),
    ])
    .meta({ description: 'Comments (pings) that keep a waiting streaming client waiting; `off`, or a map.' })
    .optional(),
  hedge: z
    .union([
      choice(['off'], { description: 'No hedging.' }),
      section({
        after: duration({
          description: 'Silence after which the next route is started beside.',
          examples: ['3s'],
        }).optional(),
        maxShare: decimal(
          { description: 'Most of the recent traffic that may be hedged.', examples: [0.05] },
          { min: 0, max: 1 },
        ).optional(),
      }),
    ])
    .meta({ description: 'Start the next route beside a silent one; `off`, or a map.', default: 'off' })
    .optional(),
  retry: section(
    {
      sameTarget: z
        .union([
          choice(['auto'], { description: 'One repeat if no other route is eligible.' }),
          integer({ description: 'Repeats of one target before the next.' }, { min: 0, max: 20 }),
        ])
        .meta({
          description: 'Repeats of one target before the next; `auto`: one, if no other route is eligible.',
          default: 'auto',
        })
        .optional(),
      maxAttempts: integer({ description: 'Most sends for one request.', default: 8 }, { min: 1, max: 100 }).optional(),
      waitForCooldown: duration(
        { description: 'Longest wait for a target to return when nothing else is eligible.', default: '0s' },
        { zero: true },
      ).optional(),
      preferSameTarget: flag({
        description: 'Wait out a short told delay of an earlier target.',
        default: false,
      }).optional(),
    },
    { description: 'Repeats and attempts.' },
  ).optional(),
  timeouts: section(
    {
      connect: duration({ description: 'Until a connection stands.', default: '5s' }).optional(),
      headers: duration({ description: 'Streams: from the send to the response head.', default: '60s' }).optional(),
      firstOutput: duration({ description: 'Streams: from the send to the first output.', default: '120s' }).optional(),
      idle: duration({ description: 'Streams: silence on the wire.', default: '120s' }).optional(),
      progress: duration({ description: 'Streams: silence of output after the first one.', default: '5m' }).optional(),
      whole: duration({ description: 'JSON answers: from the send to the end.', default: '5m' }).optional(),
      commit: duration({ description: 'Of the request: waits and attempts until output.', default: '10m' }).optional(),
      total: duration({ description: 'Of the request: everything.', default: '60m' }).optional(),
    },
    { description: 'Clocks of an attempt (connect … whole) and of the request (commit, total).' },
  ).optional(),
  preflight: section(
    {
      maxBytes: size({
        description: 'Most bytes of a stream that are held before output.',
        default: '4MiB',
      }).optional(),
      maxEvents: integer(
        { description: 'Most events of a stream that are held before output.', default: 4096 },
        { min: 1, max: 1_000_000 },
      ).optional(),
      maxJson: size({ description: 'Largest JSON answer that is judged whole.', default: '32MiB' }).optional(),
    },
    { description: 'What is held while nothing is decided.' },
  ).optional(),
  defaults: section(
    {
      reasoningEffort: text(
        { description: 'Reasoning effort where the client names none.', examples: ['high'] },
        { max: 32 },
      ).optional(),
      maxOutputTokens: integer(
        { description: 'Output limit where the client names none.', examples: [8192] },
        { min: 1, max: 10_000_000 },
      ).optional(),
    },
    { description: 'Request values for clients that leave them open.' },
  ).optional(),
} as const;
