import type { Engine } from '../engine/index.ts';
import type { Planning } from '../management/index.ts';
import { CODECS } from '../protocol/index.ts';
import { engineSettings } from '../server/index.ts';

/** Reads bodies of every protocol that this version speaks. */
export const readRequest: Planning['readRequest'] = (protocol, body, headers) =>
  CODECS.get(protocol)?.decodeRequest(body, headers) ?? null;

/** Plans as the engine would serve. */
export function createPlanning(engine: Pick<Engine, 'plan'>): Planning {
  return {
    readRequest,
    plan: ({ request, model, config }) => engine.plan({ request, model, key: null, settings: engineSettings(config) }),
  };
}
