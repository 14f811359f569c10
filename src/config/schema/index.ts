import type { z } from 'zod';
import { modelDefaults, models } from './model.ts';
import { health, readiness, responses, shared, store, telemetry } from './operation.ts';
import { providers } from './provider.ts';
import { section, text } from './scalar.ts';
import { auth, network, server } from './server.ts';

/** The whole configuration file, the keys of later versions included. */
export const configSchema = section({
  $schema: text({ description: 'For editors; ignored.' }).optional(),
  stateDir: text({
    description: 'State directory; one gateway at a time.',
    default: '~/.local/state/understudy',
  }).optional(),
  server: server.optional(),
  network: network.optional(),
  auth: auth.optional(),
  providers: providers.optional(),
  modelDefaults: modelDefaults.optional(),
  models: models.optional(),
  health: health.optional(),
  readiness: readiness.optional(),
  responses: responses.optional(),
  store: store.optional(),
  shared: shared.optional(),
  telemetry: telemetry.optional(),
});

/** A file that is valid by itself: units are worked in, nothing is filled in yet. */
export type ConfigInput = z.output<typeof configSchema>;
export type ProviderInput = NonNullable<ConfigInput['providers']>[string];
export type ModelInput = NonNullable<ConfigInput['models']>[string];
export type TargetInput = Exclude<ModelInput['targets'][number], string>;
export type ModelDefaultsInput = NonNullable<ConfigInput['modelDefaults']>;
