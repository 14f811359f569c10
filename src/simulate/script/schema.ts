import { z } from 'zod';
import { choice, flag, integer, list, section, text } from '../../config/schema/scalar.ts';
import { does } from './behaviour-schema.ts';
import { bytes, rate, sends, share, time, timeOrNever } from './scalars.ts';

const MANY = { min: 1, max: 10_000_000 };
const MAX_BYTES = 16 * 1024 ** 2;

const span = {
  from: time({ description: 'From this moment on.', default: '0s' }).optional(),
  until: time({ description: 'Until this moment; absent: to the end.' }).optional(),
};

export const CLIENTS = ['codex', 'claude-code', 'opencode', 'openai-sdk'] as const;

const retries = { description: 'Asks again after a failure, as this client does.' };

const client = z
  .union([
    choice(CLIENTS, retries),
    section(
      {
        retries: choice(CLIENTS, retries).optional(),
        leavesAfter: time({ description: 'Leaves so long after its request.' }).optional(),
        leavesAfterWords: integer(
          { description: 'Leaves as soon as it has seen so many words.' },
          { min: 0, max: 1_000_000 },
        ).optional(),
        window: bytes({ description: 'What fits between gateway and client.' }, MAX_BYTES).optional(),
        drain: timeOrNever({ description: 'How long it takes to read a full window.' }).optional(),
      },
      { description: 'How it behaves, member by member.' },
    ),
  ])
  .meta({ description: 'How the client behaves; absent: it reads at once, stays, and never asks again.' });

/** Names of the protocols that simulated clients speak, short and as the configuration has them. */
export const PROTOCOL_NAMES = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  gemini: 'gemini',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic-messages',
} as const;

const names = Object.keys(PROTOCOL_NAMES) as (keyof typeof PROTOCOL_NAMES)[];

const ask = section(
  {
    model: text({
      description: 'Model, alias or `provider/model`; absent: the only or the default one of the configuration.',
    }).optional(),
    protocol: choice(names, { description: 'In which protocol.', default: 'chat' }).optional(),
    rate: rate(
      { description: 'So many requests in a time; absent: all `count` at once.', examples: ['50/s', '300/m'] },
      1,
    ).optional(),
    count: integer(
      { description: 'So many at most; absent: as many as time and rate give, without a rate one.' },
      MANY,
    ).optional(),
    arrival: choice(['even', 'random'], {
      description: 'At even distances, or by chance.',
      default: 'even',
    }).optional(),
    ...span,
    stream: flag({ description: 'A stream is asked for.', default: true }).optional(),
    bytes: bytes({ description: 'Size of the last message; absent: a few bytes.' }, MAX_BYTES).optional(),
    turns: integer({ description: 'Turns of the conversation so far.', default: 0 }, { min: 0, max: 1000 }).optional(),
    tools: flag({ description: 'Tools are offered.', default: false }).optional(),
    textTool: flag({
      description: 'Responses: a tool that takes plain text is offered as well.',
      default: false,
    }).optional(),
    endsWithToolResult: flag({ description: 'The last message is the result of a tool.', default: false }).optional(),
    unsafe: flag({
      description: 'It runs something outside the model, so that it must not be sent twice blindly.',
      default: false,
    }).optional(),
    foreignState: flag({
      description: 'It carries reasoning of an issuer that may not be asked now.',
      default: false,
    }).optional(),
    maxOutputTokens: integer({ description: 'Most tokens of the answer.' }, MANY).optional(),
    asksUsage: flag({ description: 'Chat: the client itself asks for usage.', default: false }).optional(),
    key: text({ description: 'Name of the client key.' }).optional(),
    session: text({ description: 'Ties requests together, for affinity.' }).optional(),
    failover: flag({ description: '`x-understudy-failover`: false sends off.', default: true }).optional(),
    timeout: time({ description: '`x-understudy-timeout`.' }).optional(),
    client: client.optional(),
  },
  { description: 'Requests of one kind.' },
);

