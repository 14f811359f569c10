import { z } from 'zod';
import { type Feature, OPTIONAL_FIELDS } from '../../core/model/capability.ts';
import { choice, flag, integer, list, named, section, text } from './scalar.ts';
import { settingsShape } from './settings.ts';

/** Keys of a model that `modelDefaults` may hold too. */
const modelShape = {
  preset: choice(['standard', 'resilient', 'strict'], {
    description: 'A set of settings that explicit keys override.',
    default: 'standard',
  }).optional(),
  strategy: choice(['failover', 'round-robin', 'weighted', 'least-latency', 'least-busy', 'lowest-cost'], {
    description: 'Order of the targets within a tier.',
    default: 'failover',
  }).optional(),
  sticky: integer(
    { description: 'Turns that one target keeps in a rotation.', default: 1 },
    { min: 1, max: 100 },
  ).optional(),
  affinity: choice(['auto', 'off'], {
    description: 'Keep a conversation on its route while that is ready.',
    default: 'auto',
  }).optional(),
  ...settingsShape,
} as const;

const capability = (description: string) => flag({ description }).optional();

const features = {
  images: capability('Takes images.'),
  audio: capability('Takes audio.'),
  files: capability('Takes files.'),
  tools: capability('Calls tools.'),
  parallelTools: capability('Calls several tools at once.'),
  responseFormat: capability('Keeps to a response format.'),
  reasoningEffort: capability('Takes a reasoning effort.'),
  prefill: capability('Goes on from a last assistant message.'),
  n: capability('Gives more than one choice.'),
  logprobs: capability('Gives log probabilities.'),
  countTokens: capability('Counts tokens; else they are estimated.'),
} as const satisfies Readonly<Record<Feature, unknown>>;

const capabilities = section(
  {
    ...features,
    developerRole: capability('Knows the role `developer`; else such messages are sent as `system`.'),
    streamUsage: capability('Takes `stream_options`.'),
    toolCallIds: choice(['any', 'alnum9'], {
      description: 'Form of tool call ids; `alnum9`: nine letters and digits.',
    }).optional(),
    contextWindow: integer(
      { description: 'Tokens of input and output together.', examples: [131072] },
      { min: 1, max: 1_000_000_000 },
    ).optional(),
    betas: list(text({ description: 'A flag.', examples: ['context-management-2025-06-27'] }, { max: 128 }), {
      description: 'The `anthropic-beta` flags that it takes; others are left out. Without the key: all.',
    }).optional(),
    leaveOut: list(choice(OPTIONAL_FIELDS, { description: 'An optional field.' }), {
      description: 'Optional fields of Messages requests that it does not take: they are left out.',
    }).optional(),
  },
  { description: 'What the target can do, where that is known. A request that needs what is `false` goes elsewhere.' },
);

const wanted = section(
  {
    ...features,
    contextWindow: integer(
      { description: 'Fewest tokens of input and output together.', examples: [131072] },
      { min: 1, max: 1_000_000_000 },
    ).optional(),
  },
  {
    description:
      'What they must be able to do. `true` leaves out those that are known to lack it, `false` those that are known to have it.',
  },
);

const PATTERN = { description: 'A pattern of model names.', examples: ['deepseek*'] };

const discover = section(
  {
    providers: list(text({ description: 'A provider.' }), {
      description: 'Providers whose lists are searched; without the key all that have `discover: true`.',
    }).optional(),
    match: z
      .union([text(PATTERN, { max: 384 }), list(text(PATTERN, { max: 384 }), { description: 'Several patterns.' })])
      .meta({
        description: 'A pattern of model names (`*` stands for anything), or a list of them, the best first.',
        default: '*',
      })
      .optional(),
    price: choice(['free', 'any'], {
      description: 'Only models of which both prices, for input and output, are published and zero; or all.',
      default: 'any',
    }).optional(),
    capabilities: wanted.optional(),
    max: integer(
      { description: 'Most targets that are taken, shared fairly among endpoints and then accounts.', default: 24 },
      { min: 1, max: 1000 },
    ).optional(),
  },
  { description: 'Take targets from the lists of providers.' },
);

const target = z
  .union([
    text({ description: '`provider/model`.', examples: ['openai/gpt-5.6'] }, { max: 512 }),
    section({
      provider: text({ description: 'Name of a provider.' }).optional(),
      model: text({ description: 'Model name at the provider.' }, { max: 384 }).optional(),
      weight: integer({ description: 'Share in a rotation.', default: 1 }, { min: 1, max: 10_000 }).optional(),
      tier: integer({ description: 'Lower tiers come first, always.', default: 0 }, { min: 0, max: 1000 }).optional(),
      capabilities: capabilities.optional(),
      discover: discover.optional(),
      ...settingsShape,
    }),
  ])
  .meta({ description: '`provider/model`, or a map with more to say.' });

export const model = section({
  aliases: list(text({ description: 'A name or a pattern with `*`.' }), {
    description: 'Other names of the model; `*` stands for anything.',
    default: [],
  }).optional(),
  default: flag({ description: 'Takes every unknown name; one model may.', default: false }).optional(),
  targets: list(target, { description: 'Where requests go, in order.' }),
  ...modelShape,
});

export const models = named(model, { description: 'Virtual models: the names that clients ask for.' });

export const modelDefaults = section(modelShape, {
  description: 'Keys of models; the nearest wins: target, model, provider, here, preset.',
});
