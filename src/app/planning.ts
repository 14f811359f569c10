import type { Engine } from '../engine/index.ts';
import type { Planning } from '../management/index.ts';
import { decodeRequestFor } from '../protocol/gemini/index.ts';
import { CODECS } from '../protocol/index.ts';
import { decodeUtf8 } from '../protocol/json/index.ts';
import { engineSettings } from '../server/index.ts';

/**
 * Reads bodies of every protocol that this version speaks. Where clients name the model in the path, the body of a plan
 * has it as `model`.
 */
export const readRequest: Planning['readRequest'] = (protocol, body, headers) =>
  protocol === 'gemini'
    ? decodeRequestFor(modelIn(body), false, body, headers)
    : (CODECS.get(protocol)?.decodeRequest(body, headers) ?? null);

/** Empty: the body names none, or is none. */
function modelIn(body: Uint8Array): string {
  try {
    const { model } = JSON.parse(decodeUtf8(body)) as { readonly model?: unknown };
    return typeof model === 'string' ? model : '';
  } catch {
    return '';
  }
}

/** Plans as the engine would serve. */
export function createPlanning(engine: Pick<Engine, 'plan'>): Planning {
  return {
    readRequest,
    plan: ({ request, model, config }) => engine.plan({ request, model, key: null, settings: engineSettings(config) }),
  };
}