const provider = section(
  {
    routes: text({
      description: 'Glob over `provider/model#credential`; without `#` every credential.',
      examples: ['openai/*', '*/*#second'],
    }),
    ...span,
    sends: sends({
      description: 'Of the sends to which the row could apply, these: `1-10`, `3`, `11-`.',
      examples: ['1-10'],
    }).optional(),
    share: share({ description: 'Of those this share, by the seed.', examples: ['20%'] }).optional(),
    flap: section(
      {
        on: time({ description: 'So long it applies.' }),
        off: time({ description: 'So long it does not.' }),
      },
      { description: 'On and off in turns, beginning with on.' },
    ).optional(),
    does: does.optional(),
  },
  { description: 'A fault, or a way to answer: the first row that applies to a send decides.' },
);

const account = section(
  {
    account: text({ description: 'Glob over `provider/credential`.' }),
    perModel: flag({
      description: 'For each model on its own; else for the account as a whole.',
      default: false,
    }).optional(),
    rate: rate(
      { description: 'Refills evenly with so many requests in a time; absent: no such limit.', examples: ['60/m'] },
      60,
    ).optional(),
    burst: integer({ description: 'How many may come at once.', default: 1 }, { min: 0, max: 10_000_000 }).optional(),
    concurrency: integer(
      { description: 'Requests under way at once; absent: any number.' },
      { min: 0, max: 10_000_000 },
    ).optional(),
    total: integer(
      { description: 'Requests until the money is gone (402); absent: never.' },
      { min: 0, max: 10_000_000 },
    ).optional(),
    tells: flag({ description: 'The delay is told in `retry-after`.', default: true }).optional(),
  },
  { description: 'The limits of one account.' },
);

const act = section(
  {
    at: time({ description: 'At this moment.' }),
    does: choice(['disable', 'enable', 'reset', 'drain'], { description: 'What the operator does.' }),
    id: text({ description: 'Target, route, credential or endpoint; not for `drain`.' }).optional(),
  },
  { description: 'An act of the operator.' },
);

const store = section(
  {
    port: choice(['ledger', 'health', 'claims', 'telemetry'], { description: 'What fails.' }),
    how: choice(['throws', 'late', 'never'], { description: 'How; `late` and `never` are for claims.' }),
    ...span,
    delay: time({ description: 'How late.' }).optional(),
  },
  { description: 'A part of the gateway itself that fails.' },
);

/** A whole script. */
export const scriptSchema = section({
  $schema: text({ description: 'For editors; ignored.' }).optional(),
  seed: integer(
    { description: 'Of all chance: shares, jitter, random arrivals.', default: 1 },
    { min: 0, max: Number.MAX_SAFE_INTEGER },
  ).optional(),
  for: time({
    description: 'So long requests come; absent: until the last moment that the script names, at least a minute.',
  }).optional(),
  asks: list(ask, { description: 'Who asks, when, for what; absent: ten requests a second.' }).optional(),
  providers: list(provider, {
    description: 'What providers do; a send to which no row applies gets a good answer at once.',
  }).optional(),
  accounts: list(account, { description: 'Limits that providers keep, before any row.' }).optional(),
  acts: list(act, { description: 'What the operator does meanwhile.' }).optional(),
  stores: list(store, { description: 'Parts of the gateway that fail.' }).optional(),
  config: z
    .record(z.string(), z.unknown())
    .meta({ description: 'A whole configuration, for scripts that bring their own.' })
    .optional(),
});

export type ScriptInput = z.output<typeof scriptSchema>;
export type AskInput = NonNullable<ScriptInput['asks']>[number];
export type ProviderInput = NonNullable<ScriptInput['providers']>[number];
export type AccountInput = NonNullable<ScriptInput['accounts']>[number];
export type ActInput = NonNullable<ScriptInput['acts']>[number];
export type StoreInput = NonNullable<ScriptInput['stores']>[number];
