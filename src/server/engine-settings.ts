import type { RuntimeConfig } from '../config/runtime.ts';
import type { EngineSettings } from '../engine/index.ts';

/** What the engine needs of a configuration. */
export const engineSettings = ({
  providers,
  health,
  server,
  auth,
  responses,
  readiness,
}: RuntimeConfig): EngineSettings => ({
  providers,
  health,
  maxRetryAfterMs: server.maxRetryAfterMs,
  clientStallMs: server.clientStallMs,
  // Where keys are not needed, those who have none are a client too.
  responses: { isOn: responses.store !== 'off', maxBytes: responses.maxBytes, keepMs: responses.keepMs },
  isProbing: readiness.probe.mode !== 'off',
  isolatesClients: auth.keys.length > (auth.required ? 1 : 0),
});
